import { SpillwayError } from '../../../shared/base/errors.ts';
import { valueText } from '../../../shared/act/step-words.ts';
import type { Step } from '../../../shared/act/steps.ts';
import type { TypedInto } from '../page/protocol.ts';
import { unlessReplaced } from '../../core/pages/targets.ts';
import type { Held } from './act-page.ts';
import type { Acting, Settled, Typed } from './acting.ts';
import { outcomesIn, stepIn } from './step-in-page.ts';

/** A step among the units of its act. */
export interface StepUse extends Omit<Typed, 'held' | 'text'> {
  /** Index of the first of the consecutive fills that end with this step. */
  readonly since: number;
  /** Keys without a target follow. */
  readonly isForKeys: boolean;
}

const inPage = (typed: readonly Typed[]): readonly TypedInto[] =>
  typed.map(({ held, text, isSecret }) => ({ held: held.facts.held, text, isSecret }));

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
  if (!isFilled && (step.do !== 'type' || valueText(step).endsWith('\n'))) return null;
  const others = acting.typed.filter(
    ({ index, held: { page, facts } }) =>
      index >= since && page.documentId === held.page.documentId && facts.line !== held.facts.line,
  );
  const typed = isFilled ? inPage(others) : [];
  return unlessReplaced(acting, () => stepIn(acting, held, { kind: 'answer', isForKeys, typed }));
}

/** Leaves the fields that were typed into. Returns those whose displayed text the page has changed since. */
export async function leaveFields(acting: Acting, refocuses: boolean): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  acting.leaveTyped = null;
  // A choice made since may have loaded another page.
  const all = acting.typed.splice(0).filter(({ held }) => !held.page.isGone);
  for (const id of new Set(all.map(({ held }) => held.page.documentId))) {
    const typed = all.filter(({ held }) => held.page.documentId === id);
    const [first] = typed;
    if (first === undefined) continue;
    const step = { kind: 'leave', typed: inPage(typed), refocuses } as const;
    for (const [at, outcome] of (await outcomesIn(acting, first.held, step, { typed })).entries()) {
      const index = typed[at]?.index;
      if (index === undefined || outcome === null) continue;
      const isNote = typeof outcome === 'string';
      settled.push([index, isNote ? outcome : new SpillwayError(outcome.code, outcome.message)]);
    }
  }
  return settled.sort(([a], [b]) => a - b);
}

/**
 * Remembers that a text was typed into a field, and how to leave it before the end.
 * @param since the first unit whose fields still count
 */
export function noteTyped(acting: Acting, typed: Typed, since = 0): void {
  acting.typed = [...acting.typed.filter(({ index }) => index >= since), typed];
  acting.leaveTyped = async () => {
    const settled = await leaveFields(acting, false);
    acting.left.push(...settled);
    const dropped = settled.map(([, outcome]) => outcome).find((outcome) => typeof outcome !== 'string');
    if (dropped !== undefined) throw dropped;
  };
}
