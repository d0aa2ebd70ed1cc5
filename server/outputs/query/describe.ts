import { createHash } from 'node:crypto';
import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
  isJsonList,
} from '../../../shared/base/json.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { diffLines } from 'diff';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { type Budget, readWhole } from './budget.ts';
import { itemBatches, type StoredOutput } from '../../core/output/reader.ts';
import type { RowPage, Rows } from './rows.ts';

/** Maximum fields that are counted: the first ones of an item. */
const FIELDS_MAX = 60;
/** Maximum distinct values of one field. */
const DISTINCT_MAX = 1_000;
const TOP = 5;
const SHOWN_UNITS = 60;

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const shorten = (text: string): string =>
  ADDRESS.test(text) ? cutUrl(text, SHOWN_UNITS) : cut(text, SHOWN_UNITS);
const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64');

class Range {
  count = 0;
  min = Infinity;
  max = -Infinity;
  sum = 0;

  add(value: number): void {
    this.count += 1;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
    this.sum += value;
  }
}

/** Figures of one field over all items. */
class FieldStats {
  #present = 0;
  #nulls = 0;
  readonly #numbers = new Range();
  readonly #lengths = new Range();
  /** By type and text, or the checksum of a long one: texts may differ only in their ends. */
  #values: Map<string, { readonly shown: string; count: number }> | null = new Map();

  add(value: JsonValue): void {
    this.#present += 1;
    if (value === null) this.#nulls += 1;
    else this.#tell(typeof value, typeof value === 'object' ? JSON.stringify(value) : String(value));
    if (typeof value === 'number') this.#numbers.add(value);
    if (typeof value === 'string') this.#lengths.add(value.length);
  }

  #tell(type: string, text: string): void {
    if (this.#values === null) return;
    const key = `${type} ${text.length > SHOWN_UNITS ? sumOf(text) : text}`;
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, { shown: shorten(text), count: 1 });
    else known.count += 1;
    if (this.#values.size > DISTINCT_MAX) this.#values = null;
  }

