import { isObject } from '../../../shared/json.ts';
import {
  clean,
  cleanJsonText,
  joinClean,
  type CleanJson,
  type CleanRecord,
  type CleanText,
} from '../../redact/clean.ts';

/** A member of an answer as text: a string as it is, anything else as JSON. */
export function textOf(value: CleanJson | undefined): CleanText {
  if (value === undefined) return clean``;
  return typeof value === 'string' ? value : cleanJsonText(value);
}

/** A line, and one more for each object of a list. */
export function withLines(
  first: CleanText,
  ...lists: readonly (readonly [list: CleanJson | undefined, line: (one: CleanRecord) => CleanText])[]
): CleanText {
  const lines = lists.flatMap(([list, line]) =>
    (Array.isArray(list) ? (list as readonly CleanJson[]) : []).filter((one) => isObject(one)).map(line),
  );
  return joinClean([first, ...lines], '\n');
}
