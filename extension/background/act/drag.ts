import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Point } from '../../page/act/protocol.ts';
import type { Held, Watch } from './act-page.ts';
import type { Delivered, Pointer, PointerOptions, Spot } from './pointer.ts';
import type { Sending } from './foreign-frames.ts';

/** How far something is lifted before it is carried, in pixels. */
const LIFTS = [3, 6];
/** Where something is moved to on its way, as parts of it. */
const WAY = [0.25, 0.5, 0.75, 1];
/** How late the browser may announce a drag. */
const BEGIN_MS = 20;
/** How long the button is down before a page that does nothing at first is dragged in. */
const HOLD_MS = 350;
/** How long what is dragged rests over its target: some pages look where it is on a timer. */
const REST_MS = 100;
/** How often a drag is aimed: pages make room for what is dragged, and scroll. */
const ATTEMPTS = 8;

export interface Drag {
  readonly from: Held;
  /** Where it is grabbed; its middle unless given. */
  readonly position: Point | null;
  /** How long it is pressed before it moves, in milliseconds. */
  readonly hold: number;
  readonly to: Landing | { readonly path: readonly Point[] };
}

/** An element that something is dragged to, and where it is let go there. */
interface Landing {
  readonly held: Held;
  readonly position: Point | null;
}

/** How far past the middle of a target something is let go, in pixels. */
const PAST = 2;

function ahead(from: Point, to: Point): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  return Math.abs(x) > Math.abs(y) ? { x: Math.sign(x) * PAST, y: 0 } : { x: 0, y: Math.sign(y) * PAST };
}

type Grabbed = Spot & { readonly within: Sending['within'] };

/** Drags with the mouse, one at a time. */
export class Dragger {
  readonly #pointer: Pointer;
  readonly #options: PointerOptions;
  /** Data of a drag that the browser runs itself; null while the page gets mouse events. */
  #data: unknown = null;
  #hasEntered = false;
  #session: string | null = null;
  #at: Point = { x: 0, y: 0 };
  /** The page has changed since something was grabbed. */
  #hasStirred = false;
  /** A step in the direction in which it was carried last. */
  #ahead: Point = { x: 0, y: 0 };

  constructor(pointer: Pointer, options: PointerOptions) {
    this.#pointer = pointer;
    this.#options = options;
  }

