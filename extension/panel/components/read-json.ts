import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { formatMoment, formatTime } from '../../words/format.ts';
import type { Block, Line } from '../tools/face.ts';
import { wordOf } from './call-line.tsx';

/* Reads answers for faces: a server of another version may have sent them, so any member may be missing. */

export const asText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const asNumber = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonList(value) ? value : [];

export const asRecords = (value: JsonValue | undefined): readonly JsonObject[] =>
  asList(value).filter(isObject);

/** An object, or an empty one. */
export const asRecord = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** A JSON time in milliseconds; null for any other text. */
export function asTime(value: JsonValue | undefined): number | null {
  const text = asText(value);
  const at = text === null ? NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export const textIn = (value: JsonValue | undefined, key: string): string | null =>
  asText(asRecord(value)[key]);

export const numberIn = (value: JsonValue | undefined, key: string): number | null =>
  asNumber(asRecord(value)[key]);

export const isSet = (value: JsonValue | undefined, key: string): boolean => asRecord(value)[key] === true;

/** The list of that name, or an empty one. */
export const listIn = (value: JsonValue | undefined, key: string): readonly JsonValue[] =>
  asList(asRecord(value)[key]);

/** A list, or the items of an object; null for anything else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const { items } = asRecord(value);
  return isJsonList(items) ? items : null;
}

/** The texts of a list. */
export const textsIn = (value: JsonValue | undefined, key: string): readonly string[] =>
  listIn(value, key).filter((one) => typeof one === 'string');

/* How values of answers are shown. */

type TextForm = Extract<Block, { text: string }>['as'];

/** A text, in one of its forms. */
export const code = (value: JsonValue | undefined, as: TextForm = 'code', label = ''): Block | false =>
  typeof value === 'string' && value !== '' && { text: value, as, label };
export const format = (number: number | null, as: (number: number) => string): string | null =>
  number === null ? null : as(number);
export const figure = (
  of: JsonValue | undefined,
  name: string,
  as: (number: number) => string,
): string | null => format(numberIn(of, name), as);
/** Two figures in one text. */
export function figures(
  of: JsonValue | undefined,
  [one, other]: readonly [string, string],
  as: (number: number) => string,
  say: (one: string, other: string) => string,
): string | null {
  const [first, second] = [figure(of, one, as), figure(of, other, as)];
  return first === null || second === null ? null : say(first, second);
}
export const momentOf = (value: JsonValue | undefined): string | null => format(asTime(value), formatMoment);
/** The word for a value, or else the value itself. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string =>
  wordOf(words, value) ?? value;

/** A log line, which opens to all its facts. */
export const logLine = ({ ts, ...facts }: JsonObject, line: Line): Line => ({
  ...line,
  at: format(asTime(ts), formatTime),
  more: facts,
});

/** The value, except for a text. */
export const other = (value: JsonValue | undefined): Block | false =>
  value !== undefined && typeof value !== 'string' && { value };

/** A text in one of its forms, and any other value unchanged. */
export const shown = (value: JsonValue | undefined, as: TextForm, label?: string): Block | false =>
  typeof value === 'string' ? code(value, as, label) : other(value);

/** Items under a heading, if there are any. */
export const listOf = <T>(
  part: string,
  items: readonly T[] | null | undefined,
  lineOf: (item: T) => Line,
): Block | false =>
  items != null && items.length > 0 && { part, blocks: [{ items: items.map((item) => lineOf(item)) }] };

export const pageOf = (facts: JsonValue | undefined, more: Line = {}, title = 'title'): Block => ({
  line: { isHead: true, title: textIn(facts, title), url: textIn(facts, 'url'), ...more },
});
