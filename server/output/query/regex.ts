import { RE2JS, RE2JSException } from 're2js';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { boundaryBefore } from '../utf8.ts';
import type { Finder } from './finders.ts';

/** Finds a regular expression within lines, in a time that grows with the length of the text alone. @throws SpillwayError `invalid_argument` */
export function regexFinder(pattern: string): Finder {
  const regex = compile(pattern);
  return {
    cut: (bytes, _from, to) => boundaryBefore(bytes, to),
    next(bytes, from, to) {
      // It sees what is before and behind: ^, $ and \b are about the text, not about where a search begins.
      const matcher = regex.matcher(bytes);
      for (let found = matcher.find(from); found && matcher.start() < to; found = matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        // An empty match is found everywhere.
        if (end > start) return { start, end };
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
