import browser from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import type { Found } from '../../core/ports/page-answers.ts';
import type { Sought } from '../page/protocol.ts';
import { fieldKey } from '../../../shared/core/policy/names.ts';
import { TIMERS_LATE_MS } from '../../platform/chromium/members.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import { isRef, type ShownTo } from '../../core/pages/ref-book.ts';
import { ActPage, type Held } from './act-page.ts';
import type { Gate } from './gate.ts';

const CONNECT_MS = 10_000;
/** A frame that has not answered by then is asked again at the next look. */
const FRAME_MS = 1_000;
const LINES_NAMED = 5;
const NEAREST_NAMED = 3;
/** Longest wait for an element in a page that loads and moves nothing, but may have set a timer. */
const RESTED_MS = 700 + TIMERS_LATE_MS;
/** Interval between searches for a missing element. */
const LOOK_MS = 60;
/** Maximum time for scrolling through a list that draws only its visible options. */
const SCROLL_MS = 20_000;

const PASSING: ReadonlySet<ErrorCode> = new Set(['page_changed', 'navigation_failed']);

/** A frame that fails in these ways is loading or busy, and may answer later. */
const LATE: ReadonlySet<ErrorCode> = new Set(['page_changed', 'page_unresponsive']);

type FoundTargets = Found & Pick<Held, 'begun'>;

/** Begins a step at an element that its page finds first. */
export type Begin = (page: ActPage, sought: Sought) => Promise<FoundTargets>;

interface FindWait {
  /** How long to wait for a missing element. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** An element, or the reason why none was found yet. */
type Looked =
  | { readonly held: Held }
  | {
      readonly missing: SpillwayError;
      readonly isAtRest: boolean;
      /** A list that draws its options as it scrolls has not shown all of them. */
      readonly isScrolling?: boolean;
    };

interface ActFramesOptions {
  readonly tabId: number;
  /** For searching documents. */
  readonly channels: PageChannels;
  /** For documents that a call names; by default the same. */
  readonly named?: PageChannels;
  readonly shownTo: ShownTo;
  /** The page is loading something, which may add an element. By default it may always be. */
  readonly isLoading?: () => boolean;
  /** Without one, the documents can only be asked. */
  readonly gate?: Gate;
  /** Compares the found elements with those shown to a person. */
  readonly asSeen?: CallPolicy['asSeen'];
  /** A person was shown elements of the call. */
  readonly hasShown?: () => boolean;
  /** Refs that the steps after the first name. */
  readonly later?: readonly string[];
}

/** The documents of a tab that an act works in. */
export class ActFrames {
  /** The document of the last found element. */
  last: ActPage | null = null;
  lastOpens = false;
  /** The last found element, if it opens a list. */
  #list: Held | null = null;
  /** All documents of the tab; null once a step may have added or removed some. */
  #all: readonly ActPage[] | null = null;
  /** Frames that were {@link LATE} at the last question. */
  #late = 0;
  /** The documents that know the refs of later steps. */
  readonly #prepared = new Set<string>();
  constructor(private readonly of: ActFramesOptions) {}

