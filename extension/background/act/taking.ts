import { delay } from '../../../shared/async.ts';
import { toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { FieldState } from '../../ports/page-answers.ts';
import type { Held } from './act-page.ts';
import type { Acting } from './acting.ts';

const LOOK_MS = 30;
const TAKEN_MS = 1_000;
/** The same while requests are pending. */
const MOST_MS = 5_000;

/** Polls until the page has taken a press, or offers what is to be set. False at the end of the time. */
export async function takesPress(
  { traffic, signal }: Acting,
  hasTaken: () => Promise<boolean>,
): Promise<boolean> {
  const pressedAt = performance.now();
  for (let until = pressedAt + TAKEN_MS; ;) {
    if (await hasTaken()) return true;
    const now = performance.now();
    // The page handles an answer after its arrival.
    if (traffic.pending.length > 0) until = Math.min(now + TAKEN_MS, pressedAt + MOST_MS);
    if (now >= until) return false;
    await delay(LOOK_MS, signal);
  }
}

/** Options may be on their way, or be enabled by a choice made before. */
const COMING: ReadonlySet<ErrorCode> = new Set(['option_not_found', 'target_disabled']);

/** Sets a control's value as a whole. @throws SpillwayError the page's, at the end of the time */
export async function setWhole(acting: Acting, held: Held, values: readonly string[]): Promise<FieldState> {
  const { waitMs, signal } = acting;
  const ask = { do: 'set', held: held.facts.held, values, waitMs } as const;
  const states: FieldState[] = [];
  let missing: unknown;
  await takesPress(acting, async () => {
    acting.hasBegun = true;
    try {
      states.push(await held.page.ask(ask, signal));
    } catch (thrown) {
      if (!COMING.has(toSpillwayError(thrown).code)) throw thrown;
      missing = thrown;
      acting.hasBegun = false;
    }
    return states.length > 0;
  });
  const [state] = states;
  if (state === undefined) throw missing;
  return state;
}
