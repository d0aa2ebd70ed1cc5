import { waitAtMost, delay } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Point, Witnessed } from '../../ports/page-answers.ts';
import type { Gesture } from '../../page/act/protocol.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { Watch, ActPage, Held } from './act-page.ts';
import { leaseOf, type Acting } from './acting.ts';
import type { Devices } from './gate.ts';

/** After the browser has acknowledged the input, the page's report is on its way. */
const REPORT_MS = 1_000;
/** The same for the click that a release makes. */
const CLICK_MS = 200;
/** Interval between checks for it. */
const LOOK_MS = 50;
/** A page with a slow handler acknowledges late; a hanging one never does. */
const ACKNOWLEDGE_MS = 8_000;

type Arrived = Extract<Witnessed, { ok: true }>;

/** The outcome of a gesture: the element that it would have hit by mistake, or a note on its arrival. */
export type Delivered = { readonly hit: string } | { readonly note: string | null };
const ARRIVED: Delivered = { note: null };

interface Sent {
  /** The input: each event is acknowledged once the page's handlers have run. */
  readonly sent: readonly Promise<unknown>[];
  readonly isDone: (arrived: Arrived) => boolean;
}

interface Progress {
  last: Arrived | null;
  /** The browser's answer to the input; null until it comes. */
  results: readonly PromiseSettledResult<unknown>[] | null;
}

/**
 * Waits for the page's reports of a gesture.
 * @throws SpillwayError `not_delivered` if the browser has acknowledged the input but the page has not seen
 *   it
 */
export async function witness(
  acting: Acting,
  held: Held,
  watch: Watch,
  { sent, isDone }: Sent,
): Promise<Delivered> {
  const { signal } = acting;
  const seen: Progress = { last: null, results: null };
  const acknowledged = Promise.allSettled(sent).then((results) => void (seen.results = results));
  const until = performance.now() + ACKNOWLEDGE_MS;
  for (;;) {
    const isLast = seen.results !== null;
    const waitMs = !isLast ? LOOK_MS : seen.last?.at === 'released' ? CLICK_MS : REPORT_MS;
    const witnessed = await watch
      .next(waitMs, signal)
      .catch((thrown: unknown) => leftOrThrow(thrown, seen.last, acting));
    if (witnessed === 'left') return ARRIVED;
    if (witnessed !== null) {
      if (!witnessed.ok) {
        // Frames receive the rest of a gesture while it is in progress.
        await waitAtMost(acknowledged, REPORT_MS);
        return { hit: witnessed.hit };
      }
      if (isDone(witnessed)) return ARRIVED;
      seen.last = witnessed;
    } else if (isLast || performance.now() >= until) {
      const end = await endOf(seen, held, watch, isDone, signal).catch((thrown: unknown) =>
        leftOrThrow(thrown, seen.last, acting),
      );
      if (end === null) throw notDelivered(held.facts.line, seen);
      return end === 'left' ? ARRIVED : end;
    }
  }
}

/** If a gesture had begun to arrive when the page went away, it succeeded. @throws any other error unchanged */
async function leftOrThrow(error: unknown, last: Arrived | null, { tabId, signal }: Acting): Promise<'left'> {
  const lost = toSpillwayError(error);
  if (last === null || signal.aborted || lost.code !== 'page_changed') throw error;
  if (last.at === 'clicked' || last.at === 'dropped') return 'left';
  // If a press made the tab leave the page, the page has received it. A crashed page may not have.
  const why = await explainLost(lost, tabId);
  if (why.code === 'page_changed') return 'left';
  throw why;
}

const failureOf = (results: Progress['results']): PromiseRejectedResult | undefined =>
  results?.find((result) => result.status === 'rejected');

