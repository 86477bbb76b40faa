import type { Document, LineCounter, Node } from 'yaml';
import { isAlias, isMap, isScalar, isSeq, Scalar } from 'yaml';
import { SeedRefusal } from './seed';

/** What YAML and JSON write for no value. In quotes they are texts. */
const NO_VALUE = ['', '~', 'null', 'Null', 'NULL'];

/** A file that has been parsed. */
export type ParsedFile = { name: string; document: Document; lines: LineCounter };

/** A place in a seed file: it knows its line and the names of the fields that lead to it. */
export class Place {
	constructor(
		private readonly file: ParsedFile,
		private readonly node: unknown,
		/** The field's name, after those of the fields around it; empty for the file itself. */
		private readonly field: string,
		/** Where this place begins, in characters; a field without a value begins at its name. */
		private readonly offset: number,
	) {}

	/** @throws SeedRefusal with the file, the line, the field and what is wrong with it */
	refuse(why: string): never {
		const { line } = this.file.lines.linePos(this.offset);
		const field = this.field === '' ? '' : `, ${this.field}`;
		throw new SeedRefusal(`${this.file.name}, line ${line}${field}: ${why}`);
	}

	/** The fields of a record, without those that have no value; any other name than those known here is refused. */
	fields<Name extends string>(known: readonly Name[]): Partial<Record<Name, Place>> {
		const node = this.#resolved();
		if (!isMap(node)) this.refuse(`This must be a record with the fields ${known.join(', ')}.`);
		const found: Partial<Record<Name, Place>> = {};
		for (const { key, value } of node.items) {
			const name = isScalar(key) ? String(key.value) : '';
			const place = this.#inside(value, name, startOf(key) ?? this.offset);
			const wanted = known.find((one) => one === name);
			if (wanted === undefined) {
				place.refuse(`This field is not known here. Known are ${known.join(', ')}.`);
			}
			if (!place.#isEmpty()) found[name as Name] = place;
		}
		return found;
	}

	/** The field of a record that has to be there. */
	need(place: Place | undefined, name: string): Place {
		return place ?? this.#inside(null, name, this.offset).refuse('This field is required.');
	}

	/** The entries of a list. */
	entries(): Place[] {
		const node = this.#resolved();
		if (!isSeq(node)) this.refuse('This must be a list.');
		return node.items.map((item) => new Place(this.file, item, this.field, this.#offsetOf(item)));
	}

	/** A text; a number or a word such as `yes` is a text, too. */
	text(): string {
		const text = this.textOrEmpty();
		if (text === '') this.refuse('This must not be empty.');
		return text;
	}

	/** A text, which may be empty where somebody has written `''`. */
	textOrEmpty(): string {
		const node = this.#resolved();
		if (!isScalar(node) || typeof node.value !== 'string') this.refuse('This must be a text.');
		return node.value;
	}

	/** True or false. */
	boolean(): boolean {
		const text = this.text();
		if (text !== 'true' && text !== 'false')
			this.refuse(`This must be true or false, not ${text}.`);
		return text === 'true';
	}

	/** A whole number that is not negative. */
	wholeNumber(): number {
		const text = this.text();
		if (!/^\d{1,9}$/.test(text)) this.refuse(`This must be a whole number, not ${text}.`);
		return Number(text);
	}

	/** One of these values. */
	choice<Value extends string>(values: readonly Value[]): Value {
		const text = this.text();
		const chosen = values.find((one) => one === text);
		return chosen ?? this.refuse(`This must be one of ${values.join(', ')}, not ${text}.`);
	}

	#inside(node: unknown, name: string, offset: number): Place {
		const field = this.field === '' ? name : `${this.field}.${name}`;
		return new Place(this.file, node, field, startOf(node) ?? offset);
	}

	#offsetOf(node: unknown): number {
		return startOf(node) ?? this.offset;
	}

	/** Follows a reference (`*name`) to what it stands for. */
	#resolved(): unknown {
		if (!isAlias(this.node)) return this.node;
		const target = this.node.resolve(this.file.document);
		return target ?? this.refuse(`There is no &${this.node.source} above.`);
	}

	#isEmpty(): boolean {
		if (this.node === null) return true;
		if (!isScalar(this.node) || this.node.type !== Scalar.PLAIN) return false;
		return NO_VALUE.includes(this.node.source ?? '');
	}
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
