import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';

/** How the text of a format is divided into parts that can be merged, and how parts are compared. */
export interface Units {
  split(text: string): string[];
  /** What stays the same of a part when the page is read again after scrolling. */
  keyOf(part: string): string;
  /** The part without what holds only while its element is in the page. */
  settle(part: string): string;
  readonly separator: string;
}

const lines = (text: string): string[] => text.trimEnd().split('\n');

/** A list's own numbers count the rows that are there. */
const keyOfLine = (line: string): string => line.replace(/^\s*\d+[.)] /, '');

/** A reference at the start of a line or an item: `e13 button Save`, `[f1e2 link Home]`. */
const REFS = /(^|(?<!\\)\[)(?:f\d+)*e\d+(?: |(?=\]|$))/g;
const withoutRefs = (line: string): string => line.replace(REFS, '$1');

const NODE_PLACE = /"ref":"[^"]*","box":\[[^\]]*\],/;
const withoutPlace = (line: string): string => line.replace(NODE_PLACE, '');

const same = (part: string): string => part;
const LINES: Units = { split: lines, keyOf: keyOfLine, settle: same, separator: '\n' };

export const UNITS: Readonly<Record<ReadFormat, Units>> = {
  markdown: LINES,
  text: LINES,
  // Each tag with the text after it; closing tags in a row one by one.
  html: { split: (html) => html.split(/(?=<[^/])|(?<=>)(?=<\/)/), keyOf: same, settle: same, separator: '' },
  snapshot: { split: lines, keyOf: withoutRefs, settle: withoutRefs, separator: '\n' },
  nodes: { split: lines, keyOf: withoutPlace, settle: withoutPlace, separator: '\n' },
};

/**
 * Gives parts of a merged text back their references, where the page holds them now: those whose key is
 * there once, and once in `now`. All others lose theirs: their elements are gone, or show other rows.
 */
export function settleParts(
  { keyOf, settle }: Units,
  merged: readonly string[],
  now: readonly string[],
): string[] {
  const current = placesOfOnce(now, keyOf);
  const known = placesOfOnce(merged, keyOf);
  return merged.map((part) => {
    const key = keyOf(part);
    return (known.has(key) ? current.get(key) : undefined) ?? settle(part);
  });
}

function placesOfOnce(parts: readonly string[], keyOf: (part: string) => string): Map<string, string> {
  const once = new Map<string, string>();
  const repeated = new Set<string>();
  for (const part of parts) {
    const key = keyOf(part);
    if (once.has(key)) repeated.add(key);
    once.set(key, part);
  }
  for (const key of repeated) once.delete(key);
  return once;
}