/** The result of a gesture that is no longer reported, as {@link witness} returns it; null for a failure. */
async function endOf(
  seen: Progress,
  { page, facts: { held } }: Held,
  watch: Watch,
  isDone: Sent['isDone'],
  signal: AbortSignal,
): Promise<Delivered | null> {
  const { results } = seen;
  const isTaken = results !== null && failureOf(results) === undefined;
  if (seen.last === null && !isTaken) return null;
  const { isPresent, isResized } = await page.ask({ do: 'present', held }, signal);
  // The page's earlier reports have arrived by now.
  for (let late = await watch.next(0, signal); late !== null; late = await watch.next(0, signal)) {
    if (!late.ok) return { hit: late.hit };
    if (isDone(late)) return ARRIVED;
    seen.last = late;
  }
  const { last } = seen;
  if (last === null) return isResized ? { hit: 'the page at its previous size' } : null;
  // The element was removed after the button was released on it, so no click follows.
  if (last.at === 'released' && !isPresent) return ARRIVED;
  if (!isTaken) return null;
  if (last.at === 'released') return { note: 'pressed and released, but no click came of it' };
  return last.at === 'pressed' ? { note: 'pressed, but the page got no release' } : null;
}

function notDelivered(line: string, { last, results }: Progress): SpillwayError {
  const failed = failureOf(results);
  const why = failed === undefined ? '' : ` ${toSpillwayError(failed.reason).message}`;
  const how = last === null ? 'did not receive the input' : 'received only the beginning of the input';
  if (results === null)
    return new SpillwayError('page_unresponsive', `${line} ${how} within ${ACKNOWLEDGE_MS} ms.`);
  return new SpillwayError('not_delivered', `${line} ${how}.${why}`);
}

/** A point in the viewport that a session of the debugger draws. */
export interface Spot {
  readonly session: string | null;
  readonly point: Point;
  /** The same point in the viewport of the tab. */
  readonly inTab: Point;
}

/**
 * Where to send input for a point of a document: to the session that draws it, at the point in that session.
 * The outer frames are asked too, since something may cover them.
 */
async function spotOf(
  { frames, attached, waitMs, signal }: Acting,
  { page, facts }: Held,
  { point: seen, view, path: own }: Watch['answer'],
): Promise<Spot> {
  const point = { x: seen.x - view.x, y: seen.y - view.y };
  if (page.frameId === 0 || attached === null) return { session: null, point, inTab: point };
  const session = await attached.frames.of(page.scriptId);
  let spot = { session, point };
  let isSameDrawing = true;
  let scale = 1;
  let [inner, at, path] = [page, point, own];
  for (;;) {
    const parentId = await frames.parentOf(inner.frameId);
    // The browser multiplies points of a frame's session by the scale of a pinch, which the frame does not have.
    if (parentId === null)
      return { ...spot, point: { x: spot.point.x / scale, y: spot.point.y / scale }, inTab: at };
    const parent = await frames.page(signal, parentId);
    const index = path.at(-1) ?? -1;
    const outer = await parent.change(
      { do: 'frame_point', index, point: at, name: facts.line, waitMs },
      signal,
    );
    [inner, at, path] = [parent, outer.point, outer.path];
    isSameDrawing &&= (await attached.frames.of(parent.scriptId)) === session;
    if (isSameDrawing) spot = { session, point: at };
    else scale = outer.scale;
  }
}

/** The session that the keys for a document go to. */
export async function sessionOf({ attached }: Acting, page: ActPage): Promise<string | null> {
  return page.frameId === 0 || attached === null ? null : attached.frames.of(page.scriptId);
}

const ATTEMPTS = 4;

const WHAT: Readonly<Record<Gesture, string>> = {
  press: 'The press on',
  hover: 'The pointer over',
  grab: 'The press on',
  drop: 'What was dragged to',
};

interface Aim {
  readonly gesture: Gesture;
  readonly position?: Point | null | undefined;
  readonly opens?: boolean;
  /** For a drop: the page's point that it was carried to. */
  readonly at?: () => Point | null;
  readonly attempts?: number;
}

/**
 * Aims until a gesture arrives at its target; if the page moves meanwhile, the gesture is kept from other elements.
 * @param act returns null if it has to aim again
 * @returns a note on its arrival
 */
