import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, Gesture, Point } from '../../page/act/protocol.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import type { Held, Watch } from './act-page.ts';
import { awaitDelivery, type Arrived, type Delivered, type Delivery } from './delivery.ts';
import type { ForeignFrames } from './foreign-frames.ts';
import type { SendInput } from './send-input.ts';
import type { Spot, Spots } from './spots.ts';

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
