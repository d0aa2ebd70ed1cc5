import browser from 'webextension-polyfill';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Showing } from '../page/protocol.ts';
import { SeenRegions } from './seen-regions.ts';
import { RefEntries, withRange, type Lending, type ShowingDocument } from './ref-entries.ts';

/** Numbers per loan: more than the elements of nearly all pages. */
const LENT = 65_536;

/** Numbers per small loan, for a question that shows a few elements: more than the highest limit of `find`. */
const FEW = 128;
/** Numbers reserved for small loans, so that not every loan has to be stored. */
const ASIDE = 4 * FEW;

/** Documents whose refs another session may use after a share. */
const MAX_SHARED = 20;

const REF = /^(?:f\d+)*e(\d+)$/;

/** Whether a target is a ref, such as `e13` or `f2e13`, rather than a selector. */
export const isRef = (target: string): boolean => REF.test(target);

export interface ShownTo {
  readonly book: RefBook;
  /** `Caller.session`. */
  readonly viewer: string;
}

/** Numbers that one request to a page may use. */
export interface Loan {
  /** Attached to the request. */
  readonly showing: Showing;
  /** Takes back the numbers after the last one that the page used. */
  settle(last: number): void;
  /**
   * Resolves once a restarted worker would know of the loan. Await it before refs are shown; for a loan of {@link
   * RefBook.lendFew}, after the page has reported its numbers.
   */
  readonly stored: Promise<void>;
}

/** A range of numbers. */
interface Numbers {
  readonly from: number;
  readonly to: number;
}

interface Aside {
  from: number;
  readonly to: number;
  readonly stored: Promise<void>;
  /** Their unsettled loans. */
  out: number;
}

export interface RefPlace {
  readonly frameId: number;
  readonly documentId: string;
  /** The frames that lead to the document, by the numbers of their elements: `f2f1`. Null if unknown. */
  readonly prefix: string | null;
}

/**
 * Which ref numbers belong to which document, and which sessions have seen it. A number is issued only once per browser
 * run, so that a ref of an earlier page never names an element of another. Outlives the worker in `storage.session`.
 */
export class RefBook {
  readonly regions = new SeenRegions();
  readonly #entries = new RefEntries();
  readonly #loaded: Promise<void>;
  #next = 1;
  #aside: Aside | null = null;

  /** @param lent numbers per loan */
  constructor(private readonly lent = LENT) {
    this.#loaded = this.#entries.load().then((next) => void (this.#next = next));
    // Each loan awaits it.
    this.#loaded.catch(() => undefined);
  }