export async function aimed(
  acting: Acting,
  held: Held,
  { gesture, position: given, opens = false, at, attempts = ATTEMPTS }: Aim,
  act: (spot: Spot, watch: Watch, devices: Devices) => Promise<Delivered | null>,
): Promise<string | null> {
  const { gate, signal, shower } = acting;
  const position = given ?? held.facts.point ?? null;
  const isBound = held.askAgain !== undefined;
  const isPoint = position === held.facts.point && (gesture === 'press' || gesture === 'grab');
  const aim = async <T>(work: (spot: Spot, watch: Watch) => Promise<T>): Promise<T> => {
    const how = { gesture, position, opens, at: at?.() ?? null, isBound };
    const ask = (ms: number): Promise<Watch> =>
      held.page.aim({ held: held.facts.held, ...how, waitMs: ms }, signal);
    const watch = await (gesture === 'drop' ? ask(acting.waitMs) : uncover(acting, ask));
    try {
      return await work(await spotOf(acting, held, watch.answer), watch);
    } finally {
      watch.close();
    }
  };
  if (shower.isOn) await aim(({ inTab }) => shower.show(held, inTab));
  let hit = 'something else';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const delivered = await aim(async (spot, watch) => {
      const what = `${WHAT[gesture]} ${held.facts.line}`;
      const within = watch.answer.isOwn ? held.page : null;
      const sending = { what, isWitnessed: true, within };
      const { receiver } = held.page;
      const done = await gate.send(receiver, sending, (devices) => act(spot, watch, devices));
      if (done === null || 'hit' in done) await expectSame(held, signal);
      return done;
    });
    if (delivered !== null && 'note' in delivered) return delivered.note;
    if (isPoint && delivered !== null) throw otherAt(held, delivered.hit);
    hit = delivered?.hit ?? hit;
  }
  throw new SpillwayError(
    'target_covered',
    `${held.facts.line} moves away from input: ${hit} was there instead.`,
  );
}

/** Aims. If the target is covered, leaves the fields that were typed into, and aims again. */
function uncover<T>({ leaveTyped, waitMs, signal }: Acting, aim: (waitMs: number) => Promise<T>): Promise<T> {
  if (leaveTyped === null) return aim(waitMs);
  return aim(0).catch(async (thrown: unknown) => {
    signal.throwIfAborted();
    if (toSpillwayError(thrown).code === 'target_covered') await leaveTyped();
    return aim(waitMs);
  });
}

/** A point of the page means what is there now: pages draw some things only under the pointer. */
const otherAt = ({ facts }: Held, hit: string): SpillwayError =>
  new SpillwayError('stale_ref', `${facts.line} is no longer at the point: ${hit} is there.`);

/** A person has approved the effect that an element had at that time. @throws SpillwayError as `Held.askAgain` */
async function expectSame({ page, facts: { held }, askAgain }: Held, signal: AbortSignal): Promise<void> {
  if (askAgain === undefined) return;
  const { isRedirected } = await page.ask({ do: 'present', held }, signal);
  if (isRedirected) await askAgain();
}

export interface Press {
  readonly button?: 'left' | 'right';
  readonly count?: 1 | 2;
  /** Bits as in `Device`. */
  readonly modifiers?: number;
  readonly position?: Point | null;
  /** By touch instead of the mouse. */
  readonly isTouch?: boolean;
  /** How long it stays pressed, in milliseconds. */
  readonly hold?: number;
  /** It opens a list, whose options later steps may name. */
  readonly opens?: boolean;
}

/**
 * Presses and releases a button on an element: like a person, if the debugger is attached.
 * @returns a note on its arrival
 * @throws SpillwayError the obstacle to input (see `whenReachable`), `not_delivered` if nothing arrived
 */
