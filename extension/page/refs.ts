import { givenName, type Identity, type Recording } from './identity/recording.ts';
import type { Showing } from './protocol.ts';

/** Sessions that one document remembers having shown refs to; the one that read it longest ago is forgotten. */
const MOST_VIEWERS = 16;

/** Refs that are remembered for one session; the oldest are forgotten. */
const MOST_SHOWN = 100_000;

/** Recordings of walks that are kept for all sessions; elements that only older ones know are not found again. */
const MOST_RECORDINGS = 32;

/** Numbers that the walk may need before it can stop: an element has one, and few are open at once. */
const LOW = 64;

/** `e13`, or `f2e13` in a frame. */
export const REF = /^(?:f\d+)*e(\d+)$/;

/** How elements were shown, by their numbers; null where nothing is known of it. */
export type ShownRefs = Map<number, Identity | null>;

/** A ref anywhere in a text. */
const ANY_REF = /\b(?:f\d+)*e(\d+)\b/g;

/** The numbers that one request may give to elements, and the session that it shows them to. */
export class LentNumbers {
  readonly viewer: string;
  readonly #to: number;
  #last: number;

  constructor({ viewer, numbers }: Showing) {
    this.viewer = viewer;
    this.#last = numbers.from - 1;
    this.#to = numbers.to;
  }

  /** The last number that was taken: one less than the first when none was. */
  get last(): number {
    return this.#last;
  }

  /** Few are left: the request should ask for more. */
  get isLow(): boolean {
    return this.#to - this.#last < LOW;
  }

  take(): number {
    if (this.#last >= this.#to) throw new Error('The request has no numbers left for refs.');
    this.#last += 1;
    return this.#last;
  }
}

/**
 * Refs of one document: `e13`, the same element always the same, never given twice in the browser. Elements are
 * held weakly, so that a page that throws its elements away is not kept in memory by us.
 */
export class Refs {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  /**
   * What was shown to whom, by `Caller.session` and number, as it was then. The session that was shown some last is
   * at the end.
   */
  readonly #shown = new Map<string, ShownRefs>();
  readonly #frames = new WeakMap<Element, number>();
  readonly #frameElements = new Map<number, WeakRef<Element>>();
  #lent: LentNumbers | null = null;
  #viewed: ShownRefs = new Map();
  #recording: Recording | null = null;
  #recordings: Recording[] = [];
  /** Elements that were shown while nothing was recorded. */
  #unrecorded: Element[] = [];
  #lastFrame = 0;
  #swept = 0;
  /** Set for the time of a read: the document's place among the page's frames. */
  prefix = '';

