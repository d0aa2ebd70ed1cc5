import { waitAtMost } from '../../../shared/base/async.ts';
import { windowPath } from '../../dom/frames.ts';
import { isFrameElement } from '../../dom/elements.ts';
import { failureOf, PageError } from '../../dom/doorway.ts';
import type { ControlKind, Point, Stage } from '../../core/ports/page-answers.ts';
import { isWithinReach, whenReachable } from './aim.ts';
import { closedListOf, resolveControlKind } from './controls.ts';
import { chooseOption } from './fields.ts';
import { describeElement, reaches, unsuitable } from './hit.ts';
import { isOwn, viewPoint, windowsAround } from './places.ts';
import type { Given, Pointing } from './protocol.ts';
import { synthesize } from './strike.ts';
import { codeOf, type StepParts } from './step.ts';
import { watchOver } from './surroundings.ts';
import { Witness, type Delivered } from './witness.ts';

/** How late the page may get input that the browser has acknowledged. */
const REPORT_MS = 1_000;
/** The same for the click that a release makes. */
const CLICK_MS = 200;
/** Pages make room for what is dragged, and scroll. */
const ATTEMPTS = { press: 4, hover: 4, grab: 4, drop: 8 } as const;

/**
 * Aims until a gesture arrives at its target; if the page moves meanwhile, the gesture is kept from other elements.
 * @returns a note on its arrival
 * @throws PageError the obstacle to input (see `whenReachable`), `not_delivered` if nothing arrived
 */
export async function point(el: Element, step: Pointing, parts: StepParts): Promise<string | null> {
  const isPress = step.gesture === 'press' && step.script !== 'right_click';
  // No press reaches an option of a closed list.
  if (!isPress || closedListOf(el) === null) return aimAt(el, step, parts);
  await parts.hands.give({ changes: true });
  await chooseOption(el, parts);
  return null;
}

async function aimAt(el: Element, step: Pointing, parts: StepParts): Promise<string | null> {
  const { hands, how, pointer } = parts;
  const { gesture, position } = step;
  const named = el === hands.own ? pointer.named : null;
  const aim = new Aim(el, { ...step, position: position ?? named }, parts);
  if (step.opens === true && LISTS.has(resolveControlKind(el))) await parts.popup.watchFor(el);
  if (!how.hasPointer) return aim.sendByScript();
  const isNamed = position === null && named !== null && (gesture === 'press' || gesture === 'grab');
  let hit = 'something else';
  for (let [tries, at] = [0, null as Point | null]; tries < ATTEMPTS[gesture]; tries += 1) {
    const delivered = await aim.send(at);
    if ('note' in delivered) return delivered.note;
    if ('hit' in delivered) {
      // A point of the page means what is there now: pages draw some things only under the pointer.
      if (isNamed) throw failure(el, 'stale_ref', `is no longer at the point: ${delivered.hit} is there`);
      hit = delivered.hit;
    } else at = delivered.again.at;
    if (pointer.isRedirected(el, null)) throw failure(el, 'approval_required', 'leads elsewhere than before');
  }
  throw failure(el, 'target_covered', `moves away from input: ${hit} was there instead`);
}

const failure = (el: Element, code: PageError['code'], what: string): PageError =>
  new PageError(code, `${describeElement(el)} ${what}.`);

const PRESS = { kind: 'point', gesture: 'press', position: null, ends: 'clicked' } as const;

/** Presses an element. */
export const press = (el: Element, parts: StepParts, waitMs = parts.waitMs): Promise<string | null> =>
  point(el, PRESS, { ...parts, waitMs });

const LISTS: ReadonlySet<ControlKind> = new Set(['combobox', 'listbox']);

type Sent = Delivered | { readonly again: NonNullable<Given['again']> };

/** One gesture at one element. */
class Aim {
  constructor(
    private readonly el: Element,
    private readonly step: Pointing,
    private readonly parts: StepParts,
  ) {
    if (isFrameElement(el) && el.contentWindow !== null)
      throw unsuitable(el, 'is a frame: name an element in it.');
    if (closedListOf(el) !== null && isWithinReach(el))
      throw unsuitable(el, 'is in a closed list: use select there.');
  }