  /** The page of a frame; by default the top document. @throws SpillwayError for an unreadable tab */
  async page(
    signal: AbortSignal,
    frameId = 0,
    how: { timeoutMs?: number; isNamed?: boolean; documentId?: string | undefined } = {},
  ): Promise<ActPage> {
    const { timeoutMs = CONNECT_MS, isNamed = false, documentId } = how;
    const { tabId, channels, named = channels, shownTo, gate, isLoading } = this.of;
    const channel = await (isNamed ? named : channels).connect(
      { tabId, frameId, documentId },
      { timeoutMs, signal },
    );
    return new ActPage(channel, shownTo, gate, isLoading, () => this.#laterFor(channel.documentId));
  }

  /** Once for each document. */
  #laterFor(documentId: string): readonly string[] | undefined {
    const { later } = this.of;
    if (later === undefined || this.#prepared.has(documentId)) return undefined;
    this.#prepared.add(documentId);
    return later;
  }

  /**
   * All documents of the tab that answer.
   * @throws SpillwayError for an unreadable tab or top document
   */
  async all(signal: AbortSignal): Promise<readonly ActPage[]> {
    return this.#all?.every(({ isGone }) => !isGone) === true ? this.#all : this.now(signal);
  }

  /** Like {@link all}, including documents added since the last question. */
  async now(signal: AbortSignal): Promise<readonly ActPage[]> {
    const frames = (await browser.webNavigation.getAllFrames({ tabId: this.of.tabId })) ?? [];
    const pages = await Promise.all(
      frames
        .filter(({ errorOccurred }) => !errorOccurred)
        .map(async ({ frameId, documentId }) => {
          const timeoutMs = frameId === 0 ? CONNECT_MS : FRAME_MS;
          try {
            return await this.page(signal, frameId, { timeoutMs, documentId });
          } catch (thrown) {
            signal.throwIfAborted();
            if (frameId === 0) throw thrown;
            this.#noteLate(thrown);
            return null;
          }
        }),
    );
    return pages.filter((page) => page !== null);
  }

  /**
   * The id of the top document, if known. Once the browser has answered, all earlier messages from the pages are known.
   */
  async answered(): Promise<string | undefined> {
    const top = { tabId: this.of.tabId, frameId: 0 };
    return (await browser.webNavigation.getFrame(top).catch(() => null))?.documentId;
  }

  /** Injects the top document's script, without waiting for it. */
  prepare(): void {
    this.of.channels.prepare(this.of.tabId);
  }

  /** Call after anything that may add or remove frames. */
  forget(): void {
    this.#all = null;
  }

  /** The frame around a frame, or null for the top document. */
  async parentOf(frameId: number): Promise<number | null> {
    if (frameId === 0) return null;
    const frame = await browser.webNavigation.getFrame({ tabId: this.of.tabId, frameId }).catch(() => null);
    if (frame === null) throw new SpillwayError('page_changed', 'The frame of the element is gone.');
    return frame.parentFrameId < 0 ? null : frame.parentFrameId;
  }

  /**
   * The one element that a target names, in any frame; with `follows`, the control of a label; with `isField`, the control
   * with this label, placeholder or name. Waits for one that is not there yet.
   * @throws SpillwayError `selector_not_found`, `field_not_found` with the existing labels, `selector_ambiguous` with the candidates, `selector_invalid`,
   *   `stale_ref`, `ref_not_found`
   */
  async find(
    target: string,
    {
      waitMs,
      signal,
      follows = false,
      isField = false,
      begin,
    }: FindWait & {
      readonly follows?: boolean;
      readonly isField?: boolean;
      /** Begins the step, if the element can only be in this document, and no person was shown it. */
      readonly begin?: Begin | undefined;
    },
  ): Promise<Held> {
    const ask: Begin = (page, sought) => page.ask({ do: 'find', ...sought }, signal);
    const first = this.of.hasShown?.() === true ? ask : (begin ?? ask);
    if (isRef(target))
      return this.#keep(target, await this.#findRef(target, { signal, follows, begin: first }));
    const list = this.#list;
    let isFirst = false;
    // A list is scrolled to its end first, and then from its start.
    let endsLeft: number | null = null;
    return this.#until(isField ? fieldKey(target) : target, { waitMs, signal }, async (isLast) => {
      const known: string[] = [];
      let isAtRest = true;
      const { held, count, lines } = await this.#ask(signal, async (page, isOnly) => {
        const sought = { target, follows, isLast, isField };
        const answer = await (isOnly ? first : ask)(page, sought);
        isAtRest &&= answer.isAtRest;
        known.push(...(answer.known ?? []));
        return answer;
      });
      if (held !== null) return { held };
      const means = isField ? `Field ${JSON.stringify(target)} means` : `${target} matches`;
      if (count > 1) throw ambiguous(means, count, lines);
      if (isField) return this.#missing('field_not_found', noField(target, known), isAtRest);
      // A long list draws only the visible options.
      const hasMoved = list !== null && (await this.#scrollsOn(list, isFirst, signal));
      isFirst = list !== null && !hasMoved;
      if (hasMoved) endsLeft ??= 2;
      else if (endsLeft !== null) endsLeft -= 1;
      const nearest =
        lines.length === 0 ? '' : ` The nearest are ${lines.slice(0, NEAREST_NAMED).join('; ')}.`;
      const missing = this.#missing(
        'selector_not_found',
        `No element matches ${target}.${nearest}`,
        isAtRest,
      );
      return { ...missing, isScrolling: endsLeft !== null && endsLeft > 0 };
    });
  }

  /** The tab has one document, which was searched for the last target. */
  get isOne(): boolean {
    return this.#all?.length === 1;
  }

  async #until(
    element: string,
    { waitMs, signal }: FindWait,
    /** @param isLast its error is the one that is thrown */
    look: (isLast: boolean) => Promise<Looked>,
  ): Promise<Held> {
    const { isLoading = () => true } = this.of;
    const startedAt = performance.now();
    for (let isLast = waitMs === 0; ;) {
      const found = await look(isLast);
      if ('held' in found) return this.#keep(element, found.held);
      if (isLast) throw found.missing;
      const waitedMs = performance.now() - startedAt;
      const { isAtRest, isScrolling = false } = found;
      isLast = isScrolling
        ? waitedMs >= Math.max(waitMs, SCROLL_MS)
        : waitedMs >= waitMs || (waitedMs >= RESTED_MS && isAtRest && !isLoading());
      if (!isLast && !isScrolling) await delay(LOOK_MS, signal);
    }
  }

  #keep(element: string, held: Held): Promise<Held> {
    this.note(held);
    return this.expectSeen(element, held);
  }

  /** Notes the last found element. */
  note(held: Held): void {
    this.last = held.page;
    this.lastOpens = held.facts.opens;
    this.#list = opensList(held) ? held : null;
  }

  /**
   * Compares a found element with the one that a person saw when they allowed the call.
   * @throws SpillwayError `approval_required` if it differs
   */
  async expectSeen(element: string, held: Held): Promise<Held> {
    const askAgain = await this.of.asSeen?.(element, held.facts);
    return askAgain == null ? held : { ...held, askAgain };
  }

  async #scrollsOn({ page, facts }: Held, isFirst: boolean, signal: AbortSignal): Promise<boolean> {
    const scrolled = await this.#unlessGone(page.frameId, signal, () =>
      page.change({ do: 'scroll', held: facts.held, how: isFirst ? 'first offers' : 'offers' }, signal),
    );
    return scrolled?.moved === true;
  }

  async #findRef(
    ref: string,
    {
      signal,
      follows,
      begin,
    }: { readonly signal: AbortSignal; readonly follows: boolean; readonly begin: Begin },
  ): Promise<Held> {
    const { book, viewer } = this.of.shownTo;
    const { frameId, documentId } = await book.find(ref, { tabId: this.of.tabId, viewer });
    const page = await this.page(signal, frameId, { isNamed: true });
    if (page.documentId !== documentId)
      throw new SpillwayError('stale_ref', `The page of ref ${ref} was left.`);
    const { found, begun } = await begin(page, { target: ref, follows, isLast: true });
    const [facts] = found;
    if (facts === undefined) throw new SpillwayError('ref_not_found', `target: ${ref} names no element.`);
    return { page, facts, ...(begun && { begun }) };
  }

  async #ask(
    signal: AbortSignal,
    ask: (page: ActPage, isOnly: boolean) => Promise<FoundTargets>,
  ): Promise<{ readonly held: Held | null; readonly count: number; readonly lines: readonly string[] }> {
    this.#late = 0;
    const pages = (await this.#unlessGone(0, signal, () => this.all(signal))) ?? [];
    const answers = await Promise.all(
      pages.map((page) =>
        this.#unlessGone(page.frameId, signal, async () => ({
          page,
          answer: await ask(page, pages.length === 1),
        })),
      ),
    );
    const found = answers.filter((answer) => answer !== null);
    const count = found.reduce((sum, { answer }) => sum + answer.count, 0);
    // A target that was not found may be in a new frame.
    this.#all = count === 0 ? null : pages;
    const lines = found.flatMap(({ page, answer: { found: facts, lines: own } }) =>
      own.length > 0 ? own : facts.map(({ line }) => (page.frameId === 0 ? line : `${line} (in a frame)`)),
    );
    const only = found.find(({ answer }) => answer.found.length > 0);
    const [facts] = only?.answer.found ?? [];
    if (only === undefined || facts === undefined || count !== 1) return { held: null, count, lines };
    const { begun } = only.answer;
    return { held: { page: only.page, facts, ...(begun && { begun }) }, count, lines };
  }

  #noteLate(thrown: unknown): void {
    if (LATE.has(toSpillwayError(thrown).code)) this.#late += 1;
  }

  /** It may be in a frame that is still loading. */
  #missing(code: ErrorCode, text: string, isAtRest: boolean): Looked & { readonly missing: SpillwayError } {
    const late = this.#late === 0 ? '' : ` Frames that did not answer: ${this.#late}.`;
    return { missing: new SpillwayError(code, text + late), isAtRest: isAtRest && late === '' };
  }

  /** Null if a document is being replaced, or a frame cannot be asked. */
  async #unlessGone<T>(frameId: number, signal: AbortSignal, ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (thrown) {
      signal.throwIfAborted();
      const { code } = toSpillwayError(thrown);
      this.#noteLate(thrown);
      if (PASSING.has(code) || (frameId !== 0 && code !== 'selector_invalid')) return null;
      throw thrown;
    }
  }
}

/** The button that submits the form of an element, or with null the only form. */
export const submitterOf = async (
  page: ActPage,
  submits: number | null,
  signal: AbortSignal,
): Promise<Held['facts'] | undefined> =>
  (await page.ask({ do: 'find', target: '', follows: false, isLast: true, submits }, signal)).found[0];

const noField = (name: string, known: readonly string[]): string =>
  `No field is named ${JSON.stringify(name)}; there are ${known.map((label) => JSON.stringify(label)).join(', ') || 'no fields'}.`;

/** Whether an element opens a list of values. */
export const opensList = ({ facts: { kind } }: Held): boolean => kind === 'combobox' || kind === 'listbox';

const ambiguous = (what: string, count: number, lines: readonly string[]): SpillwayError =>
  new SpillwayError(
    'selector_ambiguous',
    `${what} ${count} elements, such as ${lines.slice(0, LINES_NAMED).join('; ')}.`,
  );
