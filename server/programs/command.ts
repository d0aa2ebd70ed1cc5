import type { Runs } from '../core/runs.ts';
import { systemClock } from '../core/services.ts';
import { SpillwayError, toSpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { ContinuePayloadSchema, UserInputSchema } from '../people/human-contract.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import { createRuns } from '../runs/index.ts';
import { keepAnswer, type ProgramAnswer } from './waiting.ts';
import { escapeControls, quiet, type CommandIo } from '../core/command-io.ts';

/** Flags of `spillway run answer`. */
export interface RunAnswerOptions {
  readonly home: string;
  readonly runId: string;
  /** A text; JSON for a form. */
  readonly answer: string;
}

/** The runs of a home, for a command that starts none. */
export const runsOf = (home: string): Runs =>
  createRuns({
    home,
    clock: systemClock,
    logger: quiet,
    journal: { record: () => undefined },
    redactor: createRedactor({ enabled: true }),
    sealer: {
      seal: () => Promise.reject(new SpillwayError('internal_error', 'A terminal does not seal runs.')),
      isThere: () => Promise.resolve(true),
    },
    feed: { run: () => undefined },
    pageBytes: 0,
    worker: () => undefined,
  });

/** Stores a person's answer for a program: a server of the home continues it, even one that starts later. */
export async function runAnswer({ home, runId, answer }: RunAnswerOptions, io: CommandIo): Promise<number> {
  const runs = runsOf(home);
  try {
    const asked = await keepAnswer(
      runs,
      runId,
      { call: null, input: { answer, where: 'a terminal' } },
      Date.now(),
    );
    const what = asked === null ? 'its next question' : `“${asked.message}”`;
    io.write(`Kept as the answer to ${escapeControls(what)}. A server of this home continues ${runId}.\n`);
    return 0;
  } catch (thrown) {
    const { message, hint, code } = toSpillwayError(thrown);
    io.write(`${escapeControls(message)}\n  ${hint} (${code})\n`);
    return 1;
  } finally {
    await runs.close();
  }
}

const Continue = ContinuePayloadSchema.pick({ toolCallId: true }).extend({ userInput: UserInputSchema });

/** @throws SpillwayError `invalid_argument` */
export function readContinue(payload: unknown): ProgramAnswer & { readonly runId: string } {
  const { data } = Continue.safeParse(payload);
  if (data === undefined) throw invalidArgument('The body takes {"toolCallId": "run_…", "userInput": …}.');
  const [runId = '', call] = data.toolCallId.split('.');
  return { runId, call: call === undefined ? null : Number(call), input: data.userInput };
}
