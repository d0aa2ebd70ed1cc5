import { valueText } from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { lettersOf } from '../../page/act/protocol.ts';
import type { PageAnswers } from '../../ports/page-answers.ts';
import { unlessReplaced } from '../pages/targets.ts';
import type { Held } from './act-page.ts';
import { notTaken, quote, takesPress, valueOf, type Acting, type Typed } from './acting.ts';

/** How long the list that a field filters may take to change. Most pages wait 100 to 300 ms for the next key. */
const ANSWER_MS = 500;
/** A page handles an answer of its server within this time. */
const HANDLED_MS = 50;

export const othersOf = (
  { signal }: Acting,
  { page, facts }: Held,
  texts: readonly string[],
): Promise<PageAnswers['others']> => page.ask({ do: 'others', held: facts.held, texts }, signal);

/** Whether a control shows a text apart from its field: Enter may make a choice of it. */
export const hasMade = async (acting: Acting, held: Held, text: string): Promise<boolean> =>
  (await othersOf(acting, held, [text])).shown.length > 0;

/** A step among the units of its act. */
export interface StepUse extends Omit<Typed, 'held' | 'text'> {
  /** Index of the first of the consecutive fills that end with this step. */
  readonly since: number;
  /** Keys without a target follow. */
  readonly isForKeys: boolean;
}

/**
 * Waits for what the text of a step leads to, and compares the fields that the steps right before it have filled.
 * @returns a note if it is unknown
 * @throws SpillwayError `value_not_taken` for a field that the page has emptied since it was left
 */
export async function afterText(
  acting: Acting,
  held: Held,
  step: Step,
  { since, isForKeys }: StepUse,
): Promise<string | null> {
  const { kind } = held.facts;
  const isFilled = step.do === 'fill' && (kind === 'text' || kind === 'editor');
  if (isFilled) await expectKept(acting, held, since);
  const isTyped = step.do === 'type' && !valueText(step).endsWith('\n');
  return isFilled || isTyped ? awaitAnswer(acting, held, isForKeys) : null;
}

async function expectKept(acting: Acting, held: Held, since: number): Promise<void> {
  for (const { index, held: other, text } of acting.typed) {
    if (index < since || other.page.isGone || other.facts.line === held.facts.line) continue;
    const { value, isSecret } = await valueOf(acting, other);
    const isDropped = !isSecret && lettersOf(value) === '' && lettersOf(text) !== '';
    if (isDropped && !(await hasMade(acting, other, text)))
      throw notTaken(other, `: typed, not taken; it shows ${quote(value)}`);
  }
}

/** The same for the list that a field filters: the next key may choose from it. */
export async function awaitAnswer(acting: Acting, held: Held, isForKeys: boolean): Promise<string | null> {
  const { traffic, signal } = acting;
  const look = async (): Promise<PageAnswers['answered']> => {
    const answer = await held.page.ask({ do: 'answered', held: held.facts.held }, signal);
    // A page that asks its server shows that it is loading before it shows the list.
    const isIdle = traffic.pending.length === 0 && performance.now() - traffic.changedAt >= HANDLED_MS;
    return { ...answer, hasAnswered: answer.hasAnswered && isIdle };
  };
  const isKnown = await unlessReplaced(acting, async () => {
    const { filters, hasAnswered } = await look();
    if (hasAnswered || filters === 'no' || (filters === 'perhaps' && !isForKeys)) return true;
    const isAnswered = async (): Promise<boolean> => (await look()).hasAnswered;
    return (await takesPress(acting, isAnswered, ANSWER_MS)) || filters === 'perhaps';
  });
  return isKnown === false ? `no visible change of a list within ${ANSWER_MS} ms` : null;
}
