import browser from 'webextension-polyfill';
import { z } from 'zod';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Showing } from '../../page/protocol.ts';

/** Numbers lent at a time: more than the elements of nearly all pages. */
const LENT = 65_536;

/** Documents that are remembered; those that were read longest ago are forgotten. */
const MOST_DOCUMENTS = 500;
/** Of one document: ranges of its numbers, and sessions that it was shown to. */
const MOST_RANGES = 100;
const MOST_VIEWERS = 50;

const NEXT = 'refs.next';
const DOCUMENT = 'refs.of.';

const REF = /^(?:f\d+)*e(\d+)$/;

/** Whether a target is a ref, such as `e13` or `f2e13`, and no selector. */
export const isRef = (target: string): boolean => REF.test(target);

const Stored = z.object({
  tabId: z.int(),
  frameId: z.int(),
  /** What its refs begin with: `f2`, or nothing. Null for a frame that nobody has read yet. */
  prefix: z.string().nullable(),
  viewers: z.array(z.string()),
  /** First and last number of each range. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
  /** Order of the last loans. */
  turn: z.int(),
});
type Entry = z.infer<typeof Stored>;

/** A document that is asked to show refs. */
export interface ShowingDocument {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
}

/** Who is shown the refs of a reading. */
export interface ShownTo {
  readonly book: RefBook;
  /** `Caller.session`. */
  readonly viewer: string;
}

/** Numbers that one request to a page may use. */
export interface Loan {
  /** Goes with the request. */
  readonly showing: Showing;
  /** Takes back the numbers after the last one that the page used. */
  settle(last: number): void;
  /** Resolves when a worker that is started again knows of the loan: await it before refs are shown. */
  readonly stored: Promise<void>;
}

/** Where the element of a ref is. */
export interface RefPlace {
  readonly frameId: number;
  readonly documentId: string;
  /** The frames that lead to the document, by the numbers of their elements: `f2f1`. Null where they are not known. */
  readonly prefix: string | null;
}

/**
 * Which numbers of refs belong to which document, and which sessions it was shown to. A number is given once for
 * as long as the browser runs, so that a ref of a page that was left never names an element of another. It outlives
 * the worker in `storage.session`.
 */
export class RefBook {
  readonly #lent: number;
  readonly #entries = new Map<string, Entry>();
  readonly #loaded: Promise<void>;
  #next = 1;
  #turn = 0;

  /** @param lent numbers lent at a time */
  constructor(lent = LENT) {
    this.#lent = lent;
    this.#loaded = this.#load();
    // Each loan awaits it.
    this.#loaded.catch(() => undefined);
  }

