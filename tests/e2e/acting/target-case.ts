import type { ErrorCode } from '../../../shared/errors.ts';

/** What a page does to a step, and what has to come of it. */
interface TargetCase {
  readonly page: string;
  readonly steps: readonly string[];
  /** The error; none when the step has to work. */
  readonly code?: ErrorCode;
  /** What the answer says. */
  readonly says?: RegExp;
  /** What the page has to show afterwards. What no case names is that nothing else was pressed. */
  readonly shows?: string;
}

export type TargetCases = Readonly<Record<string, TargetCase>>;

export const SAVE = '<button id=save>Save</button>';
export const click = ['click css=#save'];
