import type { JsonObject } from '../../shared/base/json.ts';
import { formatMoment, formatTime } from './words/format.ts';
import type { Block, Line, Maybe } from './faces/face.ts';
import { wordOf } from './call-line.tsx';

/* How values of answers are shown. */

/** A JSON time in milliseconds; null for any other text. */
export function asTime(text: Maybe<string>): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
}

type Say = (number: number) => string;
export const figure = (number: Maybe<number>, as: Say): string | null => (number == null ? null : as(number));
/** Two figures in one text. */
export const figures = (
  [one, other]: readonly [Maybe<number>, Maybe<number>],
  as: Say,
  say: (one: string, other: string) => string,
): string | null => (one == null || other == null ? null : say(as(one), as(other)));
export const momentOf = (text: Maybe<string>): string | null => figure(asTime(text), formatMoment);
/** The word for a value, or else the value itself. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string =>
  wordOf(words, value) ?? value;

/** A log line, which opens to all its facts. */
export const logLine = ({ ts, ...facts }: JsonObject & { readonly ts: string }, line: Line): Line => ({
  ...line,
  at: figure(asTime(ts), formatTime),
  more: facts,
});

/** A text in one of its forms. */
export const code = (
  text: Maybe<string>,
  as: Extract<Block, { text: string }>['as'] = 'code',
  label = '',
): Block | false => text != null && text !== '' && { text, as, label };

/** Items under a heading, if there are any. */
export const listOf = <T>(
  part: string,
  items: readonly T[] | null | undefined,
  lineOf: (item: T) => Line,
): Block | false =>
  items != null && items.length > 0 && { part, blocks: [{ items: items.map((item) => lineOf(item)) }] };

type Page = { readonly url?: Maybe<string>; readonly title?: Maybe<string> };
export const pageOf = ({ url, title }: Page, more: Line = {}): Block => ({
  line: { isHead: true, title, url, ...more },
});