  toJson(field: string): JsonObject {
    const { count, min, max, sum } = this.#numbers;
    const values = this.#values;
    const top = values === null ? [] : [...values.values()].sort((a, b) => b.count - a.count).slice(0, TOP);
    return {
      field,
      present: this.#present,
      ...(this.#nulls > 0 ? { null: this.#nulls } : {}),
      ...(count > 0 ? { min, max, mean: sum / count } : {}),
      ...(this.#lengths.count > 0 ? { shortest: this.#lengths.min, longest: this.#lengths.max } : {}),
      distinct: values === null ? `more than ${DISTINCT_MAX}` : values.size,
      // If all values differ, their frequencies say nothing.
      ...(top.some(({ count: times }) => times > 1)
        ? { top: top.map(({ shown, count: times }) => ({ value: shown, count: times })) }
        : {}),
    };
  }
}

/** Statistics of each field: how often it occurs, its range, and its most frequent values. */
export class Stats {
  readonly #fields = new Map<string, FieldStats>();
  #hasMore = false;

  get notes(): readonly string[] {
    const note = `Only the first ${FIELDS_MAX} fields are counted. Ask for others by jmespath, or by fields and sort.`;
    return this.#hasMore ? [note] : [];
  }

  add(item: JsonValue): void {
    if (!isObject(item)) return this.#field('@')?.add(item);
    for (const [name, value] of Object.entries(item)) if (value !== undefined) this.#field(name)?.add(value);
  }

  rows(): readonly JsonObject[] {
    return [...this.#fields].map(([name, stats]) => stats.toJson(name));
  }

  #field(name: string): FieldStats | undefined {
    let stats = this.#fields.get(name);
    if (stats === undefined && this.#fields.size < FIELDS_MAX) {
      stats = new FieldStats();
      this.#fields.set(name, stats);
    }
    this.#hasMore ||= stats === undefined;
    return stats;
  }
}

/** Maximum members of an object that are followed; a map with more is described as one. */
const MEMBERS_MAX = 100;
/** Maximum levels that are followed. */
export const DEPTH_MAX = 8;
/** A member with at most this many different texts is a choice. */
const ENUM_MAX = 8;
const ENUM_UNITS = 40;

export class Shape {
  #count = 0;
  readonly #types = new Map<string, number>();
  readonly #members = new Map<string, Shape>();
  #items: Shape | null = null;
  /** The values of a map. */
  #values: Shape | null = null;
  #texts: Set<string> | null = new Set();

  constructor(private readonly depth = 0) {}

  add(value: JsonValue): void {
    this.#count += 1;
    const type = typeOf(value);
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (typeof value === 'string') this.#addText(value);
    if (this.depth === DEPTH_MAX) return;
    if (isJsonList(value)) {
      this.#items ??= new Shape(this.depth + 1);
      for (const item of value) this.#items.add(item);
    } else if (isObject(value)) this.#addMembers(value);
  }

  /** As JSON Schema: a member is required if every value has it. @param levels beyond which it says nothing */
  toSchema(levels: number): JsonObject {
    const types = [...this.#types.keys()].filter((type) => type !== 'integer' || !this.#types.has('number'));
    const texts = this.#texts;
    // Texts that differ in each value are not a choice.
    const isChoice = texts !== null && texts.size > 0 && texts.size * 4 <= (this.#types.get('string') ?? 0);
    return {
      ...(types.length === 1 ? { type: types[0] } : types.length === 0 ? {} : { type: types }),
      ...(isChoice && types.length === 1 ? { enum: [...texts] } : {}),
      ...(this.#items === null || levels === 0 ? {} : { items: this.#items.toSchema(levels - 1) }),
      ...(levels === 0 ? {} : this.#object(levels - 1)),
    };
  }

  #object(levels: number): JsonObject {
    if (!this.#types.has('object')) return {};
    if (this.#values !== null) return { additionalProperties: this.#values.toSchema(levels) };
    const objects = this.#types.get('object') ?? 0;
    const members = [...this.#members];
    return {
      properties: Object.fromEntries(members.map(([name, shape]) => [name, shape.toSchema(levels)])),
      required: members.flatMap(([name, shape]) => (shape.#count === objects ? [name] : [])),
    };
  }

  #addMembers(value: JsonObject): void {
    for (const [name, member] of Object.entries(value))
      if (member !== undefined) this.#memberOf(name).add(member);
  }

  #memberOf(name: string): Shape {
    const known = this.#values ?? this.#members.get(name);
    if (known !== undefined) return known;
    if (this.#members.size >= MEMBERS_MAX) return this.#toMap();
    const made = new Shape(this.depth + 1);
    this.#members.set(name, made);
    return made;
  }

  /** All members become one shape. */
  #toMap(): Shape {
    const values = (this.#values ??= new Shape(this.depth + 1));
    for (const member of this.#members.values()) values.#absorb(member);
    this.#members.clear();
    return values;
  }

  /** Adds the values of another shape, which is not used any more. */
  #absorb(other: Shape): void {
    this.#count += other.#count;
    for (const [type, count] of other.#types) this.#types.set(type, (this.#types.get(type) ?? 0) + count);
    if (other.#texts === null) this.#texts = null;
    else for (const text of other.#texts) this.#addText(text);
    if (other.#items !== null) (this.#items ??= new Shape(this.depth + 1)).#absorb(other.#items);
    if (other.#values !== null) this.#toMap().#absorb(other.#values);
    for (const [name, member] of other.#members) this.#memberOf(name).#absorb(member);
  }

  #addText(text: string): void {
    if (this.#texts === null) return;
    this.#texts.add(text);
    if (this.#texts.size > ENUM_MAX || text.length > ENUM_UNITS) this.#texts = null;
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Maximum distinct items of one output. */
const ITEMS_MAX = 500_000;
/** Maximum bytes of a text that is compared. */
const TEXT_MAX = 4 * 1024 * 1024;
/** A ref at the beginning of a line of a snapshot, of an item in brackets, or of a cell. */
const REFS = /(^[\t ]*|(?<!\\)[[|])(?:f\d+)*e\d+(?=[ \]|]|$)/gm;
/** Longest time for comparing lines. */
const LINES_MS = 5_000;

/** Items that are gone or new, wherever they are; for texts, lines. @throws SpillwayError `invalid_argument` */
export async function compareOutputs(
  before: StoredOutput,
  now: StoredOutput,
  rows: RowPage,
  budget: Budget,
): Promise<Rows> {
  const areItems = before.meta.kind === 'items';
  if (areItems !== (now.meta.kind === 'items'))
    throw invalidArgument('diff: cannot compare items with an output that has none.');
  await (areItems ? compareItems(before, now, rows, budget) : compareLines(before, now, rows));
  return rows.end();
}

async function compareItems(
  before: StoredOutput,
  now: StoredOutput,
  rows: RowPage,
  budget: Budget,
): Promise<void> {
  const gone = await countsOf(before);
  const each = async (output: StoredOutput, change: 'added' | 'removed'): Promise<void> => {
    for await (const { first, items } of itemBatches(output, 0)) {
      for (const [at, item] of items.entries()) {
        const key = itemKey(item);
        const left = gone.get(key) ?? 0;
        if (left > 0) gone.set(key, left - 1);
        if (left > 0 === (change === 'removed'))
          rows.add({ change, index: first + at, item }, { output, index: first + at });
      }
      budget.check();
    }
  };
  // An item of both is counted down by the newer output, and so is not removed.
  await each(now, 'added');
  await each(before, 'removed');
}

async function countsOf(output: StoredOutput): Promise<Map<string, number>> {
  const { handle, item_count: count } = output.meta;
  if ((count ?? 0) > ITEMS_MAX) throw invalidArgument(`diff: ${handle} has more than ${ITEMS_MAX} items.`);
  const counts = new Map<string, number>();
  for await (const { items } of itemBatches(output, 0))
    for (const item of items) counts.set(itemKey(item), (counts.get(itemKey(item)) ?? 0) + 1);
  return counts;
}

const itemKey = (item: JsonValue): string => sumOf(canonicalJson(item));

async function compareLines(before: StoredOutput, now: StoredOutput, rows: RowPage): Promise<void> {
  const texts = await Promise.all(
    [before, now].map(async (output) => (await readWhole(output, 'diff', TEXT_MAX)).toString('utf8')),
  );
  // Refs belong to one document: with them, all lines of two pages would differ.
  const areSnapshots = [before, now].every(({ meta }) => meta.mime_type === MIME.snapshot);
  const [old = '', current = ''] = areSnapshots ? texts.map((text) => text.replace(REFS, '$1')) : texts;
  // Rows are lines, which hide whether the last one has a line end.
  const changes = diffLines(old, current, { timeout: LINES_MS, ignoreNewlineAtEof: true });
  if (changes === undefined)
    throw invalidArgument('diff: the texts differ too much to be compared by lines.');
  const [was = [], is = []] = texts.map((text) => text.split('\n'));
  let [line, gone] = [0, 0];
  for (const { added, removed, count } of changes) {
    // Lines belong to the newer text; removed ones came before this one.
    if (added)
      for (const [at, text] of is.slice(line, line + count).entries())
        rows.add({ change: 'added', line: line + at + 1, text });
    if (removed)
      for (const text of was.slice(gone, gone + count)) rows.add({ change: 'removed', line: line + 1, text });
    if (!removed) line += count;
    if (!added) gone += count;
  }
}
