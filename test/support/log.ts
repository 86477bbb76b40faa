import { Logger as BackendLogger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type Logger, type LogMetadata } from 'n8n-workflow';
import { inspect } from 'node:util';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type LogEntry = { level: LogLevel; message: string; metadata?: LogMetadata };

/** Takes what nodes (`this.logger`) and n8n-core itself log, and keeps it for the tests to read. */
export class CapturedLog implements Logger {
	readonly entries: LogEntry[] = [];

	scoped() {
		return this;
	}
	error(message: string, metadata?: LogMetadata) {
		this.entries.push({ level: 'error', message, metadata });
	}
	warn(message: string, metadata?: LogMetadata) {
		this.entries.push({ level: 'warn', message, metadata });
	}
	info(message: string, metadata?: LogMetadata) {
		this.entries.push({ level: 'info', message, metadata });
	}
	debug(message: string, metadata?: LogMetadata) {
		this.entries.push({ level: 'debug', message, metadata });
	}

	/** The messages of one level, in order. */
	messages(level: LogLevel): string[] {
		return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
	}

	/** Everything logged, metadata and nested causes included, as one text to look for secrets in. */
	text(): string {
		return inspect(this.entries, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
	}

	clear() {
		this.entries.length = 0;
	}
}

/** The log of this process: n8n-core knows only one logger, so all engines share it. */
export const log = new CapturedLog();

// The container wants n8n's class, of which n8n-core calls only the methods that exist here.
Container.set(BackendLogger, log as unknown as BackendLogger);
LoggerProxy.init(log);