export async function click(acting: Acting, held: Held, press: Press = {}): Promise<string | null> {
  if (acting.attached === null) return clickByScript(acting, held, press);
  const { button = 'left', count = 1, modifiers = 0, position = null, isTouch = false, hold = 0 } = press;
  // A right button opens a menu as it goes down, and gives no click; pages may interpret a long press differently.
  const endsReleased = button === 'right' || hold > 0;
  const aim = { gesture: 'press', position, opens: press.opens === true } as const;
  return aimed(acting, held, aim, async ({ session, point }, watch, devices) => {
    let clicks = 0;
    const isDone: Sent['isDone'] = ({ at }) => {
      if (at === 'clicked') clicks += 1;
      return endsReleased ? at === 'released' : clicks === count;
    };
    const sent: Promise<unknown>[] = [];
    const device = devices(session);
    if (isTouch) {
      sent.push(device.touch('start', [point], modifiers));
      if (hold > 0) await keepDown(sent, hold, acting.signal);
      sent.push(device.touch('end', [], modifiers));
    } else {
      sent.push(device.move(point, modifiers));
      for (let clickCount = 1; clickCount <= count; clickCount += 1) {
        const how = { button, clickCount, modifiers };
        sent.push(device.press(point, how));
        if (hold > 0) await keepDown(sent, hold, acting.signal);
        sent.push(device.release(point, how));
      }
    }
    return witness(acting, held, watch, { sent, isDone });
  });
}

function clickByScript(
  acting: Acting,
  held: Held,
  { button, count, modifiers = 0, position = null, isTouch = false, hold = 0, opens = false }: Press,
): Promise<string | null> {
  if (isTouch || hold > 0) leaseOf(acting, isTouch ? 'tap' : 'click for a time');
  if (modifiers > 0) leaseOf(acting, 'click with a modifier');
  const kind = button === 'right' ? 'right_click' : count === 2 ? 'double_click' : 'click';
  return byScript(acting, held, kind, { position, opens });
}

/** Waits while a press lasts, from its arrival on: a busy browser delivers it late, and the release perhaps at once. */
async function keepDown(sent: Promise<unknown>[], holdMs: number, signal: AbortSignal): Promise<void> {
  await waitAtMost(Promise.allSettled(sent), ACKNOWLEDGE_MS, signal);
  await delay(holdMs, signal);
}

/**
 * Moves onto an element.
 * @param turn sends the input that follows there
 * @throws SpillwayError as {@link click}
 */
export async function hover(
  acting: Acting,
  held: Held,
  { position = null, modifiers = 0 }: Pick<Press, 'position' | 'modifiers'>,
  turn?: (spot: Spot, devices: Devices) => Promise<unknown>,
): Promise<null> {
  if (modifiers > 0) leaseOf(acting, 'hover with a modifier');
  if (acting.attached === null) return byScript(acting, held, 'hover', { position });
  await aimed(acting, held, { gesture: 'hover', position }, async (spot, watch, devices) => {
    const { session, point } = spot;
    // From a different point, or the browser ignores the movement.
    const from = { x: point.x - 1, y: point.y - 1 };
    const device = devices(session);
    const sent = [from, point].map((at) => device.move(at, modifiers));
    const delivered = await witness(acting, held, watch, { sent, isDone: ({ at }) => at === 'moved' });
    if ('note' in delivered) await turn?.(spot, devices);
    return delivered;
  });
  return null;
}

/**
 * Events from a script, for tabs to which the debugger cannot attach. Pages can distinguish them from a
 * person's, and drags have no default action, so those are refused.
 */
async function byScript(
  acting: Acting,
  { page, facts: { held } }: Held,
  script: 'click' | 'double_click' | 'right_click' | 'hover',
  aim: { readonly position: Point | null; readonly opens?: boolean },
): Promise<null> {
  const gesture = script === 'hover' ? 'hover' : 'press';
  // A person could not have pressed it under a cover either.
  const how = { do: 'aim', held, gesture, ...aim, script, isBound: false } as const;
  await uncover(acting, (waitMs) => page.change({ ...how, waitMs }, acting.signal));
  return null;
}
