import type { ConsoleLevel, ConsoleMessage } from '../../../shared/tools/console/methods.ts';
import type { ConsoleCall, ExceptionThrown, LogEntry, StackTrace } from './events.ts';
import { cutUrl } from '../../../shared/cut.ts';
import { cutText, renderArguments, renderValue, type Insides } from './render.ts';

const STACK_FRAMES = 30;
const URL_UNITS = 2_048;
const TEXT_UNITS = 10_000;

const LEVELS: Readonly<Record<string, ConsoleLevel>> = {
  debug: 'debug',
  verbose: 'debug',
  warning: 'warning',
  error: 'error',
  assert: 'error',
};

type Place = Pick<ConsoleMessage, 'url' | 'line' | 'column' | 'stack'>;

/** The protocol counts lines and columns from 0, people from 1. */
function placeOf(
  stackTrace: StackTrace | undefined,
  at: { url?: string | undefined; line?: number | undefined; column?: number | undefined } = {},
): Place {
  const frames = stackTrace?.callFrames ?? [];
  const [top] = frames;
  const url = at.url ?? top?.url ?? '';
  const line = at.line ?? top?.lineNumber;
  const column = at.column ?? (at.line === undefined ? top?.columnNumber : undefined);
  return {
    url: url === '' ? null : cutUrl(url, URL_UNITS),
    line: line === undefined ? null : line + 1,
    column: column === undefined ? null : column + 1,
    stack: frames.slice(0, STACK_FRAMES).map((frame) => {
      const place = `${cutUrl(frame.url, URL_UNITS)}:${frame.lineNumber + 1}:${frame.columnNumber + 1}`;
      return frame.functionName === '' ? place : `${cutText(frame.functionName, 200)} (${place})`;
    }),
  };
}

/** What a call of the console adds to its text. */
const PREFIX: Readonly<Record<string, string>> = { assert: 'Assertion failed', trace: 'Trace' };

/** The message of a `console` call. `depth` is the number of groups that are open. */
export function consoleMessage(call: ConsoleCall, insides: Insides, depth: number): ConsoleMessage {
  const detail = call.type === 'clear' ? 'The console was cleared.' : renderArguments(call.args, insides);
  const prefix = PREFIX[call.type];
  // What the browser says itself when nothing was given: `console.assert`, `console.trace`.
  const text =
    prefix === undefined
      ? detail
      : /^console\.\w+$/.test(detail) || detail === ''
        ? prefix
        : `${prefix}: ${detail}`;
  return {
    at_ms: call.timestamp,
    level: LEVELS[call.type] ?? 'info',
    text: '  '.repeat(Math.min(depth, 20)) + text,
    source: 'console',
    ...placeOf(call.stackTrace),
  };
}

/** The message of an uncaught exception. */
export function exceptionMessage(
  { timestamp, exceptionDetails: details }: ExceptionThrown,
  insides: Insides,
): ConsoleMessage {
  const { text, exception, url, lineNumber, columnNumber, stackTrace } = details;
  // The stack is in the description of an error, and next to it.
  const detail =
    exception === undefined ? '' : renderValue(exception, insides).replace(/\n\s+at [\s\S]*$/, '');
  return {
    at_ms: timestamp,
    level: 'error',
    text: cutText(detail === '' ? text : `${text} ${detail}`, TEXT_UNITS),
    source: 'exception',
    ...placeOf(stackTrace, { url, line: lineNumber, column: columnNumber }),
  };
}

/** What the browser itself says: of a request that failed, a policy, something deprecated. */
export function logMessage({ entry }: LogEntry): ConsoleMessage {
  return {
    at_ms: entry.timestamp,
    level: LEVELS[entry.level] ?? 'info',
    text: cutText(entry.text, TEXT_UNITS),
    source: entry.source,
    ...placeOf(entry.stackTrace, { url: entry.url, line: entry.lineNumber }),
  };
}
