import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { log } from '../support/log';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../support/times';
import { waitUntil } from '../support/waitUntil';
import { eventOf, handles, SECRET, type HistoryWorld } from './historyWorld';
import { inbound, outbound, type HistoryRow } from './triggerHistory';
import type { Process } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

/*
 * A scene says in words what happens to one n8n and its service, and behind a colon what begins then, in its order:
 *
 *     publish; text a b; webhook a: a; check: b; kill: nothing
 *
 * Texts have names: `a`, `m1..3` (three of them), `anna.a` (Anna's; others are from a phone of their own), `a+b` (two texts in
 * one item). `a=please_do` is what it says, `a@-2h` its time, from now; `a@none` has none, `a@minute` that of a full minute, and
 * `a@late` that of a phone which was offline for half the time since the publishing. Fields are `filters.contains=please`.
 *
 * Whatever a scene says, at its end everything that may bring an event again comes, and none begins twice.
 */

export type Scenes = Record<string, string>;

const UNITS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

const durationMs = (words: string): number => {
	const [, count, unit = ''] = /^([+-]?\d+)([smhd])$/.exec(words) ?? [];
	if (!count) throw new Error(`“${words}” is no duration`);
	return Number(count) * UNITS[unit]!;
};

/** `m1..3@-1h` is `m1@-1h m2@-1h m3@-1h`. */
const each = (words: string): string[] => {
	const [, name = '', first, last, rest = ''] = /^(.*?)(\d+)\.\.(\d+)(.*)$/.exec(words) ?? [];
	if (!first) return [words];
	const count = Number(last) - Number(first) + 1;
	return Array.from({ length: count }, (_, at) => `${name}${Number(first) + at}${rest}`);
};

const fieldsOf = (words: string[]): INodeParameters => {
	const fields: IDataObject = {};
	for (const word of words) {
		const [, group, name = '', value = ''] = /^(?:(\w+)\.)?(\w+)=(.+)$/.exec(word) ?? [];
		if (!name) throw new Error(`“${word}” is no field with a value`);
		const within = group ? ((fields[group] ??= {}) as IDataObject) : fields;
		within[name] = jsonParse(value, { fallbackValue: value });
	}
	return fields as INodeParameters;
};

type Credential = { apiSecret: string; signingSecret?: string };

class Stage {
	private n8n: Process;

	private fields: INodeParameters = {};

	private isListening = false;

	/** The time of the first publishing, and how many rows there were. */
	private publishedMs = 0;

	private rowsBefore = 0;

	private readonly phones = new Map<string, string>();

	/** What webhooks have brought, and may bring again. */
	private readonly brought = new Map<string, object>();

	private readonly begun: string[] = [];

	private blockedMs = 0;

	constructor(private readonly world: HistoryWorld) {
		this.n8n = world.newProcess();
		if (world.service.lines.length === 0) this.unblock();
	}

	/** A person publishes the workflow, for the first time or after a stop. */
	async publish(...fields: string[]) {
		if (!this.publishedMs) this.rowsBefore = this.world.service.rows.length;
		this.publishedMs ||= this.world.nowMs;
		await this.listen('activate', fields);
	}

	/** A person publishes the workflow again, changed or not. */
	async change(...fields: string[]) {
		if (this.isListening) await this.stop();
		await this.listen('update', fields);
	}

	async stop() {
		await this.n8n.release();
		this.isListening = false;
	}

	/** n8n is killed, and starts again at once or after a while, with the workflow unless that was stopped. */
	async kill(away = '0s') {
		this.n8n.kill();
		await this.wait(away);
		this.n8n = this.isListening ? await this.world.restarted(this.fields) : this.world.newProcess();
	}

	/** Customers text, a second apart, and no webhook brings it yet. */
	text(...texts: string[]) {
		for (const text of texts) {
			this.world.nowMs += SECOND_MS;
			const { name, content, atMs } = this.read(text);
			const [person = name] = name.split('.');
			if (!this.phones.has(person)) this.phones.set(person, `+1555123${1_000 + this.phones.size}`);
			const from = this.phones.get(person)!;
			this.world.rows(inbound(name, atMs, { from, content }));
		}
	}

	/** A text comes that stands behind all others of the history, or behind one. */
	behind(text: string, other?: string) {
		this.text(text);
		const { rows } = this.world.service;
		const place = rows.findIndex((row) => row.message_handle === other);
		rows.splice(Math.max(0, place), 0, rows.pop()!);
	}