  /**
   * Lends numbers for one request to a document. Loans never wait for each other: a page that never answers keeps its
   * numbers.
   * @param viewer `Caller.session`
   * @param prefix of the refs in a frame, if known
   */
  async lend({ documentId, tabId, frameId }: ShowingDocument, { viewer, prefix }: Lending): Promise<Loan> {
    await this.#loaded;
    this.#takeInAside();
    const numbers = this.#take(this.lent);
    const { entry } = this.#entries.note({ documentId, tabId, frameId }, { viewer, prefix });
    entry.ranges = withRange(entry.ranges, [numbers.from, numbers.to]);
    return {
      showing: { viewer, numbers },
      settle: (last) => this.#takeBack(documentId, { ...numbers, last }),
      stored: handled(this.#entries.store(documentId, entry, this.#next)),
    };
  }

  /** Numbers for a reading: few in a document that the session has read, where nearly all elements have theirs. */
  async lendToRead(document: ShowingDocument, lending: Lending): Promise<Loan> {
    await this.#loaded;
    const known = this.#entries.get(document.documentId);
    const hasRead = known?.viewers.includes(lending.viewer) === true && known.ranges.length > 0;
    return hasRead ? this.lendFew(document, lending) : this.lend(document, lending);
  }

  /**
   * Lends a few numbers for one question with a single answer. Nothing is stored if no number is used and the session
   * has seen the document before.
   */
  async lendFew(document: ShowingDocument, { viewer, prefix }: Lending): Promise<Loan> {
    await this.#loaded;
    const { documentId } = document;
    const { entry, isNew } = this.#entries.note(document, { viewer, prefix });
    const aside = this.#putAside();
    const numbers: Numbers = { from: aside.from, to: aside.from + FEW - 1 };
    aside.from = numbers.to + 1;
    aside.out += 1;
    const writes = [
      aside.stored,
      ...(isNew ? [handled(this.#entries.store(documentId, entry, this.#next))] : []),
    ];
    let isOut = true;
    const settle = (last: number): void => {
      if (!isOut || last < numbers.from - 1 || last > numbers.to) return;
      isOut = false;
      aside.out -= 1;
      if (aside.from === numbers.to + 1) aside.from = last + 1;
      if (last < numbers.from) return;
      // Another question may have been recorded since.
      const now = this.#entries.get(documentId) ?? entry;
      now.ranges = withRange(now.ranges, [numbers.from, last]);
      writes.push(handled(this.#entries.store(documentId, now, this.#next)));
    };
    return {
      showing: { viewer, numbers },
      settle,
      get stored() {
        return Promise.all(writes).then(() => undefined);
      },
    };
  }

  /** Lets a session use another one's refs. Resolves with their documents, which must also be notified. */
  async share(from: string, to: string): Promise<readonly ShowingDocument[]> {
    await this.#loaded;
    const shown = this.#entries.shownTo(from, MAX_SHARED);
    const writes = shown.map((document) => {
      const { entry } = this.#entries.note(document, { viewer: to });
      return this.#entries.store(document.documentId, entry, this.#next);
    });
    await Promise.all(writes);
    return shown;
  }

  #take(count: number): Numbers {
    const from = this.#next;
    this.#next = from + count;
    return { from, to: this.#next - 1 };
  }

  /** The numbers reserved for small loans, with enough left for one more. */
  #putAside(): Aside {
    const aside = this.#aside;
    if (aside !== null && aside.to - aside.from + 1 >= FEW) return aside;
    const numbers = this.#take(ASIDE);
    const stored = handled(this.#entries.storeNext(this.#next));
    return (this.#aside = { ...numbers, stored, out: 0 });
  }

  /** Takes back the remaining reserved numbers, so that a reading gets small numbers. */
  #takeInAside(): void {
    const aside = this.#aside;
    if (aside === null || aside.out > 0 || this.#next !== aside.to + 1) return;
    this.#next = aside.from;
    this.#aside = null;
  }

  /**
   * The document of a ref, if this session has seen it and it is in this tab.
   * @throws SpillwayError `ref_not_found` for one that the session has never seen, or that belongs to another
   *   tab; `stale_ref` if the document is gone
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
    const found = this.#entries.find(number);
    if (found === null && this.#entries.isForgotten(number, this.#next))
      throw new SpillwayError('stale_ref', `ref: ${name} was shown too long ago, if it ever was.`);
    if (found?.entry.viewers.includes(viewer) !== true)
      throw new SpillwayError('ref_not_found', `ref: ${name} was never shown to you.`);
    const { documentId, entry } = found;
    const state = await resolveDocumentState(documentId);
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
      throw new SpillwayError('stale_ref', `The page of ref ${ref} was left; going back restores it.`, {
        hint: 'Call navigate with action "back", or call find for a ref of the current page.',
      });
    return { frameId: entry.frameId, documentId, prefix: entry.prefix };
  }

  #takeBack(documentId: string, { from, to, last }: Numbers & { readonly last: number }): void {
    if (last < from - 1 || last >= to) return;
    if (this.#next === to + 1) this.#next = last + 1;
    const entry = this.#entries.get(documentId);
    if (entry === undefined) return;
    entry.ranges = entry.ranges.flatMap(([first, end]): [number, number][] =>
      end !== to ? [[first, end]] : last < first ? [] : [[first, last]],
    );
    // Lent numbers are already stored: this only keeps them small for the next worker.
    this.#entries.store(documentId, entry, this.#next).catch(() => undefined);
  }
}

/** Marks a promise as handled: a request may fail before anything awaits it. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}

async function resolveDocumentState(documentId: string): Promise<'shown' | 'left' | 'gone'> {
  const frame = await browser.webNavigation.getFrame({ documentId }).catch(() => null);
  if (frame === null) return 'gone';
  // Chromium reports it; the polyfill's types lack it.
  return 'documentLifecycle' in frame && frame.documentLifecycle === 'cached' ? 'left' : 'shown';
}
