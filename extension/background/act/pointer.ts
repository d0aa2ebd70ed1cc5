import { waitAtMost, delay } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, Witnessed, Point, Gesture } from '../../page/act/protocol.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { Watch, ActPage, Held } from './act-page.ts';
import type { ActDebugger } from './act-debugger.ts';
import type { ActFrames } from './act-frames.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import type { ForeignFrames } from './foreign-frames.ts';
import type { SendInput } from './send-input.ts';

/** After the browser has acknowledged the input, the page's report is on its way. */
const REPORT_MS = 1_000;
/** The same for the click that a release makes. */
const CLICK_MS = 200;
/** Between two looks whether it has. */
const LOOK_MS = 50;
/** A page whose handler computes acknowledges later; one that hangs does not. */
const ACKNOWLEDGE_MS = 8_000;

type Arrived = Extract<Witnessed, { ok: true }>;

/** The outcome of a gesture: the element that it would have hit by mistake, or a note on how it arrived. */
export type Delivered = { readonly hit: string } | { readonly note: string | null };
const ARRIVED: Delivered = { note: null };

interface Delivery {
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
async function awaitDelivery(watch: Watch<'aim'>, delivery: Delivery): Promise<Delivered> {
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

/** A point in the viewport that a session draws. */
export interface Spot {
  readonly session: string | null;
  readonly point: Point;
}

export interface SpotsOptions {
  readonly frames: ActFrames;
  readonly debugger: ActDebugger;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Finds the session of the debugger that input for a document goes to. */
export class Spots {
  readonly #options: SpotsOptions;
  /** What our scripts are called, by their documents. */
  readonly #scripts = new Map<string, string>();

  constructor(options: SpotsOptions) {
    this.#options = options;
  }

  /**
   * Where input has to be sent for a point of a document: to the session that draws it, at the point in what
   * that session draws. The frames further out are asked too, since something may cover them.
   */
  async spotOf({ page, facts }: Held, point: Point): Promise<Spot> {
    if (page.frameId === 0) return { session: null, point };
    const { frames, debugger: attached, waitMs, signal } = this.#options;
    let mark = await this.#identify(page);
    const session = await attached.frames.of(mark.scriptId);
    let spot: Spot = { session, point };
    let isSameDrawing = true;
    let [inner, at] = [page, point];
    for (;;) {
      const parentId = await frames.parentOf(inner.frameId);
      if (parentId === null) return spot;
      const parent = await frames.page(signal, parentId);
      const index = mark.path.at(-1) ?? -1;
      const ask = { do: 'frame_point', index, point: at, name: facts.line, waitMs } as const;
      const outer = await parent.ask(ask, signal);
      [inner, at] = [parent, outer.point];
      mark = await this.#identify(parent);
      isSameDrawing &&= (await attached.frames.of(mark.scriptId)) === session;
      if (isSameDrawing) spot = { session, point: at };
    }
  }

  /** The session that the keys for a document go to. */
  async sessionOf(page: ActPage): Promise<string | null> {
    if (page.frameId === 0) return null;
    const scriptId = this.#scripts.get(page.documentId) ?? (await this.#identify(page)).scriptId;
    return this.#options.debugger.frames.of(scriptId);
  }

  async #identify(page: ActPage): Promise<ActAnswers['mark']> {
    const mark = await page.ask({ do: 'mark' }, this.#options.signal);
    this.#scripts.set(page.documentId, mark.scriptId);
    return mark;
  }
}

/** How often a press that the page moved away from is aimed again. */
const ATTEMPTS = 4;

/** What was sent to an element, in messages. */
const WHAT: Readonly<Record<Gesture, string>> = {
  press: 'The press on',
  hover: 'The pointer over',
  grab: 'The press on',
  drop: 'What was dragged to',
};

export interface Press {
  readonly button: 'left' | 'right';
  readonly count: 1 | 2;
  /** `modifiers` of CDP. */
  readonly modifiers: number;
  readonly position: Point | null;
  /** By touch instead of the mouse. */
  readonly isTouch: boolean;
  /** How long it stays pressed, in milliseconds. */
  readonly hold: number;
}

interface Aim {
  readonly gesture: Gesture;
  readonly position?: Point | null;
  /** Of a drop: where it has been carried to, as the page gave the point. */
  readonly at?: () => Point | null;
  readonly attempts?: number;
}

export interface PointerOptions {
  readonly spots: Spots;
  readonly foreign: ForeignFrames;
  readonly lease: DebuggerLease;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly send: SendInput;
}

/** The mouse: input as a person's, sent to where an element is, and proof that it arrived there. */
export class Pointer {
  readonly #options: PointerOptions;

  constructor(options: PointerOptions) {
    this.#options = options;
  }

  /**
   * Presses and releases a button on an element.
   *
   * @returns what has to be known of how that arrived
   * @throws SpillwayError what keeps input from the element (see `whenReachable`), `not_delivered` when
   * nothing arrived
   */
  press(held: Held, press: Press): Promise<string | null> {
    return this.aimed(held, { gesture: 'press', position: press.position }, async (spot, watch) => {
      const sent = await (press.isTouch ? this.#tap(spot, press) : this.#strike(spot, press));
      return this.witness(held, watch, { sent, isDone: doneAt(press) });
    });
  }

  async #strike(
    { session, point }: Spot,
    { button, count, modifiers, hold }: Press,
  ): Promise<Promise<unknown>[]> {
    const sent = [this.mouse(session, 'mouseMoved', point, { modifiers })];
    for (let clickCount = 1; clickCount <= count; clickCount += 1) {
      sent.push(this.mouse(session, 'mousePressed', point, { button, clickCount, modifiers }));
      if (hold > 0) await delay(hold, this.#options.signal);
      sent.push(this.mouse(session, 'mouseReleased', point, { button, clickCount, modifiers }));
    }
    return sent;
  }

  async #tap({ session, point }: Spot, { modifiers, hold }: Press): Promise<Promise<unknown>[]> {
    const touch = (type: string, touchPoints: readonly Point[]): Promise<unknown> =>
      this.#send(session, 'Input.dispatchTouchEvent', { type, touchPoints, modifiers });
    const start = touch('touchStart', [point]);
    if (hold > 0) await delay(hold, this.#options.signal);
    return [start, touch('touchEnd', [])];
  }

  /** Turns the wheel over an element. @throws SpillwayError as {@link press} */
  async wheel(held: Held, { x, y }: Point, position: Point | null): Promise<void> {
    await this.aimed(held, { gesture: 'hover', position }, async ({ session, point }, watch) => {
      const moved = this.#approach(session, point);
      const delivered = await this.witness(held, watch, { sent: moved, isDone: ({ at }) => at === 'moved' });
      if ('note' in delivered) await this.mouse(session, 'mouseWheel', point, { deltaX: x, deltaY: y });
      return delivered;
    });
  }

  /** From elsewhere, or the browser takes it for no movement at all. */
  #approach(session: string | null, point: Point): Promise<unknown>[] {
    const from = { x: point.x - 1, y: point.y - 1 };
    return [from, point].map((at) => this.mouse(session, 'mouseMoved', at, {}));
  }

  /** Moves onto an element. @throws SpillwayError as {@link press} */
  async hover(held: Held, position: Point | null): Promise<void> {
    await this.aimed(held, { gesture: 'hover', position }, async ({ session, point }, watch) => {
      const sent = this.#approach(session, point);
      return this.witness(held, watch, { sent, isDone: ({ at }) => at === 'moved' });
    });
  }

  /**
   * Aims until a gesture arrives where it should; a page that moves meanwhile keeps it from anything else.
   *
   * @param act returns null when it has to aim again
   * @returns what has to be known of how it arrived
   */
  async aimed(
    held: Held,
    { gesture, position = null, at, attempts = ATTEMPTS }: Aim,
    act: (spot: Spot, watch: Watch<'aim'>) => Promise<Delivered | null>,
  ): Promise<string | null> {
    const { spots, foreign, waitMs, signal } = this.#options;
    const isBound = held.askAgain !== undefined;
    let hit = 'something else';
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const watch = await held.page.watch(
        { do: 'aim', held: held.facts.held, gesture, position, at: at?.() ?? null, waitMs, isBound },
        signal,
      );
      try {
        const { point, isOwn } = watch.answer;
        const what = `${WHAT[gesture]} ${held.facts.line}`;
        const within = isOwn ? held.page : null;
        const spot = await spots.spotOf(held, point);
        const delivered = await foreign.spare({ what, isWitnessed: true, within, signal }, () =>
          act(spot, watch),
        );
        if (delivered !== null && 'note' in delivered) return delivered.note;
        await this.#expectSame(held);
        hit = delivered?.hit ?? hit;
      } finally {
        watch.close();
      }
    }
    throw new SpillwayError(
      'target_covered',
      `${held.facts.line} moves away from input: ${hit} was there instead.`,
    );
  }

  /** A person allowed what an element did when they were asked. @throws SpillwayError as `Held.askAgain` */
  async #expectSame({ page, facts: { held }, askAgain }: Held): Promise<void> {
    if (askAgain === undefined) return;
    const { isRedirected } = await page.ask({ do: 'present', held }, this.#options.signal);
    if (isRedirected) await askAgain();
  }

  /** Waits for what the page sees of a gesture. @throws SpillwayError `not_delivered` */
  witness(
    { page, facts: { line, held } }: Held,
    watch: Watch<'aim'>,
    delivery: Pick<Delivery, 'sent' | 'isDone'>,
  ): Promise<Delivered> {
    const { signal } = this.#options;
    const look = (): Promise<ActAnswers['present']> => page.ask({ do: 'present', held }, signal);
    const { tabId } = page.address;
    return awaitDelivery(watch, { ...delivery, line, look, tabId, signal });
  }

  /** Sends an event of the mouse. */
  mouse(session: string | null, type: string, { x, y }: Point, more: object): Promise<unknown> {
    return this.#send(session, 'Input.dispatchMouseEvent', { type, x, y, ...more });
  }

  #send(session: string | null, method: string, params: object): Promise<unknown> {
    const sent = this.#options.send(session, method, params);
    // Who sends several without waiting hears of the failure from the one that is awaited.
    sent.catch(() => undefined);
    return sent;
  }
}

/** The last event of a press. A right button opens a menu as it goes down, and gives no click; pages may take a long press for another thing. */
function doneAt({ button, count, hold }: Press): (witnessed: Arrived) => boolean {
  let clicks = 0;
  return ({ at }) => {
    if (at === 'clicked') clicks += 1;
    return button === 'right' || hold > 0 ? at === 'released' : clicks === count;
  };
}
