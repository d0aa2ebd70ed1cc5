import { waitAtMost } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, Witnessed } from '../../page/act/protocol.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { Watch } from './act-page.ts';

/** After the browser has acknowledged the input, the page's report is on its way. */
const REPORT_MS = 1_000;
/** Between two looks whether it has. */
const LOOK_MS = 50;
/** A page whose handler computes acknowledges later; one that hangs does not. */
const ACKNOWLEDGE_MS = 8_000;

export type Arrived = Extract<Witnessed, { ok: true }>;

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
 * @returns null when it arrived, else what it would have hit
 * @throws SpillwayError `not_delivered` when the browser has acknowledged the input and the page has not seen
 * it
 */
export async function awaitDelivery(watch: Watch<'aim'>, delivery: Delivery): Promise<string | null> {
  const acknowledged = Promise.allSettled(delivery.sent);
  let isAcknowledged = false;
  void acknowledged.then(() => (isAcknowledged = true));
  const until = performance.now() + ACKNOWLEDGE_MS;
  for (let last: Arrived | null = null; ;) {
    const waitMs = isAcknowledged ? REPORT_MS : LOOK_MS;
    const witnessed = await nextOf(watch, { ...delivery, waitMs, last });
    if (witnessed === 'left') return null;
    if (witnessed !== null) {
      if (!witnessed.ok) {
        // Frames hear of the rest of the gesture as long as it is underway.
        await waitAtMost(acknowledged, REPORT_MS);
        return witnessed.hit;
      }
      if (delivery.isDone(witnessed)) return null;
      last = witnessed;
    } else if (waitMs === REPORT_MS || performance.now() >= until) {
      const end = await endOf(delivery, { last, isAcknowledged });
      if (end !== undefined) return end;
      throw await notDelivered(delivery, { last, acknowledged: isAcknowledged ? acknowledged : null });
    }
  }
}

/**
 * The result of a gesture that is no longer reported, as {@link awaitDelivery} returns it; undefined for a
 * failure.
 */
async function endOf(
  { look }: Delivery,
  { last, isAcknowledged }: { readonly last: Arrived | null; readonly isAcknowledged: boolean },
): Promise<string | null | undefined> {
  // The element was removed after the button was released on it, so no click follows.
  if (last?.at === 'released' && !(await look()).isPresent) return null;
  if (last === null && isAcknowledged && (await look()).isResized) return 'the page at its previous size';
  return undefined;
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

async function notDelivered(
  { line }: Delivery,
  {
    last,
    acknowledged,
  }: {
    readonly last: Arrived | null;
    readonly acknowledged: Promise<PromiseSettledResult<unknown>[]> | null;
  },
): Promise<SpillwayError> {
  const results = acknowledged === null ? [] : await acknowledged;
  const failed = results.find((result) => result.status === 'rejected');
  const why = failed === undefined ? '' : ` ${toSpillwayError(failed.reason).message}`;
  const how = last === null ? 'did not receive the input' : 'received only the beginning of the input';
  if (acknowledged === null)
    return new SpillwayError('page_unresponsive', `${line} ${how} within ${ACKNOWLEDGE_MS} ms.`);
  return new SpillwayError('not_delivered', `${line} ${how}.${why}`);
}
