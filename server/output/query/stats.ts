import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';

/** Fields that are counted; the first of an item. */
const FIELDS_MAX = 60;
/** Values of one field that are told apart. */
const DISTINCT_MAX = 1_000;
const TOP = 5;
const SHOWN_UNITS = 60;

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const shorten = (text: string): string =>
  ADDRESS.test(text) ? cutUrl(text, SHOWN_UNITS) : cut(text, SHOWN_UNITS);
const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Figures of one field over all items. */
class FieldStats {
  #present = 0;
  #nulls = 0;
  #numbers = { count: 0, min: Infinity, max: -Infinity, sum: 0 };
  #texts = { count: 0, min: Infinity, max: 0 };
  /** By type and text, or the sum of a long one: texts may differ in their ends alone. */
  #values: Map<string, { readonly shown: string; count: number }> | null = new Map();

  add(value: JsonValue): void {
    this.#present += 1;
    if (value === null) this.#nulls += 1;
    else if (typeof value === 'number') {
      const { count, min, max, sum } = this.#numbers;
      this.#numbers = {
        count: count + 1,
        min: Math.min(min, value),
        max: Math.max(max, value),
        sum: sum + value,
      };
    } else if (typeof value === 'string') {
      const { count, min, max } = this.#texts;
      this.#texts = { count: count + 1, min: Math.min(min, value.length), max: Math.max(max, value.length) };
    }
    if (value !== null)
      this.#tell(typeof value, typeof value === 'object' ? JSON.stringify(value) : String(value));
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
      ...(this.#texts.count > 0 ? { shortest: this.#texts.min, longest: this.#texts.max } : {}),
      distinct: values === null ? `more than ${DISTINCT_MAX}` : values.size,
      // Values that all differ say nothing by how often they are there.
      ...(top.some(({ count: times }) => times > 1)
        ? { top: top.map(({ shown, count: times }) => ({ value: shown, count: times })) }
        : {}),
    };
  }
}

/** Figures of each field of the items: how often it is there, its range, and its most frequent values. */
export class Stats {
  readonly #fields = new Map<string, FieldStats>();
  #hasMore = false;

  /** What the rows do not have. */
  get notes(): readonly string[] {
    return this.#hasMore
      ? [
          `Only the first ${FIELDS_MAX} fields are counted. Ask for others by jmespath, or by fields and sort.`,
        ]
      : [];
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
