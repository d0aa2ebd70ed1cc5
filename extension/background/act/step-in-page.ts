import { SpillwayError } from '../../../shared/errors.ts';
import type { PageStep } from '../../page/act/protocol.ts';
import type { Giving, Held } from './act-page.ts';
import { focus, type Acting } from './acting.ts';
import { insertText, pressKeys } from './keyboard.ts';
import { click } from './pointer.ts';

/** Does a step in the page of its element, and gives what it wants. @returns a note on its outcome */
export async function stepIn(acting: Acting, held: Held, step: PageStep): Promise<string | null> {
  const { page, facts } = held;
  const { waitMs, signal } = acting;
  // A recording shows the element in view.
  if (acting.shower.isOn) await focus(acting, held);
  const ask = { held: facts.held, step, waitMs };
  const give: Giving = (want) => {
    if ('key' in want) return pressKeys(acting, page, `${want.key} `.repeat(want.count).trimEnd());
    if ('insert' in want) return insertText(acting, { page, facts: want.into }, valueOf(step, want.insert));
    return click({ ...acting, waitMs: want.waitMs }, { page, facts: want.press });
  };
  return (await page.step(ask, { give, traffic: acting.traffic }, signal)).note;
}

/** A page chooses no characters: it may only want the values that the call gave for the step. */
function valueOf(step: PageStep, index: number): string {
  const value = step.kind === 'choose' ? [step.chosen].flat()[index] : undefined;
  if (value === undefined)
    throw new SpillwayError('internal_error', 'The page wants a text that the step does not have.');
  return value;
}
