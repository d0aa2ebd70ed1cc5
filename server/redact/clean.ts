import { cut } from '../../shared/cut.ts';
import { vouch, type Clean, type CleanJson, type CleanText } from './mark.ts';

export { encode as encodeClean } from './mark.ts';

export type { Clean, CleanBytes, CleanJson, CleanRecord, CleanText } from './mark.ts';

/**
 * Joins literal text with clean parts, so that messages stay readable:
 * `` clean`Run ${run.id} ended after ${count} items.` ``
 */
export function clean(
  literals: TemplateStringsArray,
  ...parts: readonly (CleanText | number | boolean)[]
): CleanText {
  return vouch(String.raw({ raw: literals }, ...parts));
}

/** The serialised form of a clean value, indented by `indent` spaces a level where that is not 0. */
export function cleanJsonText(value: CleanJson, indent?: number): CleanText;
export function cleanJsonText<T>(value: T & Clean<T>, indent?: number): CleanText;
export function cleanJsonText(value: unknown, indent = 0): CleanText {
  return vouch(JSON.stringify(value, null, indent));
}

/** A clean text cut to at most `maxLength` UTF-16 units, between code points. */
export function clipClean(text: CleanText, maxLength: number): CleanText {
  return vouch(cut(text, maxLength));
}

/** A point in time, in milliseconds since the epoch, as ISO 8601 in UTC. */
export function cleanTime(timeMs: number): CleanText {
  return vouch(new Date(timeMs).toISOString());
}

/** Clean texts as lines, each with its break. */
export function joinLines(lines: readonly CleanText[]): CleanText {
  return vouch(lines.map((line) => `${line}\n`).join(''));
}
