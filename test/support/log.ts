import { Logger as BackendLogger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type Logger, type LogMetadata } from 'n8n-workflow';
import { inspect } from 'node:util';

type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Keeps what nodes (`this.logger`) and n8n-core log, so that tests can read it. */
class CapturedLog implements Logger {
	private readonly entries: Array<{ level: LogLevel; message: string; metadata?: LogMetadata }> =
		[];

	scoped() {
		return this;
	}

	private readonly keep = (level: LogLevel) => (message: string, metadata?: LogMetadata) =>
		void this.entries.push({ level, message, metadata });

	error = this.keep('error');
	warn = this.keep('warn');
	info = this.keep('info');
	debug = this.keep('debug');

	/** The messages of one level, in their order. */
	messages(level: LogLevel): string[] {
		return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
	}

	/** Everything that was logged, with metadata and nested causes, as one text in which a test can look for secrets. */
	text(): string {
		return inspect(this.entries, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
	}

	clear() {
		this.entries.length = 0;
	}
}

/** The log of this process. All engines share it, because n8n-core has only one logger. */
export const log = new CapturedLog();

// The container expects n8n's class. n8n-core calls only those of its methods that exist here.
Container.set(BackendLogger, log as unknown as BackendLogger);
LoggerProxy.init(log);
