import { givenName, type Identity, type Recording } from './identity/recording.ts';
import type { Showing } from '../core/page/protocol.ts';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';

/** Sessions per document that refs were shown to; the one that read it longest ago is forgotten. */
const MAX_VIEWERS = 16;

/** Refs remembered per session; the oldest are forgotten. */
const MAX_SHOWN = 100_000;

/** Recordings kept for all sessions; elements known only from older ones are not found again. */
const MAX_RECORDINGS = 32;

/** Numbers that the walk may need before it can stop: one per open element, and few are open at once. */
const LOW = 64;

/** `e13`, or `f2e13` in a frame. */
export const REF = /^(?:f\d+)*e(\d+)$/;

/** How elements were shown, by number; null if unknown. */
export type ShownRefs = Map<number, Identity | null>;

/** A ref anywhere in a text. */
const ANY_REF = /\b(?:f\d+)*e(\d+)\b/g;

/** Numbers of elements that leave the page in their place, from 1. */
export class NumberedElements {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #elements: WeakRef<Element>[] = [];

  numberOf(el: Element): number {
    return valueIn(this.#numbers, el, () => this.#elements.push(new WeakRef(el)));
  }

  /** The element of a number, while it is in the page. */
  find(number: number): Element | null {
    const el = this.#elements[number - 1]?.deref();
    return el?.isConnected === true ? el : null;
  }
}

/** Numbers lent to one request, and the session that sees them. */
export class LentNumbers {
  readonly viewer: string;
  readonly #to: number;
  #last: number;

  constructor({ viewer, numbers }: Showing) {
    this.viewer = viewer;
    this.#last = numbers.from - 1;
    this.#to = numbers.to;
  }

  /** The last used number; one less than the first if none was. */
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
 * Refs of one document: `e13`. An element keeps its ref, and no ref is issued twice in a browser. Elements are held
 * weakly, so that discarded ones can be collected.
 */
export class Refs {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  /** The refs shown to each session, by `Caller.session` and number. The most recent session is last. */
  readonly #shown = new BoundedMap<string, ShownRefs>(MAX_VIEWERS);
  /** Frame elements, each with its number within the document. */
  readonly frames = new NumberedElements();
  #lent: LentNumbers | null = null;
  #viewed: ShownRefs = new Map();
  #recording: Recording | null = null;
  #recordings: Recording[] = [];
  /** Elements shown without a recording. */
  #unrecorded: Element[] = [];
  #swept = 0;
  /** The document's place among the page's frames, set during a read. */
  prefix = '';