  /**
   * Lends numbers for one request to a document. Nobody waits for anybody: what two requests borrow at once is
   * apart, and a page that never answers keeps its numbers.
   *
   * @param viewer `Caller.session`
   * @param prefix what the refs of a frame begin with, where that is known
   */
  async lend(
    { documentId, tabId, frameId }: ShowingDocument,
    { viewer, prefix }: { readonly viewer: string; readonly prefix?: string | undefined },
  ): Promise<Loan> {
    await this.#loaded;
    const from = this.#next;
    const to = from + this.#lent - 1;
    this.#next = to + 1;
    const before = this.#entries.get(documentId);
    const range: [number, number] = [from, to];
    const entry: Entry = {
      tabId,
      frameId,
      prefix: prefix ?? before?.prefix ?? (frameId === 0 ? '' : null),
      viewers: [...(before?.viewers ?? []).filter((other) => other !== viewer), viewer].slice(-MOST_VIEWERS),
      ranges: [...(before?.ranges ?? []), range].slice(-MOST_RANGES),
      turn: (this.#turn += 1),
    };
    this.#entries.set(documentId, entry);
    const stored = this.#store(documentId, entry);
    // The request may fail before anybody awaits it.
    stored.catch(() => undefined);
    return {
      showing: { viewer, numbers: { from, to } },
      settle: (last) => this.#takeBack(documentId, { from, to, last }),
      stored,
    };
  }

  /**
   * The document that a ref is of, if this session was shown it and it is in this tab.
   *
   * @throws SpillwayError `ref_not_found` for one that the session was never shown, or is of another tab; `stale_ref`
   * when the document is gone
   */
  async find(
    ref: string,
    { tabId, viewer }: { readonly tabId: number; readonly viewer: string },
  ): Promise<RefPlace> {
    await this.#loaded;
    const name = JSON.stringify(cut(ref, 40));
    const number = Number(REF.exec(ref)?.[1]);
    if (Number.isNaN(number))
      throw new SpillwayError('ref_not_found', `ref: ${name} is not a ref such as e13.`);
    const found = this.#documentOf(number);
    if (found === null && this.#isForgotten(number))
      throw new SpillwayError('stale_ref', `ref: ${name} was shown too long ago, if it ever was.`);
    if (found?.entry.viewers.includes(viewer) !== true)
      throw new SpillwayError('ref_not_found', `ref: ${name} was never shown to you.`);
    const { documentId, entry } = found;
    const state = await stateOf(documentId);
    if (state === 'gone')
      throw new SpillwayError('stale_ref', `The page of ref ${ref} in tab ${entry.tabId} is gone.`, {
        tabId: entry.tabId,
      });
    if (entry.tabId !== tabId)
      throw new SpillwayError('ref_not_found', `Ref ${ref} is of tab ${entry.tabId}, not of tab ${tabId}.`, {
        hint: 'Pass the tab that the message names, or a ref of this tab.',
        tabId: entry.tabId,
      });
    if (state === 'left')
      throw new SpillwayError('stale_ref', `The page of ref ${ref} was left; it is back when you go back.`, {
        hint: 'Call navigate with action "back", or find for a ref of the present page.',
      });
    return { frameId: entry.frameId, documentId, prefix: entry.prefix };
  }

  #documentOf(number: number): { readonly documentId: string; readonly entry: Entry } | null {
    for (const [documentId, entry] of this.#entries)
      if (entry.ranges.some(([from, to]) => from <= number && number <= to)) return { documentId, entry };
    return null;
  }

  /** Numbers are given in order: what precedes all that are remembered was given long ago. */
  #isForgotten(number: number): boolean {
    if (number < 1) return false;
    for (const { ranges } of this.#entries.values())
      if (ranges.some(([from]) => from <= number)) return false;
    return number < this.#next;
  }

  #takeBack(
    documentId: string,
    { from, to, last }: { readonly from: number; readonly to: number; readonly last: number },
  ): void {
    if (last < from - 1 || last >= to) return;
    if (this.#next === to + 1) this.#next = last + 1;
    const entry = this.#entries.get(documentId);
    if (entry === undefined) return;
    const ranges = entry.ranges.flatMap((range): [number, number][] =>
      range[0] !== from ? [range] : last < from ? [] : [[from, last]],
    );
    entry.ranges = joined(ranges);
    // What was lent is stored already: this only keeps numbers small for the next worker.
    this.#store(documentId, entry).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const kept = await browser.storage.session.get(null);
    for (const [key, value] of Object.entries(kept)) {
      if (!key.startsWith(DOCUMENT)) continue;
      const entry = Stored.parse(value);
      this.#entries.set(key.slice(DOCUMENT.length), entry);
      this.#turn = Math.max(this.#turn, entry.turn);
    }
    this.#next = z.int().min(1).default(1).parse(kept[NEXT]);
  }

  async #store(documentId: string, entry: Entry): Promise<void> {
    const writes = [browser.storage.session.set({ [NEXT]: this.#next, [`${DOCUMENT}${documentId}`]: entry })];
    const oldest = this.#oldest();
    if (oldest !== null) {
      this.#entries.delete(oldest);
      writes.push(browser.storage.session.remove(`${DOCUMENT}${oldest}`));
    }
    await Promise.all(writes);
  }

  /** The document that was read longest ago, of more than are remembered. */
  #oldest(): string | null {
    if (this.#entries.size <= MOST_DOCUMENTS) return null;
    let oldest: string | null = null;
    let turn = Infinity;
    for (const [documentId, entry] of this.#entries)
      if (entry.turn < turn) [oldest, turn] = [documentId, entry.turn];
    return oldest;
  }
}

/** Ranges that follow each other become one. */
function joined(ranges: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of ranges) {
    const before = all.at(-1);
    if (before !== undefined && before[1] + 1 === from) before[1] = to;
    else all.push([from, to]);
  }
  return all;
}

/** Whether a document is shown, or was left and can be gone back to, or is gone. */
async function stateOf(documentId: string): Promise<'shown' | 'left' | 'gone'> {
  const frame = await browser.webNavigation.getFrame({ documentId }).catch(() => null);
  if (frame === null) return 'gone';
  // Chromium says it; the types of the polyfill do not know of it.
  return 'documentLifecycle' in frame && frame.documentLifecycle === 'cached' ? 'left' : 'shown';
}
