import { resolve } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { systemClock } from '../core/clock.ts';
import { FilePauses } from '../human/file-pauses.ts';
import { HumanInput } from '../human/human-input.ts';
import { MemoryPauses } from '../human/store.ts';
import { createRedactor } from '../redact/index.ts';
import { atCaller } from './caller-error.ts';

const DAY_MS = 24 * 60 * 60_000;

const OptionsSchema = z.strictObject({
  expiresAfterMs: z
    .number()
    .int()
    .min(1)
    .max(365 * DAY_MS)
    .default(DAY_MS),
  home: z.string().min(1).optional(),
});

/** Options of {@link createHumanInput}. */
export interface HumanInputOptions {
  /** Milliseconds in which a question can be answered, at most a year. Default: a day. */
  readonly expiresAfterMs?: number | undefined;
  /**
   * Folder in which questions outlive the program: the next one that has it continues their tasks. Default: they are in
   * memory.
   */
  readonly home?: string | undefined;
}

/**
 * What pauses tasks until people have answered: the key that signs their messages, and which questions are open. One
 * is enough for a program.
 * @throws SpillwayError `invalid_argument` for an option that does not fit
 */
export function createHumanInput(options: HumanInputOptions = {}): HumanInput {
  const { data, error } = OptionsSchema.safeParse(options);
  if (data === undefined) {
    const [issue] = error.issues;
    const problem = `${issue?.path.map(String).join('.') || 'options'}: ${issue?.message ?? 'is invalid'}`;
    throw atCaller(
      new SpillwayError('invalid_argument', `createHumanInput: ${problem}.`, {
        hint: 'Correct the named option.',
      }),
      createHumanInput,
    );
  }
  return new HumanInput({
    store: data.home === undefined ? new MemoryPauses() : new FilePauses(resolve(data.home), systemClock),
    redactor: createRedactor({ enabled: true }),
    clock: systemClock,
    expiresAfterMs: data.expiresAfterMs,
  });
}

let shared: HumanInput | null = null;

/** That of programs which make none of their own. */
export const sharedHumanInput = (): HumanInput => (shared ??= createHumanInput());
