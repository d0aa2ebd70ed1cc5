import { inspect } from 'node:util';
import { SpillwayError } from '../../shared/errors.ts';

/**
 * Makes a coded error start at the caller of `door`, and print as message, hint with code, and the line
 * that called: an uncaught one shows the program's mistake, not our code. A defect of ours keeps its stack.
 */
export function atCaller(thrown: unknown, door: (...args: never[]) => unknown): unknown {
  if (!(thrown instanceof SpillwayError) || thrown.code === 'internal_error') return thrown;
  Error.captureStackTrace(thrown, door);
  const { name, message, hint, code, stack = '' } = thrown;
  const caller = stack.split('\n').find((line) => /^\s+at /.test(line));
  const lines = [`${name}: ${message}`, `  ${hint} (${code})`, ...(caller === undefined ? [] : [caller])];
  Object.defineProperty(thrown, inspect.custom, { value: () => lines.join('\n') });
  return thrown;
}
