const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

const { compileFunction } = vm;
// jest asks for a context for each file; n8n, which all files share, lives in the worker's own.
vm.compileFunction = (code, parameters, options) =>
	compileFunction(code, parameters, { ...options, parsingContext: undefined });

const WORKER = Symbol.for('n8n of the worker');

/** n8n's packages by their names; they are loaded once a worker, as that takes more than a second. */
function loadN8n() {
	// n8n-core writes its settings where it is loaded; no file is left behind.
	const folder = mkdtempSync(join(tmpdir(), 'n8n-core-'));
	process.env.N8N_USER_FOLDER = folder;
	const packages = {
		'n8n-workflow': require('n8n-workflow'),
		'n8n-core': require('n8n-core'),
		'@n8n/di': require('@n8n/di'),
		'@n8n/backend-common': require('@n8n/backend-common'),
	};
	const settings = packages['@n8n/di'].Container.get(packages['n8n-core'].InstanceSettings);
	rmSync(folder, { recursive: true, force: true });
	return { packages, settings };
}

/** Takes away what a file has left in n8n: the log, the store of processed data, crons. */
function resetN8n({ packages, settings }) {
	const { Container } = packages['@n8n/di'];
	const { DataDeduplicationService, InstanceSettings } = packages['n8n-core'];
	Container.reset();
	Container.set(InstanceSettings, settings);
	DataDeduplicationService.instance = undefined;
}

/** What the modules beside this one give tests for n8n's packages. */
globalThis[WORKER] ??= {
	package: (name) => (globalThis[WORKER].n8n ??= loadN8n()).packages[name],
	oldest: () => require('n8n-workflow-1-86'),
};

/** Runs every test file in the worker's own context, and puts back what the file changed of it. */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({
			config: config.projectConfig,
			global: globalThis,
		});
		this.timeouts = [];
		const { setTimeout: begin } = globalThis;
		const keep = (...given) => {
			const timeout = begin(...given);
			this.timeouts.push(timeout);
			return timeout;
		};
		globalThis.setTimeout = Object.assign(keep, begin);
		this.before = {
			setTimeout: begin,
			keys: new Set(Object.keys(globalThis)),
			environment: { ...process.env },
			onExit: process.listeners('exit'),
		};
	}

	async teardown() {
		// What still waits, as a trigger does, must not keep the worker from ending.
		for (const timeout of this.timeouts) timeout.unref();
		globalThis.setTimeout = this.before.setTimeout;
		for (const key of Object.keys(globalThis)) {
			if (!this.before.keys.has(key)) delete globalThis[key];
		}
		for (const name of Object.keys(process.env)) {
			if (!(name in this.before.environment)) delete process.env[name];
		}
		Object.assign(process.env, this.before.environment);
		for (const listener of process.listeners('exit')) {
			if (!this.before.onExit.includes(listener)) process.off('exit', listener);
		}
		if (globalThis[WORKER].n8n) resetN8n(globalThis[WORKER].n8n);
		await super.teardown();
	}
};