  /**
   * Sets the numbers to use and the session that sees the refs. Null for a reading without refs.
   * @param recording of the walk that shows them
   * @param held collects what the walk sees; {@link reveal} shows a part of it
   */
  use(lent: LentNumbers | null, recording: Recording | null = null, held: ShownRefs | null = null): void {
    if (lent !== null) this.#viewed = held ?? this.#shownTo(lent.viewer);
    this.#lent = lent;
    this.#recording = recording;
    this.#unrecorded = [];
    if (recording === null || recording === this.#recordings.at(-1)) return;
    this.#recordings.push(recording);
    if (this.#recordings.length > MAX_RECORDINGS) this.#forget(this.#recordings.shift());
  }

  /** An identity keeps its whole recording in memory. */
  #forget(recording: Recording | undefined): void {
    for (const shown of this.#shown.values())
      for (const [number, identity] of shown) if (identity?.recording === recording) shown.set(number, null);
  }

  get canShow(): boolean {
    return this.#lent !== null;
  }

  /**
   * The ref of an element, created on first use. Counts as shown to the reading session.
   * @param given an accessible name that is not the element's content
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
    // Elements without a recording get one before the answer; until then they keep their identity.
    if (identity !== null || !this.#viewed.has(number)) this.#viewed.set(number, identity);
    return `${this.prefix}e${number}`;
  }

  #identify(el: Element, role: string, given: string | null): Identity | null {
    if (this.#recording?.current === el) return this.#recording.show(role, given ?? givenName(el));
    this.#unrecorded.push(el);
    return null;
  }

  /** Shows a session the refs named in its answer. */
  reveal(viewer: string, held: ShownRefs, pieces: readonly unknown[]): void {
    const shown = this.#shownTo(viewer);
    for (const [number, identity] of heldIn(held, pieces)) shown.set(number, identity);
  }

  /** Shows a session the refs again that its answer reports as unchanged. */
  revealAgain(viewer: string, held: ShownRefs, lines: readonly string[]): void {
    const shown = this.#shownTo(viewer);
    for (const [number, identity] of heldIn(held, lines)) if (shown.has(number)) shown.set(number, identity);
  }

  /** Shows a session everything that another one was shown. Returns how many refs are new to it. */
  share(from: string, to: string): number {
    const shown = this.#shownTo(to);
    const others = [...(this.#shown.get(from) ?? [])].filter(([number]) => !shown.has(number));
    for (const [number, identity] of others) shown.set(number, identity);
    return others.length;
  }

  /** Elements shown since {@link use} without a recording. Each is returned once. */
  takeUnrecorded(): Element[] {
    return this.#unrecorded.splice(0);
  }

  /** Records how an element is shown to the reading session. */
  remember(el: Element, identity: Identity): void {
    const number = this.#numbers.get(el);
    if (number !== undefined) this.#viewed.set(number, identity);
  }

  /** How an element was last shown to a session; null if unknown. */
  identity(ref: string, viewer: string): Identity | null {
    const number = parseRef(ref);
    return number === null ? null : (this.#shown.get(viewer)?.get(number) ?? null);
  }

  wasShown(ref: string, viewer: string): boolean {
    const number = parseRef(ref);
    return number !== null && this.#shown.get(viewer)?.has(number) === true;
  }

  /** The element of a ref of this document (`e13`, with any prefix), while it is in the page. */
  resolve(ref: string): Element | null {
    const number = parseRef(ref);
    const el = number === null ? undefined : this.#elements.get(number)?.deref();
    return el !== undefined && isInPage(el) ? el : null;
  }

  #shownTo(viewer: string): ShownRefs {
    const shown: ShownRefs = this.#shown.get(viewer) ?? new Map();
    this.#shown.set(viewer, shown);
    for (const number of shown.keys()) {
      if (shown.size <= MAX_SHOWN) break;
      shown.delete(number);
    }
    return shown;
  }

  /** Drops entries of collected elements now and then, so that the table stays as small as the page. */
  #sweep(): void {
    const { size } = this.#elements;
    if (size < 10_000 || size < this.#swept * 2) return;
    for (const [number, weak] of this.#elements)
      if (weak.deref() === undefined) this.#elements.delete(number);
    this.#swept = this.#elements.size;
  }
}

/** The identities of the refs in texts. */
function* heldIn(held: ShownRefs, texts: readonly unknown[]): Generator<readonly [number, Identity | null]> {
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    for (const [, number] of text.matchAll(ANY_REF)) {
      const identity = held.get(Number(number));
      if (identity !== undefined) yield [Number(number), identity];
    }
  }
}

function parseRef(ref: string): number | null {
  const found = REF.exec(ref);
  return found === null ? null : Number(found[1]);
}

/** Whether the element's document is visible: an abandoned one keeps its elements. */
function isInPage(el: Element): boolean {
  if (!el.isConnected) return false;
  const { ownerDocument } = el;
  if (ownerDocument === document) return true;
  const frame = ownerDocument.defaultView?.frameElement ?? null;
  return frame !== null && isInPage(frame);
}

/** Numbers borrowed by one port's requests, until each reports how many it used. */
export class Loans {
  readonly #loans = new Map<number, LentNumbers>();

  /** Null for a request without refs. */
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