  /**
   * Whose numbers are used from now on, and who is shown the refs. Null for a reading that shows none.
   *
   * @param recording of the walk that shows them
   * @param held keeps what the walk comes across, of which {@link reveal} shows a part
   */
  use(lent: LentNumbers | null, recording: Recording | null = null, held: ShownRefs | null = null): void {
    if (lent !== null) this.#viewed = held ?? this.#shownTo(lent.viewer);
    this.#lent = lent;
    this.#recording = recording;
    this.#unrecorded = [];
    if (recording === null || recording === this.#recordings.at(-1)) return;
    this.#recordings.push(recording);
    if (this.#recordings.length > MOST_RECORDINGS) this.#forget(this.#recordings.shift());
  }

  /** An identity holds all that its walk has recorded. */
  #forget(recording: Recording | undefined): void {
    for (const shown of this.#shown.values())
      for (const [number, identity] of shown) if (identity?.recording === recording) shown.set(number, null);
  }

  get canShow(): boolean {
    return this.#lent !== null;
  }

  /**
   * The ref of an element, made at the first question. Counts as shown to the session that reads.
   *
   * @param given the name of an element that does not have it from its content
   */
  of(el: Element, role = '', given: string | null = null): string {
    const lent = this.#lent;
    if (lent === null) throw new Error('A reading that has no numbers shows a ref.');
    let number = this.#numbers.get(el);
    if (number === undefined) {
      number = lent.take();
      this.#numbers.set(el, number);
      this.#elements.set(number, new WeakRef(el));
      this.#sweep();
    }
    const identity = this.#identify(el, role, given);
    // Elements not recorded at once are recorded before the answer; until then they keep their identity.
    if (identity !== null || !this.#viewed.has(number)) this.#viewed.set(number, identity);
    return `${this.prefix}e${number}`;
  }

  #identify(el: Element, role: string, given: string | null): Identity | null {
    if (this.#recording?.current === el) return this.#recording.show(role, given ?? givenName(el));
    this.#unrecorded.push(el);
    return null;
  }

  /** Shows a session those of the refs that its answer names. */
  reveal(viewer: string, held: ShownRefs, pieces: readonly unknown[]): void {
    const shown = this.#shownTo(viewer);
    for (const [number, identity] of heldIn(held, pieces)) shown.set(number, identity);
  }

  /** Shows a session again what its answer says of no more than that it is as it was. */
  revealAgain(viewer: string, held: ShownRefs, lines: readonly string[]): void {
    const shown = this.#shownTo(viewer);
    for (const [number, identity] of heldIn(held, lines)) if (shown.has(number)) shown.set(number, identity);
  }

  /** Shows a session what another one was shown. Returns how many refs it did not have. */
  share(from: string, to: string): number {
    const shown = this.#shownTo(to);
    const others = [...(this.#shown.get(from) ?? [])].filter(([number]) => !shown.has(number));
    for (const [number, identity] of others) shown.set(number, identity);
    return others.length;
  }

  /** Elements that were shown since {@link use} and not recorded. Each is asked for once. */
  takeUnrecorded(): Element[] {
    return this.#unrecorded.splice(0);
  }

  /** Remembers how an element is shown to the session that reads. */
  remember(el: Element, identity: Identity): void {
    const number = this.#numbers.get(el);
    if (number !== undefined) this.#viewed.set(number, identity);
  }

  /** How an element was shown to a session last; null for one that nothing is known of. */
  identity(ref: string, viewer: string): Identity | null {
    const number = numberOf(ref);
    return number === null ? null : (this.#shown.get(viewer)?.get(number) ?? null);
  }

  /** The number of a frame element within its document. */
  frameNumber(el: Element): number {
    let number = this.#frames.get(el);
    if (number === undefined) {
      number = this.#lastFrame += 1;
      this.#frames.set(el, number);
      this.#frameElements.set(number, new WeakRef(el));
    }
    return number;
  }

  /** The frame element of a number, while it is in the page. */
  frame(number: number): Element | null {
    const el = this.#frameElements.get(number)?.deref();
    return el?.isConnected === true ? el : null;
  }

  wasShown(ref: string, viewer: string): boolean {
    const number = numberOf(ref);
    return number !== null && this.#shown.get(viewer)?.has(number) === true;
  }

  /** The element of a ref of this document (`e13`, whatever its prefix), while it is in the page. */
  resolve(ref: string): Element | null {
    const number = numberOf(ref);
    const el = number === null ? undefined : this.#elements.get(number)?.deref();
    return el !== undefined && isInPage(el) ? el : null;
  }

  #shownTo(viewer: string): ShownRefs {
    const shown: ShownRefs = this.#shown.get(viewer) ?? new Map();
    this.#shown.delete(viewer);
    this.#shown.set(viewer, shown);
    dropOldest(this.#shown, MOST_VIEWERS);
    dropOldest(shown, MOST_SHOWN);
    return shown;
  }

  /** Drops entries of collected elements now and then, so that the table follows the page's size. */
  #sweep(): void {
    const { size } = this.#elements;
    if (size < 10_000 || size < this.#swept * 2) return;
    for (const [number, weak] of this.#elements)
      if (weak.deref() === undefined) this.#elements.delete(number);
    this.#swept = this.#elements.size;
  }
}

/** The identities of the refs that texts name. */
function* heldIn(held: ShownRefs, texts: readonly unknown[]): Generator<readonly [number, Identity | null]> {
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    for (const [, number] of text.matchAll(ANY_REF)) {
      const identity = held.get(Number(number));
      if (identity !== undefined) yield [Number(number), identity];
    }
  }
}

function numberOf(ref: string): number | null {
  const found = REF.exec(ref);
  return found === null ? null : Number(found[1]);
}

/** Whether a person can see the document that an element is in: one that was left keeps its elements. */
function isInPage(el: Element): boolean {
  if (!el.isConnected) return false;
  const { ownerDocument } = el;
  if (ownerDocument === document) return true;
  const frame = ownerDocument.defaultView?.frameElement ?? null;
  return frame !== null && isInPage(frame);
}

/** The entries that were added first go first. */
function dropOldest(
  entries: { readonly size: number; keys(): Iterable<unknown>; delete(key: unknown): boolean },
  most: number,
): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** Numbers that the requests of one port have borrowed, until each says how many it used. */
export class Loans {
  readonly #loans = new Map<number, LentNumbers>();

  /** Null for a request that shows no refs. */
  borrow(id: number, showing: Showing | null | undefined): LentNumbers | null {
    if (showing == null) return null;
    const lent = new LentNumbers(showing);
    this.#loans.set(id, lent);
    return lent;
  }

  settle(id: number): { last: number } | undefined {
    const last = this.#loans.get(id)?.last;
    this.#loans.delete(id);
    return last === undefined ? undefined : { last };
  }

  clear(): void {
    this.#loans.clear();
  }
}
