import { startsGuard, type ActAsk, type AskOf } from '../../page/act/protocol.ts';
import type * as z from 'zod/mini';
import { delay, onAbort } from '../../../shared/async.ts';
import { toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import {
  PAGE_ANSWERS,
  type PageAnswers,
  type TargetFacts,
  type Witnessed,
} from '../../ports/page-answers.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { PageChannel } from '../pages/page-channel.ts';
import type { RefBook, ShownTo } from '../pages/ref-book.ts';

const GRACE_MS = 10_000;
const LOOK_MS = 60;
const PASSING: ReadonlySet<ErrorCode> = new Set(['target_hidden', 'target_disabled', 'target_covered']);

const ANSWERS: { readonly [K in keyof PageAnswers]: z.ZodMiniType<PageAnswers[K]> } = PAGE_ANSWERS;

/** Questions whose answers may name elements by refs. */
const SHOWING: ReadonlySet<ActAsk['do']> = new Set(['find', 'field', 'ref']);

/** Questions that change nothing in the page. */
const LOOKING: ReadonlySet<ActAsk['do']> = new Set([
  'find',
  'field',
  'submitter',
  'value',
  'offers',
  'opener',
  'chosen',
  'slider',
  'parts',
  'layer',
  'answered',
  'files_way',
  'outline',
  'concealed',
  'point',
  'record',
  'ref',
  'drawn',
  'present',
  'share',
  'quiet',
]);

export interface Held {
  readonly page: ActPage;
  readonly facts: TargetFacts;
  readonly isFocused?: boolean;
  /**
   * For an element that a person saw when they allowed the call: asks them again. @throws SpillwayError
   * `approval_required`
   */
  readonly askAgain?: () => Promise<never>;
}

/** A question whose answer is followed by reports of input. Must be closed. */
export interface Watch<K extends ActAsk['do']> {
  readonly answer: PageAnswers[K];
  /**
   * The next report, or null at the time limit.
   * @throws SpillwayError `page_changed` if the document is gone, or the signal's reason
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<Witnessed | null>;
  close(): void;
}

/** One document of an act. */
export class ActPage {
  /** @param written resolves when the act may have an effect */
  constructor(
    private readonly channel: PageChannel,
    private readonly shownTo: ShownTo,
    private readonly written: () => Promise<void> = () => Promise.resolve(),
    /** The tab loads something: an obstacle that its page alone would keep may pass. */
    private readonly isLoading = (): boolean => false,
    /** Refs for the page to look at before the steps; undefined if it has. */
    private readonly later: () => readonly string[] | undefined = () => undefined,
  ) {}

  get documentId(): string {
    return this.channel.documentId;
  }

  /** The document is gone. */
  get isGone(): boolean {
    return this.channel.isClosed;
  }

  get frameId(): number {
    return this.channel.frameId;
  }

  /** @throws SpillwayError the page's error, `page_unresponsive`, `page_changed`, or the signal's reason */
  async ask<K extends ActAsk['do']>(ask: AskOf<K>, signal: AbortSignal): Promise<PageAnswers[K]> {
    const watch = await this.watch(ask, signal);
    watch.close();
    return watch.answer;
  }

  /** @throws SpillwayError as {@link ask} */
  async watch<K extends ActAsk['do']>(given: AskOf<K>, signal: AbortSignal): Promise<Watch<K>> {
    const until = performance.now() + ('waitMs' in given ? given.waitMs : 0);
    for (let ask = given; ;) {
      try {
        return await this.#watch(ask, signal);
      } catch (thrown) {
        const isPassing = PASSING.has(toSpillwayError(thrown).code) && this.isLoading();
        if (!isPassing || performance.now() >= until) throw thrown;
        await delay(LOOK_MS, signal);
        ask = { ...given, waitMs: Math.max(0, until - performance.now()) };
      }
    }
  }

  async #watch<K extends ActAsk['do']>(ask: AskOf<K>, signal: AbortSignal): Promise<Watch<K>> {
    if (!LOOKING.has(ask.do) || ('focus' in ask && ask.focus)) await this.written();
    const { channel } = this;
    const { book, viewer } = this.shownTo;
    const loan = SHOWING.has(ask.do) ? await book.lendFew(channel, { viewer }) : null;
    const timeoutMs = ('waitMs' in ask ? ask.waitMs : 0) + GRACE_MS;
    const how = { timeoutMs, signal, name: `Tab ${channel.tabId}` };
    const id = channel.open(loan);
    try {
      const later = this.later();
      channel.post({ type: 'act', id, viewer, ask, showing: loan?.showing ?? null, ...(later && { later }) });
      const { answer } = await channel.receiveA('acted', id, how);
      const guards = startsGuard(ask);
      if (guards) onAbort(signal, () => channel.release(id));
      await loan?.stored;
      const kind: K = ask.do;
      return {
        answer: ANSWERS[kind].parse(answer),
        next: async (waitMs, until) => {
          const received = await channel.next(id, waitMs, until);
          return received?.type === 'witnessed' ? received.witnessed : null;
        },
        // The page keeps watching aimed elements.
        close: () => {
          if (ask.do === 'aim') channel.release(id);
          else if (!guards) channel.end(id);
        },
      };
    } catch (thrown) {
      channel.release(id);
      throw thrown;
    }
  }
}

/** A document that is asked outside of acts. @throws SpillwayError as `PageChannels.connect` */
export async function connectPage(
  { channels, refBook: book }: { readonly channels: PageChannels; readonly refBook: RefBook },
  place: { readonly tabId: number; readonly frameId: number; readonly url?: string },
  how: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly viewer?: string },
): Promise<ActPage> {
  const channel = await channels.connect({ url: '', ...place }, how);
  return new ActPage(channel, { book, viewer: how.viewer ?? '' });
}