	/** Webhooks bring every event since the publishing, maybe once more. */
	async again() {
		const rows = this.world.service.rows.slice(this.rowsBefore);
		const ended = rows.filter(({ status }) => status !== 'QUEUED');
		await this.bring(
			ended.map((row) =>
				row.is_outbound ? outcomeOf(row.message_handle, row.status) : eventOf(row),
			),
		);
	}

	/** n8n makes a check, begins what that finds, and is killed before it has saved anything of it. */
	async crash() {
		const before = structuredClone(this.world.database.staticData);
		await this.check();
		await this.begin();
		this.world.database.staticData = before;
		await this.kill();
	}

	/** Messages of ours are at a status, by their rows. */
	ours(...words: string[]) {
		const status = words.pop() ?? '';
		for (const { name, atMs } of words.map((message) => this.read(message))) {
			const isIt = (one: HistoryRow) => one.is_outbound && one.message_handle === name;
			const row = this.world.service.rows.find(isIt);
			if (!row) this.world.rows(outbound(name, status, atMs));
			else row.status = status;
			if (row && status === 'SENT') row.date_sent ??= dateOf(this.world.nowMs);
		}
	}

	/** Webhooks bring texts, all at once. */
	async webhook(...texts: string[]) {
		const events = texts.map((text) => {
			const { name, atMs } = this.read(text);
			const row = this.world.service.rows.find((one) => one.message_handle === name);
			if (row && !text.includes('@')) return eventOf(row);
			return { ...receiveEvent(name), created_at: dateOf(atMs) };
		});
		await this.bring(events);
	}

	/** A webhook tells that a message of ours has a status, or does not say which. */
	async told(name: string, status?: string) {
		await this.bring([outcomeOf(name, status)]);
	}

	/** The line is blocked a second from now, and no webhook brings it yet. */
	block() {
		this.blockedMs = this.world.nowMs + SECOND_MS;
		this.world.service.lines[0] = lineOf(this.blockedMs);
	}

	unblock() {
		this.world.service.lines[0] = lineOf(null);
	}

	/** Webhooks tell of a block, `begin`, and of its `end`, five seconds later or `end@0s`; a dash in front: in the flat form. */
	async line(...told: string[]) {
		this.blockedMs ||= this.world.nowMs + SECOND_MS;
		const events = told.map((words) => {
			const [what = '', after = '5s'] = words.replace('-', '').split('@');
			const isBlocked = what === 'begin';
			const type = isBlocked ? 'line_blocked' : 'line_unblocked';
			const line = lineOf(isBlocked ? this.blockedMs : null);
			if (words.startsWith('-')) return { event: type, ...line };
			const created_at = dateOf(this.blockedMs + (isBlocked ? 0 : durationMs(after)));
			return {
				id: `evt_${words}`,
				type,
				created_at,
				data: { line: { ...line, line_handle: 'line_l1' } },
			};
		});
		await this.bring(events);
	}

	/** A check, five minutes later unless said otherwise. */
	async check(after = '5m') {
		await this.wait(after);
		await this.n8n.check();
	}

	async tick() {
		await this.n8n.tick();
	}

	async wait(duration: string) {
		await this.world.pass(durationMs(duration));
	}

	/** The executions that wait begin, or so many of them; returns the names of what they begin with. */
	async begin(count?: string): Promise<string[]> {
		const items = await this.n8n.execute(count === undefined ? undefined : Number(count));
		return items.map((item) => {
			const {
				messages = [item],
				event,
				event_id: id,
			} = item as { messages?: IDataObject[] } & IDataObject;
			if (String(event).startsWith('line_')) {
				this.begun.push(String(id));
				return String(event);
			}
			this.begun.push(...handles(messages).map((name) => `${String(event)} ${String(name)}`));
			return handles(messages).join('+');
		});
	}

	/** n8n loses the executions that wait, or so many of them. */
	lose(count = '9999') {
		this.n8n.queue.splice(0, Number(count));
	}

	jam() {
		this.n8n.failsToStart = true;
	}

	unjam() {
		this.n8n.failsToStart = false;
	}

	/** The service answers nothing but 503, or one path. */
	away(path?: string) {
		this.world.service.fail(503, path);
	}

	back() {
		this.world.service.fail(200);
	}

	/** The service tells its time with every answer, or another one. */
	tells(off = '0s') {
		this.world.service.tellTime(() => this.world.nowMs + durationMs(off));
	}

	/** n8n's clock is wrong from now on. */
	ahead(duration: string) {
		this.world.aheadMs = durationMs(duration);
	}

