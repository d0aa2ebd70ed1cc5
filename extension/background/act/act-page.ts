import { toSpillwayError, SpillwayError } from '../../../shared/errors.ts';
import type { ActAsk } from '../../page/act/protocol.ts';
import type * as z from 'zod/mini';
import {
  PAGE_ANSWERS,
  type PageAnswers,
  type TargetFacts,
  type Witnessed,
} from '../../ports/page-answers.ts';
import type { PageChannel, FramePlace, PageChannels } from '../pages/channels.ts';
import type { ShownTo } from '../pages/ref-book.ts';

const GRACE_MS = 10_000;

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

type Ask<K extends ActAsk['do']> = Extract<ActAsk, { readonly do: K }>;

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
  readonly address: FramePlace;
  readonly #channels: PageChannels;
  readonly #channel: PageChannel;
  readonly #shownTo: ShownTo;
  /** Resolves when the act may have an effect. */
  readonly #written: () => Promise<void>;

  constructor({
    address,
    channels,
    channel,
    shownTo,
    written = () => Promise.resolve(),
  }: {
    readonly address: FramePlace;
    readonly channels: PageChannels;
    readonly channel: PageChannel;
    readonly shownTo: ShownTo;
    readonly written?: () => Promise<void>;
  }) {
    this.address = address;
    this.#channels = channels;
    this.#channel = channel;
    this.#shownTo = shownTo;
    this.#written = written;
  }

  get documentId(): string {
    return this.#channel.documentId;
  }

  /** The document is gone. */
  get isGone(): boolean {
    return this.#channel.isClosed;
  }

  get frameId(): number {
    return this.address.frameId;
  }

  /** @throws SpillwayError the page's error, `page_unresponsive`, `page_changed`, or the signal's reason */
  async ask<K extends ActAsk['do']>(ask: Ask<K>, signal: AbortSignal): Promise<PageAnswers[K]> {
    const watch = await this.watch(ask, signal);
    watch.close();
    return watch.answer;
  }

  /** @throws SpillwayError as {@link ask} */
  async watch<K extends ActAsk['do']>(ask: Ask<K>, signal: AbortSignal): Promise<Watch<K>> {
    if (!LOOKING.has(ask.do) || ('focus' in ask && ask.focus)) await this.#written();
    const channel = this.#channel;
    const { book, viewer } = this.#shownTo;
    const loan = SHOWING.has(ask.do) ? await book.lendFew(channel, { viewer }) : null;
    const id = this.#channels.nextId();
    const timeoutMs = ('waitMs' in ask ? ask.waitMs : 0) + GRACE_MS;
    const message = `Tab ${this.address.tabId} did not answer within ${timeoutMs} ms.`;
    channel.open(id, loan);
    try {
      channel.post({ type: 'act', id, viewer, ask, showing: loan?.showing ?? null });
      const received = await channel.receive(id, { timeoutMs, signal, code: 'page_unresponsive', message });
      if (received.type !== 'acted')
        throw new SpillwayError('internal_error', `The page answered ${received.type} instead of acted.`);
      await loan?.stored;
      const kind: K = ask.do;
      return {
        answer: ANSWERS[kind].parse(received.answer),
        next: (waitMs, until) => this.#next(id, waitMs, until),
        // The page keeps watching aimed elements.
        close: () => (ask.do === 'aim' ? channel.release(id) : channel.end(id)),
      };
    } catch (thrown) {
      channel.release(id);
      throw thrown;
    }
  }

  async #next(id: number, timeoutMs: number, signal: AbortSignal): Promise<Witnessed | null> {
    try {
      const received = await this.#channel.receive(id, {
        timeoutMs,
        signal,
        code: 'timeout',
        message: 'Nothing was witnessed.',
      });
      return received.type === 'witnessed' ? received.witnessed : null;
    } catch (thrown) {
      if (toSpillwayError(thrown).code === 'timeout' && !signal.aborted) return null;
      throw thrown;
    }
  }
}
