import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ActAnswers, Gesture, Point } from '../../page/act/protocol.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import type { Held, Watch } from './act-page.ts';
import { awaitDelivery, type Arrived, type Delivery } from './delivery.ts';
import type { ForeignFrames, Sending } from './foreign-frames.ts';
import type { SendInput } from './send-input.ts';
import type { Spot, Spots } from './spots.ts';

/** How often a press that the page moved away from is aimed again. */
const ATTEMPTS = 4;

/** How far something is lifted before it is carried, in pixels. */
const LIFTS = [3, 6];
/** Where something is moved to on its way, as parts of it. */
const WAY = [0.25, 0.5, 0.75, 1];
/** What the browser tells of a drag may come so late. */
const BEGIN_MS = 20;

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
   * @throws SpillwayError what keeps input from the element (see `whenReachable`), `not_delivered` when
   * nothing arrived
   */
  async press(held: Held, press: Press): Promise<void> {
    await this.#aimed(
      held,
      { gesture: 'press', position: press.position },
      async ({ session, point }, watch) => {
        const sent = [this.#mouse(session, 'mouseMoved', point, { modifiers: press.modifiers })];
        for (let clickCount = 1; clickCount <= press.count; clickCount += 1)
          for (const type of ['mousePressed', 'mouseReleased'] as const)
            sent.push(
              this.#mouse(session, type, point, {
                button: press.button,
                clickCount,
                modifiers: press.modifiers,
              }),
            );
        return this.#witness(held, watch, { sent, isDone: doneAt(press) });
      },
    );
  }

  /** Moves onto an element. @throws SpillwayError as {@link press} */
  async hover(held: Held, position: Point | null): Promise<void> {
    await this.#aimed(held, { gesture: 'hover', position }, async ({ session, point }, watch) => {
      // From elsewhere, or the browser takes it for no movement at all.
      const sent = [
        this.#mouse(session, 'mouseMoved', { x: point.x - 1, y: point.y - 1 }, {}),
        this.#mouse(session, 'mouseMoved', point, {}),
      ];
      return this.#witness(held, watch, { sent, isDone: ({ at }) => at === 'moved' });
    });
  }

  /**
   * Aims until a gesture arrives where it should; a page that moves meanwhile keeps it from anything else.
   */
  async #aimed(
    held: Held,
    { gesture, position }: { readonly gesture: Gesture; readonly position: Point | null },
    act: (spot: Spot, watch: Watch<'aim'>) => Promise<string | null>,
  ): Promise<void> {
    const { spots, foreign, waitMs, signal } = this.#options;
    let hit = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const watch = await held.page.watch(
        { do: 'aim', held: held.facts.held, gesture, position, waitMs, isBound: held.askAgain !== undefined },
        signal,
      );
      try {
        const { point, isOwn } = watch.answer;
        const what = `${WHAT[gesture]} ${held.facts.line}`;
        const within = isOwn ? held.page : null;
        const spot = await spots.spotOf(held, point);
        const refused = await foreign.spare({ what, isWitnessed: true, within, signal }, () =>
          act(spot, watch),
        );
        if (refused === null) return;
        await this.#expectSame(held);
        hit = refused;
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

  /** Null when the gesture arrived, else what it would have hit. */
  #witness(
    { page, facts: { line, held } }: Held,
    watch: Watch<'aim'>,
    delivery: Pick<Delivery, 'sent' | 'isDone'>,
  ): Promise<string | null> {
    const { signal } = this.#options;
    const look = (): Promise<ActAnswers['present']> => page.ask({ do: 'present', held }, signal);
    const { tabId } = page.address;
    return awaitDelivery(watch, { ...delivery, line, look, tabId, signal });
  }

  /** Drags one element onto another one, or by a distance. @throws SpillwayError as {@link press} */
  drag(from: Held, to: Held | { readonly by: Point }): Promise<void> {
    const { foreign, signal } = this.#options;
    const sending = { what: `The drag of ${from.facts.line}`, within: null, signal };
    return foreign.spare({ ...sending, isWitnessed: !('by' in to) }, () => this.#drag(from, to));
  }

  async #drag(from: Held, to: Held | { readonly by: Point }): Promise<void> {
    const { lease, foreign, signal } = this.#options;
    let intercepted: unknown = null;
    let begin: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begin = resolve));
    const ignore = lease.onEvent(({ method, params }) => {
      if (method !== 'Input.dragIntercepted') return;
      intercepted = params['data'];
      begin();
    });
    try {
      const [{ session, point: start, within }] = await Promise.all([
        this.#grab(from, hasBegun),
        // At the tab: the session of a frame accepts the command, and does not intercept.
        lease.send('Input.setInterceptDrags', { enabled: true }),
      ]);
      const drop = async (point: Point): Promise<Promise<unknown>[]> => {
        const dragged: Promise<unknown>[] = [];
        if (intercepted !== null) dragged.push(this.#dragEvent(session, 'dragEnter', point, intercepted));
        for (const part of WAY) {
          const at = { x: start.x + (point.x - start.x) * part, y: start.y + (point.y - start.y) * part };
          if (intercepted === null)
            await this.#mouse(session, 'mouseMoved', at, { button: 'left', buttons: 1 });
          else dragged.push(this.#dragEvent(session, 'dragOver', at, intercepted));
        }
        const data = intercepted;
        const released = this.#mouse(session, 'mouseReleased', point, { button: 'left', clickCount: 1 });
        if (data === null) return [released];
        // The page hears of the button if its drag is over by the time the release arrives.
        await Promise.all([...dragged, released]);
        return [this.#dragEvent(session, 'drop', point, data)];
      };
      if ('by' in to) {
        const sending = { what: `The drag of ${from.facts.line}`, within, signal, isWitnessed: true };
        const end = { x: start.x + to.by.x, y: start.y + to.by.y };
        await foreign.spare(sending, async () => Promise.all(await drop(end)));
        return;
      }
      await this.#aimed(to, { gesture: 'drop', position: null }, async (spot, watch) =>
        this.#witness(to, watch, {
          sent: await drop(spot.point),
          isDone: ({ at }) => at === 'dropped' || (at === 'released' && intercepted === null),
        }),
      );
    } finally {
      ignore();
      await Promise.allSettled([
        lease.send('Input.setInterceptDrags', { enabled: false }),
        lease.releaseInput(),
      ]);
    }
  }

  /** Presses the button on an element, and lifts that a little: pages wait for a distance before they take it for a drag. */
  async #grab(from: Held, hasBegun: Promise<void>): Promise<Spot & { readonly within: Sending['within'] }> {
    let start: (Spot & { readonly within: Sending['within'] }) | null = null;
    await this.#aimed(from, { gesture: 'grab', position: null }, async (spot, watch) => {
      const { session, point } = spot;
      start = { ...spot, within: watch.answer.isOwn ? from.page : null };
      const sent = [
        this.#mouse(session, 'mouseMoved', point, {}),
        this.#mouse(session, 'mousePressed', point, { button: 'left', clickCount: 1 }),
      ];
      const hit = await this.#witness(from, watch, { sent, isDone: ({ at }) => at === 'pressed' });
      if (hit !== null) return hit;
      const lifted = LIFTS.map((by) =>
        this.#mouse(
          session,
          'mouseMoved',
          { x: point.x + by, y: point.y + by },
          { button: 'left', buttons: 1 },
        ),
      );
      // The browser tells of a drag that it begins about when it acknowledges the movement.
      await Promise.race([hasBegun, Promise.all(lifted).then(() => delay(BEGIN_MS))]);
      return null;
    });
    if (start === null) throw new SpillwayError('not_delivered', `${from.facts.line} could not be grabbed.`);
    return start;
  }

  #dragEvent(session: string | null, type: string, { x, y }: Point, data: unknown): Promise<unknown> {
    return this.#options.send(session, 'Input.dispatchDragEvent', { type, x, y, data });
  }

  #mouse(session: string | null, type: string, { x, y }: Point, more: object): Promise<unknown> {
    const sent = this.#options.send(session, 'Input.dispatchMouseEvent', { type, x, y, ...more });
    // Who sends several without waiting hears of the failure from the one that is awaited.
    sent.catch(() => undefined);
    return sent;
  }
}

/** The last event of a press. A right button opens a menu as it goes down, and gives no click. */
function doneAt({ button, count }: Press): (witnessed: Arrived) => boolean {
  let clicks = 0;
  return ({ at }) => {
    if (at === 'clicked') clicks += 1;
    return button === 'right' ? at === 'released' : clicks === count;
  };
}
