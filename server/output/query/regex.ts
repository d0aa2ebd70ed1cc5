import { RE2JS, RE2JSException } from 're2js';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { boundaryBefore } from '../utf8.ts';
import type { Finder, Found } from './finders.ts';

const NEWLINE = 10;
const COMMA = 44;

/**
 * Finds a regular expression within lines, in a time that grows with the length of the text alone.
 * @param isItems each line is an item: an expression sees one of them, without what separates it from the next
 * @throws SpillwayError `invalid_argument`
 */
export function regexFinder(pattern: string, isItems: boolean): Finder {
  const regex = compile(pattern);
  return {
    cut: (bytes, _from, to) => boundaryBefore(bytes, to),
    next(bytes, from, to) {
      if (!isItems) return findIn(regex, bytes, from, to);
      for (let at = from; at < to;) {
        const { start, end, next } = itemAround(bytes, at);
        const found = findIn(regex, bytes.subarray(start, end), at - start, to - start);
        if (found !== null) return { start: start + found.start, end: start + found.end };
        at = next;
      }
      return null;
    },
  };
}

function findIn(regex: RE2JS, bytes: Buffer, from: number, to: number): Found | null {
  if (from >= bytes.length) return null;
  // It sees what is before and behind: ^, $ and \b are about the text, not about where a search begins.
  const matcher = regex.matcher(bytes);
  for (let found = matcher.find(from); found && matcher.start() < to; found = matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    // An empty match is found everywhere.
    if (end > start) return { start, end };
  }
  return null;
}

/** The item that a byte is in or comes after, as far as it is in these bytes, and where the next begins. */
function itemAround(bytes: Buffer, at: number): Found & { readonly next: number } {
  const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const newline = bytes.indexOf(NEWLINE, at);
  if (newline < 0) return { start, end: bytes.length, next: bytes.length };
  return { start, end: bytes[newline - 1] === COMMA ? newline - 1 : newline, next: newline + 1 };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE);
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown;
    throw new SpillwayError('invalid_argument', `regex: ${messageOf(thrown)}`, {
      hint: 'The syntax is RE2: no lookaround and no references to groups.',
      cause: thrown,
    });
  }
}
