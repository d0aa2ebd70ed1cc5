import { entry, type ErrorEntry } from './error-entry.ts';

/** Codes of programs, a part of the table of `shared/errors.ts`. */
export const PROGRAM_ERRORS = {
  program_invalid: entry('caller', false, 'Correct the line that the message quotes, and call script again.'),
  program_failed: entry(
    'caller',
    false,
    'Correct the line that the message quotes, and call script again. What the program did before is done.',
  ),
  program_limit: entry(
    'caller',
    false,
    'Let the program do less between two awaits, and keep less: emit items, and read stored outputs with items(handle).',
  ),
  program_diverged: entry(
    'caller',
    false,
    'A program is resumed with the code that it was started with. Call script again; its items stay readable.',
  ),
  program_record_unknown: entry(
    'caller',
    false,
    'Resume the run with the version of Spillway that started it, or call script again.',
  ),
  outcome_unknown: entry(
    'spillway',
    false,
    'Look whether it was done. Then resume the run with outcome "skip", or with "retry" to make the call again.',
  ),
} as const satisfies Record<string, ErrorEntry>;