  /** @throws SpillwayError as `Pointer.press` */
  drag(drag: Drag): Promise<string | null> {
    const { foreign, signal } = this.#options;
    const sending = { what: `The drag of ${drag.from.facts.line}`, within: null, signal };
    return foreign.spare({ ...sending, isWitnessed: 'held' in drag.to }, () => this.#drag(drag));
  }

  async #drag({ from, position, hold, to }: Drag): Promise<string | null> {
    const { lease, signal } = this.#options;
    if ('held' in to) {
      const dragged = to.held.page === from.page ? from.facts.held : null;
      await to.held.page.ask({ do: 'landing', held: to.held.facts.held, dragged }, signal);
    }
    [this.#data, this.#hasEntered, this.#hasStirred] = [null, false, false];
    let begin: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begin = resolve));
    const ignore = lease.onEvent(({ method, params }) => {
      if (method !== 'Input.dragIntercepted') return;
      this.#data = params['data'];
      begin();
    });
    try {
      const [{ within }] = await Promise.all([
        this.#grab(from, { position, hold }, hasBegun),
        // At the tab: the session of a frame accepts the command, and does not intercept.
        lease.send('Input.setInterceptDrags', { enabled: true }),
      ]);
      if ('held' in to) return await this.#carry(from, to).catch((thrown: unknown) => this.#dropped(thrown));
      await this.#follow(from, to.path, within);
      return await this.#outcome(from);
    } finally {
      ignore();
      await Promise.allSettled([
        lease.send('Input.setInterceptDrags', { enabled: false }),
        lease.releaseInput(),
      ]);
    }
  }

  /** Presses the button on an element, and lifts that a little: pages wait for a distance before they take it for a drag. */
  async #grab(
    from: Held,
    { position, hold }: Pick<Drag, 'position' | 'hold'>,
    hasBegun: Promise<void>,
  ): Promise<Grabbed> {
    let start: Grabbed | null = null;
    await this.#pointer.aimed(from, { gesture: 'grab', position }, async (spot, watch) => {
      const { session, point } = spot;
      start = { ...spot, within: watch.answer.isOwn ? from.page : null };
      [this.#session, this.#at] = [session, point];
      const sent = [
        this.#mouse('mouseMoved', point, {}),
        this.#mouse('mousePressed', point, { button: 'left', clickCount: 1 }),
      ];
      const pressed = await this.#pointer.witness(from, watch, {
        sent,
        isDone: ({ at }) => at === 'pressed',
      });
      if ('hit' in pressed) return pressed;
      if (hold > 0) await delay(hold, this.#options.signal);
      const lifted = LIFTS.map((by) =>
        this.#mouse('mouseMoved', { x: point.x + by, y: point.y + by }, { button: 'left', buttons: 1 }),
      );
      // The browser tells of a drag that it begins about when it acknowledges the movement.
      await Promise.race([hasBegun, Promise.all(lifted).then(() => delay(BEGIN_MS))]);
      await this.#hold(from);
      return pressed;
    });
    if (start === null) throw new SpillwayError('not_delivered', `${from.facts.line} could not be grabbed.`);
    return start;
  }

  /** A page that has not changed may want a longer press before it takes it for a drag. */
  async #hold(from: Held): Promise<void> {
    if (this.#data !== null) return;
    await this.#look(from);
    if (!this.#hasStirred) await delay(HOLD_MS, this.#options.signal);
  }

  /** Notes whether the page has changed. */
  async #look({ page, facts: { held } }: Held): Promise<void> {
    const { signal } = this.#options;
    await page.ask({ do: 'drawn' }, signal);
    const { hasStirred } = await page.ask({ do: 'present', held }, signal);
    this.#hasStirred ||= hasStirred;
  }

  /** The page may react when a drag is let go outside of it. */
  #dropped(thrown: unknown): never {
    this.#options.signal.throwIfAborted();
    const { code, message } = toSpillwayError(thrown);
    if (code !== 'target_covered' || !this.#hasStirred) throw thrown;
    const more = 'It was let go elsewhere: what the page made of it is unknown.';
    throw new SpillwayError(code, `${message} ${more}`, { retryable: false });
  }

  /** A note about a finished drag, or null. */
  async #outcome(from: Held): Promise<string | null> {
    if (this.#data !== null) return null;
    if (!this.#hasStirred) await this.#look(from);
    return this.#hasStirred
      ? null
      : 'nothing is seen to have moved; "for 500ms" at its end presses longer first';
  }

  /** Carries what was grabbed to an element, and lets it go once that has come to rest below it. */
  async #carry(from: Held, { held, position }: Landing): Promise<string | null> {
    let carried: Point | null = null;
    let isSteady = false;
    const aim = { gesture: 'drop', position, at: () => carried, attempts: ATTEMPTS } as const;
    const note = await this.#pointer.aimed(held, aim, async ({ point }, watch) => {
      const { point: place } = watch.answer;
      const isThere = carried !== null && carried.x === place.x && carried.y === place.y;
      if (isThere && isSteady) return this.#letGo(held, watch, point);
      // Pages insert on the side that the pointer has passed: one that rests exactly on the middle has passed neither.
      const by = isThere && position === null ? this.#ahead : { x: 0, y: 0 };
      const end = { x: point.x + by.x, y: point.y + by.y };
      if (!isThere) this.#ahead = ahead(this.#at, point);
      await this.#move(isThere ? [{ x: point.x - by.x, y: point.y - by.y }, end] : this.#way(end));
      await this.#look(from);
      if (isThere && this.#data === null) await delay(REST_MS, this.#options.signal);
      isSteady = isThere;
      carried = { x: place.x + by.x, y: place.y + by.y };
      return null;
    });
    return note ?? this.#outcome(from);
  }

  async #letGo(held: Held, watch: Watch<'aim'>, point: Point): Promise<Delivered> {
    const delivered = await this.#pointer.witness(held, watch, {
      sent: await this.#release(point),
      isDone: ({ at }) => at === 'dropped' || (at === 'released' && this.#data === null),
    });
    if ('note' in delivered || this.#data !== null) return delivered;
    throw new SpillwayError(
      'not_delivered',
      `What was dragged was let go over ${delivered.hit}, not ${held.facts.line}, which moved away.`,
      { retryable: false },
    );
  }

  /** Moves by each of the distances in turn. */
  async #follow(from: Held, path: readonly Point[], within: Sending['within']): Promise<void> {
    const { foreign, signal } = this.#options;
    const sending = { what: `The drag of ${from.facts.line}`, within, signal, isWitnessed: true };
    await foreign.spare(sending, async () => {
      let end = this.#at;
      for (const { x, y } of path) {
        end = { x: end.x + x, y: end.y + y };
        await this.#move(this.#way(end));
      }
      if (this.#data === null) await from.page.ask({ do: 'drawn' }, signal);
      await Promise.all(await this.#release(end));
    });
  }

  #way(to: Point): Point[] {
    const { x, y } = this.#at;
    return WAY.map((part) => ({ x: x + (to.x - x) * part, y: y + (to.y - y) * part }));
  }

  async #move(points: readonly Point[]): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (const point of points) {
      this.#at = point;
      if (this.#data === null) {
        await this.#mouse('mouseMoved', point, { button: 'left', buttons: 1 });
        continue;
      }
      if (!this.#hasEntered) sent.push(this.#dragEvent('dragEnter', point));
      this.#hasEntered = true;
      sent.push(this.#dragEvent('dragOver', point));
    }
    await Promise.all(sent);
  }

  async #release(point: Point): Promise<Promise<unknown>[]> {
    const released = this.#mouse('mouseReleased', point, { button: 'left', clickCount: 1 });
    if (this.#data === null) return [released];
    // The page hears of the button if its drag is over by the time the release arrives.
    await released;
    return [this.#dragEvent('drop', point)];
  }

  #dragEvent(type: string, { x, y }: Point): Promise<unknown> {
    return this.#options.send(this.#session, 'Input.dispatchDragEvent', { type, x, y, data: this.#data });
  }

  #mouse(type: string, point: Point, more: object): Promise<unknown> {
    return this.#pointer.mouse(this.#session, type, point, more);
  }
}
