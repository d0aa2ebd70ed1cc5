import { defer, delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { Device } from '../../platform/device.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import type { Held } from './act-page.ts';
import { inputOf, type Acting } from './acting.ts';
import type { Devices } from './gate.ts';
import { acknowledged, type GiveAt } from './pointer.ts';
import { stepIn } from './step-in-page.ts';

/** How far something is lifted before it is carried, in pixels. */
const LIFTS = [3, 6];
const WAY = [0.25, 0.5, 0.75, 1];
/** How late the browser may announce a drag. */
const BEGIN_MS = 20;
const HOLD_MS = 350;
/** How long a drag rests over its target: some pages check its place on a timer. */
const REST_MS = 100;
/** Longest movement between two aims. */
const CARRIED_MS = 10_000;

interface Drag {
  readonly from: Held;
  /** Where to grab it; by default in the middle. */
  readonly position: Point | null;
  /** How long it is pressed before it moves, in milliseconds. */
  readonly hold: number;
  /** Bits as in `Device`. */
  readonly modifiers: number;
  /** By touch instead of the mouse. */
  readonly isTouch: boolean;
  readonly to: Landing | { readonly path: readonly Point[] };
}

/** The target element of a drag, and the drop point in it. */
interface Landing {
  readonly held: Held;
  readonly position: Point | null;
}

/** How far beyond the middle of a target to drop, in pixels. */
const PAST = 2;

const ahead = (from: Point, to: Point): Point => ({
  x: Math.sign(to.x - from.x) * PAST,
  y: Math.sign(to.y - from.y) * PAST,
});

/** Drags with the mouse or a finger. @throws SpillwayError as `click` */
export function drag(acting: Acting, how: Drag): Promise<string | null> {
  inputOf(acting, how.isTouch ? 'swipe' : 'drag');
  const what = `The drag of ${how.from.facts.line}`;
  const sending = { what, isWitnessed: 'held' in how.to, within: null };
  const { receiver } = how.from.page;
  return acting.gate.send(receiver, sending, (devices) => new Dragging(acting, how, devices).run());
}

const TOUCHES = { down: 'start', move: 'move', up: 'end' } as const;

class Dragging {
  /** Data of a drag that the browser runs itself; null while the page gets mouse events. */
  #data: unknown = null;
  #hasEntered = false;
  #drawing: string | null = null;
  #at: Point = { x: 0, y: 0 };
  /** No frame that the document's script can reach encloses the dragged element. */
  #isOwn = false;
  /** The page has changed since the grab. */
  #hasStirred = false;
  #isReleased = false;
  /** A step in the last direction of movement. */
  #ahead: Point = { x: 0, y: 0 };

  constructor(
    private readonly acting: Acting,
    private readonly how: Drag,
    private readonly devices: Devices,
  ) {}

  async run(): Promise<string | null> {
    const { from, to } = this.how;
    const input = inputOf(this.acting, 'drag');
    if ('held' in to) {
      await this.#expectOneDrawing(to.held);
      const dragged = to.held.page === from.page ? from.facts.held : null;
      await to.held.page.change({ do: 'landing', held: to.held.facts.held, dragged }, this.acting.signal);
    }
    const { promise: hasBegun, resolve: begin } = defer<void>();
    const drags = input.interceptDrags(from.page, (data) => {
      this.#data = data;
      begin();
    });
    try {
      await Promise.all([this.#grab(hasBegun), drags.started]);
      if ('held' in to) return await this.#carry(to).catch((thrown: unknown) => this.#dropped(thrown));
      await this.#follow(to.path);
      return await this.#outcome();
    } finally {
      await Promise.allSettled([drags.stop(), input.release()]);
    }
  }

  /** The renderer that got the press gets the rest of a drag. */
  async #expectOneDrawing({ page, facts }: Held): Promise<void> {
    const { from } = this.how;
    const input = inputOf(this.acting, 'drag');
    if ((await input.drawingOf(from.page)) === (await input.drawingOf(page))) return;
    throw new SpillwayError(
      'target_unsuitable',
      `${from.facts.line} cannot be dragged to ${facts.line}: input to the frame of one does not reach the other's.`,
    );
  }

  /**
   * Presses the button on an element, and moves it a little: pages wait for a distance before they start a
   * drag.
   */
  async #grab(hasBegun: Promise<void>): Promise<void> {
    const { from, position, isTouch, modifiers } = this.how;
    const step = { kind: 'point', gesture: 'grab', position, ends: 'pressed', turns: true } as const;
    const press: GiveAt = async ({ drawing, point }, _devices, { isOwn }) => {
      this.#isOwn = isOwn;
      [this.#drawing, this.#at] = [drawing, point];
      const sent = [...(isTouch ? [] : [this.#device.move(point, modifiers)]), this.#send('down', point)];
      return acknowledged(sent, this.acting);
    };
    await stepIn(this.acting, from, step, { giveAt: press, turn: () => this.#lift(hasBegun) });
  }

  async #lift(hasBegun: Promise<void>): Promise<null> {
    const { hold, isTouch } = this.how;
    const { x, y } = this.#at;
    if (hold > 0) await delay(hold, this.acting.signal);
    // The direction of its first movement tells pages whose swipe it is.
    if (isTouch) return null;
    for (const by of LIFTS) {
      const lifted = this.#send('move', { x: x + by, y: y + by });
      // The browser announces a drag at about the same time as it acknowledges the movement.
      await Promise.race([hasBegun, lifted.then(() => delay(BEGIN_MS))]);
      if (this.#data !== null) return null;
      // Close to an edge of the window, pages scroll until it is carried on.
      if (by !== LIFTS[0]) continue;
      await this.#look();
      // A page that has not changed may want a longer press before it starts a drag, and no larger movement meanwhile.
      if (!this.#hasStirred) await delay(HOLD_MS, this.acting.signal);
    }
    return null;
  }

  /** Records whether the page has changed. */
  async #look(): Promise<void> {
    const { page } = this.how.from;
    const { hasMoved } = await page.ask({ do: 'rest', until: 'drawn' }, this.acting.signal);
    this.#hasStirred ||= hasMoved;
  }

  /** A note on a drop of which the page has removed the target. It may also react to a drop outside it. */
  #dropped(thrown: unknown): string {
    this.acting.signal.throwIfAborted();
    const { code, message } = toSpillwayError(thrown);
    if (code === 'stale_ref' && this.#isReleased) return `dropped; its effect is unknown: ${message}`;
    if (code === 'not_delivered') throw new SpillwayError(code, message, { retryable: false });
    if (code !== 'target_covered' || !this.#hasStirred) throw thrown;
    const more = 'It was dropped elsewhere: its effect on the page is unknown.';
    throw new SpillwayError(code, `${message} ${more}`, { retryable: false });
  }

  /** A note about a finished drag, or null. */
  async #outcome(): Promise<string | null> {
    if (this.#data !== null) return inputOf(this.acting, 'drag').dropNote;
    // Pages may take a drop only once what was dropped has slid into its place.
    const { page, facts } = this.how.from;
    const ask = { do: 'rest', until: { dropped: facts.held } } as const;
    // The page may have left by then, or removed it.
    await page.ask(ask, this.acting.signal).catch(() => this.acting.signal.throwIfAborted());
    if (!this.#hasStirred) await this.#look();
    return this.#hasStirred ? null : 'no visible movement; "for 500ms" at its end presses longer first';
  }

  /** Moves the grabbed element to a target, and drops it once the target rests below it. */
  async #carry({ held, position: given }: Landing): Promise<string | null> {
    const position = given ?? held.facts.point ?? null;
    let carried: Point | null = null;
    let isSteady = false;
    const carry: GiveAt = async ({ point }, _devices, { point: place }) => {
      const isThere = carried !== null && carried.x === place.x && carried.y === place.y;
      if (isThere && isSteady) {
        const isOwnDrag = this.#data === null;
        await acknowledged(await this.#release(point), this.acting);
        return { isOwnDrag };
      }
      // Pages insert on the side that the pointer has passed; exactly at the middle it has passed neither.
      const by = isThere && position === null ? this.#ahead : { x: 0, y: 0 };
      const end = { x: point.x + by.x, y: point.y + by.y };
      if (!isThere) this.#ahead = ahead(this.#at, point);
      await this.#move(isThere ? [{ x: point.x - by.x, y: point.y - by.y }, end] : this.#way(end));
      if (isThere && this.#data === null) await delay(REST_MS, this.acting.signal);
      await this.#look();
      isSteady = isThere;
      carried = { x: place.x + by.x, y: place.y + by.y };
      return { again: { at: carried } };
    };
    const step = { kind: 'point', gesture: 'drop', position, ends: 'dropped' } as const;
    const note = await stepIn(this.acting, held, step, { giveAt: carry, lastsMs: CARRIED_MS });
    return note ?? this.#outcome();
  }

  /** Moves by each of the distances in turn. */
  async #follow(path: readonly Point[]): Promise<void> {
    const { gate, signal } = this.acting;
    const { page, facts } = this.how.from;
    const within = this.#isOwn ? page : null;
    const sending = { what: `The drag of ${facts.line}`, within, isWitnessed: true };
    await gate.send(page.receiver, sending, async () => {
      let end = this.#at;
      for (const { x, y } of path) {
        end = { x: end.x + x, y: end.y + y };
        await this.#move(this.#way(end));
      }
      if (this.#data === null) await page.ask({ do: 'rest', until: 'drawn' }, signal);
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
        await this.#send('move', point);
        continue;
      }
      if (!this.#hasEntered) sent.push(this.#dragOn('enter', point));
      this.#hasEntered = true;
      sent.push(this.#dragOn('over', point));
    }
    await Promise.all(sent);
  }

  async #release(point: Point): Promise<Promise<unknown>[]> {
    this.#isReleased = true;
    const released = this.#send('up', point);
    if (this.#data === null) return [released];
    // The page receives the release only if its drag has ended by then.
    await released;
    return [this.#dragOn('drop', point)];
  }

  get #device(): Device {
    return this.devices(this.#drawing);
  }

  #dragOn(phase: 'enter' | 'over' | 'drop', point: Point): Promise<unknown> {
    return this.#device.drag(phase, point, this.#data, this.how.modifiers);
  }

  #send(stage: keyof typeof TOUCHES, point: Point): Promise<unknown> {
    const { isTouch, modifiers } = this.how;
    if (isTouch) return this.#device.touch(TOUCHES[stage], stage === 'up' ? [] : [point], modifiers);
    if (stage === 'move') return this.#device.move(point, modifiers, true);
    const how = { button: 'left', clickCount: 1, modifiers } as const;
    return stage === 'down' ? this.#device.press(point, how) : this.#device.release(point, how);
  }
}
