import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { formatMoment, formatTime } from '../../../words/format.ts';
import { asTime, numberIn, textIn } from '../../components/read-json.ts';
import type { Block, Line } from '../block.ts';

/* How values of answers are shown. */

export const code = (value: JsonValue | undefined): Block | false =>
  typeof value === 'string' && value !== '' && { text: value, as: 'code' };
export const format = (number: number | null, as: (number: number) => string): string | null =>
  number === null ? null : as(number);
export const figure = (
  of: JsonValue | undefined,
  name: string,
  as: (number: number) => string,
): string | null => format(numberIn(of, name), as);
export const momentOf = (value: JsonValue | undefined): string | null => format(asTime(value), formatMoment);
/** The word for a value, or else the value itself. */
export function wordFor(words: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}

/** A log line, which opens to all its facts. */
export const logLine = ({ ts, ...facts }: JsonObject, line: Line): Line => ({
  ...line,
  at: format(asTime(ts), formatTime),
  more: facts,
});

/** The value, except for a text. */
export const other = (value: JsonValue | undefined): Block | false =>
  value !== undefined && typeof value !== 'string' && { value };

export const pageOf = (facts: JsonValue | undefined, more: Line = {}, title = 'title'): Block => ({
  line: { isHead: true, title: textIn(facts, title), url: textIn(facts, 'url'), ...more },
});