  /** @param act is called as input would reach the element */
  async reach<T>(act: (at: Point) => T, at: Point | null = null): Promise<T> {
    const { el } = this;
    const { gesture, position } = this.step;
    const { hands, motion, pointer, how, waitMs } = this.parts;
    const landing = gesture === 'drop' ? pointer.landingOf(el) : undefined;
    const reach = landing === undefined ? undefined : () => landing.reach(position, at);
    const isBusy = (): boolean => hands.isBusy;
    const seen = el === hands.own ? pointer.seen : null;
    // A page may scroll until the pointer leaves the edge of its window.
    const mayMove = gesture === 'drop' && at === null;
    const aiming = { position, motion, seen, reach, mayMove, isPointing: gesture === 'hover', isBusy };
    const look = (ms: number): Promise<T> => whenReachable(el, { ...aiming, waitMs: ms }, act);
    if (gesture === 'drop' || !how.hasTyped) return look(waitMs);
    try {
      return await look(0);
    } catch (thrown) {
      // A popup of a field that was typed into may cover it.
      if (codeOf(thrown) === 'target_covered') await hands.give({ leaves: true });
      return look(waitMs);
    }
  }

  async sendByScript(): Promise<null> {
    // A person could not have pressed it under a cover either.
    await this.reach(() => undefined);
    await this.parts.hands.give({ changes: true });
    await this.reach(() => synthesize(this.el, this.step.script ?? 'click'));
    return null;
  }

  /** @param at where a drag has been carried to */
  async send(at: Point | null): Promise<Sent> {
    const { el, step } = this;
    const { hands, pointer } = this.parts;
    const sent = await this.reach((point) => {
      pointer.aimAt(el);
      const witness = this.#watch(point);
      const aim = { point, view: viewPoint(), isOwn: isOwn(el), path: windowPath(window) };
      const want = { aim, at: hands.at(el), isTurn: false };
      return { witness, want, given: hands.give(want).catch(unsent) };
    }, at);
    try {
      const delivered = await this.#outcome(sent.witness, sent.given);
      if (step.turns === true && 'note' in delivered) await hands.give({ ...sent.want, isTurn: true });
      return delivered;
    } finally {
      sent.witness.stop();
    }
  }

  #watch(point: Point): Witness {
    const { el, step } = this;
    const { pointer } = this.parts;
    const landing = step.gesture === 'drop' ? pointer.landingOf(el) : undefined;
    const isDrawnOver = el.ownerDocument === document ? watchOver(el, point) : () => false;
    const takes = (hit: Element | null): boolean =>
      landing?.takesAt(hit, point) ?? (reaches(hit, el) || (hit !== null && isDrawnOver(hit)));
    const isRedirected = (hit: Element | null): boolean => pointer.isRedirected(el, hit);
    const { arrived } = pointer;
    return new Witness(step, { el, windows: windowsAround(el), takes, isRedirected, arrived });
  }

  /** Waits for the gesture to arrive, which mostly comes before the browser acknowledges it. */
  async #outcome(witness: Witness, answer: Promise<Given>): Promise<Sent> {
    const given = await Promise.race([witness.end.then(() => null), answer]);
    if (given?.again !== undefined) return { again: given.again };
    if (given?.isOwnDrag === true) witness.endAt('released');
    const lateMs = (): number => (witness.last === 'released' ? CLICK_MS : REPORT_MS);
    for (let last; last !== witness.last && given !== null; await waitAtMost(witness.end, lateMs()))
      last = witness.last;
    const { last, delivered } = witness;
    if (delivered === null) return this.#unfinished(last, given?.error ?? null);
    // Frames receive the rest of a gesture while it is in progress.
    const isMissed = 'hit' in delivered;
    if (!isMissed || (given ?? (await waitAtMost(answer, REPORT_MS)))?.isOwnDrag !== true) return delivered;
    throw failure(this.el, 'not_delivered', `moved away, and the drag ended over ${delivered.hit} instead`);
  }

  /** @param error why the browser did not take all of the input */
  #unfinished(last: Stage | null, error: Given['error']): Delivered {
    const { el, parts } = this;
    if (last === null && error === null && parts.pointer.isResized())
      return { hit: 'the page at its previous size' };
    // It was removed after the button was released on it, so no click follows.
    if (last === 'released' && !el.isConnected) return { note: null };
    const note = last === null || error !== null ? undefined : UNFINISHED[last];
    if (note !== undefined) return { note };
    const why = error === null ? '' : `. ${error.message.replace(/\.$/, '')}`;
    const what = last === null ? 'did not receive the input' : 'received only the beginning of the input';
    throw failure(el, 'not_delivered', `${what}${why}`);
  }
}

const UNFINISHED: Partial<Readonly<Record<Stage, string>>> = {
  released: 'pressed and released, but no click came of it',
  pressed: 'pressed, but the page got no release',
};

/** Input that the browser did not take may still have arrived. @throws any other reason against it */
function unsent(thrown: unknown): Given {
  if (codeOf(thrown) !== 'not_delivered') throw thrown;
  return { error: failureOf(thrown) };
}
