import { RE2JS, RE2JSException } from 're2js';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { boundaryBefore } from '../utf8.ts';
import type { Finder } from './finders.ts';

const NEWLINE = 10;

/** Finds a regular expression within lines, in a time that grows with the length of the text alone. @throws SpillwayError `invalid_argument` */
export function regexFinder(pattern: string): Finder {
  const regex = compile(pattern);
  return {
    cut(bytes, from, to) {
      const line = bytes.lastIndexOf(NEWLINE, to - 1) + 1;
      return line > from ? line : boundaryBefore(bytes, to);
    },
    next(bytes, from, to) {
      const part = bytes.subarray(from, to);
      const matcher = regex.matcher(part);
      // An empty match is found everywhere.
      while (matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) return { start: from + start, end: from + end };
      }
      return null;
    },
  };
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
