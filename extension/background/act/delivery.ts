import { waitAtMost } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, Witnessed } from '../../page/act/protocol.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { Watch } from './act-page.ts';

/** After the browser has acknowledged the input, the page's report is on its way. */
const REPORT_MS = 1_000;
/** The same for the click that a release makes. */
const CLICK_MS = 200;
/** Between two looks whether it has. */
const LOOK_MS = 50;
/** A page whose handler computes acknowledges later; one that hangs does not. */
const ACKNOWLEDGE_MS = 8_000;

export type Arrived = Extract<Witnessed, { ok: true }>;

/** The outcome of a gesture: the element that it would have hit by mistake, or a note on how it arrived. */
export type Delivered = { readonly hit: string } | { readonly note: string | null };
const ARRIVED: Delivered = { note: null };

export interface Delivery {
  /** Names the element in messages. */
  readonly line: string;
  /** The input that was sent: each is acknowledged once the page's handlers have run. */
  readonly sent: readonly Promise<unknown>[];
  /** Whether this was the last event of the gesture. */
  readonly isDone: (arrived: Arrived) => boolean;
  /** Asks whether the element is still there and whether the page was resized. */
  readonly look: () => Promise<ActAnswers['present']>;
  readonly tabId: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for what the page witnesses of a gesture.
 *
 * @throws SpillwayError `not_delivered` when the browser has acknowledged the input and the page has not seen
 * it
 */
export async function awaitDelivery(watch: Watch<'aim'>, delivery: Delivery): Promise<Delivered> {
  const acknowledged = Promise.allSettled(delivery.sent);
  let results: readonly PromiseSettledResult<unknown>[] | null = null;
  void acknowledged.then((settled) => (results = settled));
  const until = performance.now() + ACKNOWLEDGE_MS;
  for (let last: Arrived | null = null; ;) {
    const isLast = results !== null;
    const waitMs = !isLast ? LOOK_MS : last?.at === 'released' ? CLICK_MS : REPORT_MS;
    const witnessed = await nextOf(watch, { ...delivery, waitMs, last });
    if (witnessed === 'left') return ARRIVED;
    if (witnessed !== null) {
      if (!witnessed.ok) {
        // Frames hear of the rest of the gesture as long as it is underway.
        await waitAtMost(acknowledged, REPORT_MS);
        return { hit: witnessed.hit };
      }
      if (delivery.isDone(witnessed)) return ARRIVED;
      last = witnessed;
    } else if (isLast || performance.now() >= until) {
      const end = await endOf(watch, delivery, { last, results });
      if (end !== null) return end;
      throw notDelivered(delivery, { last, results });
    }
  }
}

interface Ended {
  readonly last: Arrived | null;
  /** The browser's answer to the input; null before it comes. */
  readonly results: readonly PromiseSettledResult<unknown>[] | null;
}

const failureOf = (results: Ended['results']): PromiseRejectedResult | undefined =>
  results?.find((result) => result.status === 'rejected');

/** The result of a gesture that is no longer reported, as {@link awaitDelivery} returns it; null for a failure. */
async function endOf(
  watch: Watch<'aim'>,
  { look, isDone, signal }: Delivery,
  { last, results }: Ended,
): Promise<Delivered | null> {
  const isTaken = results !== null && failureOf(results) === undefined;
  if (last === null)
    return isTaken && (await look()).isResized ? { hit: 'the page at its previous size' } : null;
  // The page's reports from before its answer have arrived by now.
  const { isPresent } = await look();
  const late = await watch.next(0, signal);
  if (late?.ok === true && isDone(late)) return ARRIVED;
  // The element was removed after the button was released on it, so no click follows.
  if (last.at === 'released' && !isPresent) return ARRIVED;
  if (!isTaken) return null;
  if (last.at === 'released') return { note: 'pressed and released, but no click came of it' };
  return last.at === 'pressed' ? { note: 'pressed, but the page got no release' } : null;
}

interface NextOptions extends Pick<Delivery, 'signal' | 'tabId'> {
  readonly waitMs: number;
  readonly last: Arrived | null;
}

/** The next report; `left` when the gesture had begun to arrive and the page then went away. */
async function nextOf(
  watch: Watch<'aim'>,
  { waitMs, last, signal, tabId }: NextOptions,
): Promise<Witnessed | 'left' | null> {
  try {
    return await watch.next(waitMs, signal);
  } catch (thrown) {
    const lost = toSpillwayError(thrown);
    if (last === null || signal.aborted || lost.code !== 'page_changed') throw thrown;
    if (last.at === 'clicked' || last.at === 'dropped') return 'left';
    // A page that was left because of a press has received the press. One that crashed may not have.
    const why = await explainLost(lost, tabId);
    if (why.code === 'page_changed') return 'left';
    throw why;
  }
}

function notDelivered({ line }: Delivery, { last, results }: Ended): SpillwayError {
  const failed = failureOf(results);
  const why = failed === undefined ? '' : ` ${toSpillwayError(failed.reason).message}`;
  const how = last === null ? 'did not receive the input' : 'received only the beginning of the input';
  if (results === null)
    return new SpillwayError('page_unresponsive', `${line} ${how} within ${ACKNOWLEDGE_MS} ms.`);
  return new SpillwayError('not_delivered', `${line} ${how}.${why}`);
}
