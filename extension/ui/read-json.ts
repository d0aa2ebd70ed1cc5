import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { formatMoment, formatTime } from './words/format.ts';
import type { Block, Line } from './faces/face.ts';
import { wordOf } from './call-line.tsx';

/* Reads answers for faces: a server of another version may have sent them, so any member may be missing. */

/** A member of an answer. */
type Member = JsonValue | undefined;
type Say = (number: number) => string;

export const asText = (value: Member): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const asNumber = (value: Member): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const asList = (value: Member): readonly JsonValue[] => (isJsonList(value) ? value : []);

export const asRecords = (value: Member): readonly JsonObject[] => asList(value).filter(isObject);

/** An object, or an empty one. */
export const asRecord = (value: Member): JsonObject => (isObject(value) ? value : {});

/** A JSON time in milliseconds; null for any other text. */
export function asTime(value: Member): number | null {
  const text = asText(value);
  const at = text === null ? NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export const textIn = (value: Member, key: string): string | null => asText(asRecord(value)[key]);

export const numberIn = (value: Member, key: string): number | null => asNumber(asRecord(value)[key]);

export const isSet = (value: Member, key: string): boolean => asRecord(value)[key] === true;

/** The list of that name, or an empty one. */
export const listIn = (value: Member, key: string): readonly JsonValue[] => asList(asRecord(value)[key]);

/** A list, or the items of an object; null for anything else. */
export function itemsOf(value: Member): readonly JsonValue[] | null {
  if (isJsonList(value)) return value;
  const { items } = asRecord(value);
  return isJsonList(items) ? items : null;
}

/** The texts of a list. */
export const textsIn = (value: Member, key: string): readonly string[] =>
  listIn(value, key).filter((one) => typeof one === 'string');

/* How values of answers are shown. */

type TextForm = Extract<Block, { text: string }>['as'];

/** A text, in one of its forms. */
export const code = (value: Member, as: TextForm = 'code', label = ''): Block | false =>
  typeof value === 'string' && value !== '' && { text: value, as, label };
export const format = (number: number | null, as: Say): string | null =>
  number === null ? null : as(number);
export const figure = (of: Member, name: string, as: Say): string | null => format(numberIn(of, name), as);
/** Two figures in one text. */
export function figures(
  of: Member,
  [one, other]: readonly [string, string],
  as: Say,
  say: (one: string, other: string) => string,
): string | null {
  const [first, second] = [figure(of, one, as), figure(of, other, as)];
  return first === null || second === null ? null : say(first, second);
}
export const momentOf = (value: Member): string | null => format(asTime(value), formatMoment);
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
export const other = (value: Member): Block | false =>
  value !== undefined && typeof value !== 'string' && { value };

/** A text in one of its forms, and any other value unchanged. */
export const shown = (value: Member, as: TextForm, label?: string): Block | false =>
  typeof value === 'string' ? code(value, as, label) : other(value);

/** Items under a heading, if there are any. */
export const listOf = <T>(
  part: string,
  items: readonly T[] | null | undefined,
  lineOf: (item: T) => Line,
): Block | false =>
  items != null && items.length > 0 && { part, blocks: [{ items: items.map((item) => lineOf(item)) }] };

export const pageOf = (facts: Member, more: Line = {}, title = 'title'): Block => ({
  line: { isHead: true, title: textIn(facts, title), url: textIn(facts, 'url'), ...more },
});
