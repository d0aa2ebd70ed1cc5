import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from '../../../scripts/lib/run.mjs';
import type { CallAnswer } from '../call-tool.ts';

interface WidgetCall {
  readonly fields?: Record<string, unknown>;
  readonly steps?: readonly unknown[];
}

/** One call of an agent on the page of a library, and what the page's own code has to learn from it. */
export interface WidgetTask {
  readonly widget: string;
  /** Steps that prepare the page; their answer is not judged. */
  readonly before?: WidgetCall;
  readonly call: WidgetCall;
  /** Names that are not here are not compared. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The page cannot do it, and the call has to say so. */
  readonly isRefused?: boolean;
  readonly says?: string;
}

export interface Verdict {
  readonly task: WidgetTask;
  readonly isSolved: boolean;
  readonly isHonest: boolean;
  readonly text: string;
  readonly state: unknown;
}

export const tasksOf = (library: string): readonly WidgetTask[] =>
  JSON.parse(readFileSync(join(ROOT, `fixtures/widgets/tasks/${library}.json`), 'utf8')) as WidgetTask[];

/** Compares what a call claims with what the page learned. */
export function judge(
  task: WidgetTask,
  { isError, text }: Pick<CallAnswer, 'isError' | 'text'>,
  state: Readonly<Record<string, unknown>>,
): Verdict {
  const wanted = Object.entries(task.state ?? {});
  const isThere = wanted.every(([name, value]) => isDeepStrictEqual(state[name], value));
  const isShown = task.says === undefined || text.includes(task.says);
  // A receipt may say that the control shows something else than was asked for: that is neither done nor refused.
  const isOpen = isError
    ? text.includes('is unknown')
    : /typed, not chosen|: shows "|also shows "|does not show "|nothing is seen/.test(text);
  const isRight = task.isRefused === true ? isError || isOpen : !isError;
  const claimsDone = !isError && !isOpen;
  const isHonest =
    isOpen ||
    (claimsDone
      ? isThere && isShown && isRight
      : !isThere || task.isRefused === true || task.says !== undefined);
  return { task, isSolved: isThere && isRight && isShown, isHonest, text, state };
}
