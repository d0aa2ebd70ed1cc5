import type { PageStep } from '../../page/act/protocol.ts';
import type { Held } from './act-page.ts';
import { focus, type Acting } from './acting.ts';
import { pressKeys } from './keyboard.ts';

/** Does a step in the page of its element, and gives what it wants. @returns a note on its outcome */
export async function stepIn(acting: Acting, held: Held, step: PageStep): Promise<string | null> {
  const { page, facts } = held;
  const { waitMs, signal } = acting;
  // A recording shows the element in view.
  if (acting.shower.isOn) await focus(acting, held);
  const ask = { held: facts.held, step, waitMs };
  return (await page.step(ask, ({ keys }) => pressKeys(acting, page, keys), signal)).note;
}