	credential(...fields: string[]) {
		Object.assign(this.world.service.credential, fieldsOf(fields));
	}

	async tested() {
		await this.n8n.endTest();
	}

	/** The trigger has registered so many times, the last time with the secret of the credential. */
	async registered(count: string) {
		const { registered, credential } = this.world.service;
		await waitUntil('a registration', async () => registered[Number(count) - 1]);
		expect(registered).toHaveLength(Number(count));
		const { apiSecret, signingSecret = derivedSecret(apiSecret) } = credential as Credential;
		expect(registered.at(-1)).toMatchObject({ secret: signingSecret });
	}

	async logs(...words: string[]) {
		const warning = new RegExp(words.join(' '));
		const find = async () => log.messages('warn').find((line) => warning.test(line));
		await waitUntil(words.join(' '), find);
	}

	/** Each event has had an execution of its own. */
	alone() {
		expect([...new Set(this.n8n.executions), this.n8n.blanks]).toEqual([1, 0]);
	}

	async play(step: string) {
		const [, word = '', args = '', begins] = /^([a-z]+)([^:]*)(?::(.*))?$/.exec(step) ?? [];
		type Words = Record<string, ((...args: string[]) => unknown) | undefined>;
		const act = (this as unknown as Words)[word];
		if (!act) throw new Error(`“${step}” is no step of a scene`);
		const done = await act.apply(this, args.split(' ').filter(Boolean).flatMap(each));
		if (begins === undefined) return;
		const begun = word === 'begin' ? done : await this.begin();
		const wanted = begins.split(' ').filter((name) => name && name !== 'nothing');
		expect({ step, begins: begun }).toEqual({ step, begins: wanted.flatMap(each) });
	}

	/** Everything that may bring an event again comes: none begins twice. Returns what has begun. */
	async end(): Promise<string[]> {
		if (this.isListening) {
			this.back();
			this.unjam();
			await this.bring([...this.brought.values()]);
			for (const step of ['check', 'kill', 'check']) {
				await this.play(step);
				await this.begin();
			}
		}
		// The end of a block may come twice (decisions/0025-edges-of-the-promises.md).
		const once = this.begun.filter((name) => !name.startsWith('line_unblocked'));
		expect(once.filter((one, at) => once.indexOf(one) < at)).toEqual([]);
		return this.begun;
	}

	private async listen(activation: 'activate' | 'update', fields: string[]) {
		if (fields.length > 0) this.fields = fieldsOf(fields);
		this.n8n.parameters = this.fields;
		await this.n8n.activate(activation);
		this.isListening = true;
	}

	private async bring(events: object[]) {
		const nowMs = this.world.clock.nowMs();
		const secret = String(this.world.service.registered.at(-1)?.secret ?? SECRET);
		const answers = events.map(async (event) => await this.n8n.receive(event, secret, nowMs));
		expect(new Set(await Promise.all(answers))).toEqual(new Set(events.length ? [200] : []));
		for (const event of events) this.brought.set(JSON.stringify(event), event);
	}

	/** A name, with what it says and when. */
	private read(words: string) {
		const [, name = '', content = 'hello', at = '+0s'] =
			/^([^=@]+)(?:=([^@]+))?(?:@(.+))?$/.exec(words) ?? [];
		const { nowMs } = this.world;
		const times: Record<string, number | null> = {
			none: null,
			late: this.publishedMs + 1 + Math.floor((nowMs - this.publishedMs) / 2),
			minute: Math.max(this.publishedMs, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS),
		};
		const atMs = at in times ? times[at]! : nowMs + durationMs(at);
		return { name, content: content.replaceAll('_', ' '), atMs };
	}
}

const outcomeOf = (name: string, status?: string) => {
	const message = { message_handle: `msg_${name}`, direction: 'outbound', to: '+1555', status };
	return { id: `evt_${name}_${status}`, type: 'outbound', data: { message } };
};

const dateOf = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

const lineOf = (blockedMs: number | null) => ({
	...{ line_handle: 'l1', number: '+15550100001', label: 'Front desk' },
	blocked_at: dateOf(blockedMs),
});

/** Plays a scene in a world; returns what has begun. */
export const play = async (world: HistoryWorld, scene: string): Promise<string[]> => {
	const stage = new Stage(world);
	for (const step of scene.split(';')) await stage.play(step.trim());
	return await stage.end();
};

export const playIn = (world: HistoryWorld) => async (_rule: string, scene: string) =>
	void (await play(world, scene));
