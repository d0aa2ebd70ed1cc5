import {
  startsGuard,
  type ActAsk,
  type AskOf,
  type ChangeAsk,
  type LookAsk,
} from '../../page/act/protocol.ts';
import type * as z from 'zod/mini';
import { delay, onAbort } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import {
  PAGE_ANSWERS,
  type Did,
  type PageAnswers,
  type TargetFacts,
  type Want,
  type Witnessed,
} from '../../ports/page-answers.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { PageChannel } from '../pages/page-channel.ts';
import type { Loan, RefBook, ShownTo } from '../pages/ref-book.ts';
import type { Gate, Receiver } from './gate.ts';

const GRACE_MS = 10_000;
const LOOK_MS = 60;
/** Requests that ended before this time count for nothing. */
const RESTED_MS = 60_000;
const PASSING: ReadonlySet<ErrorCode> = new Set(['target_hidden', 'target_disabled', 'target_covered']);

const ANSWERS: { readonly [K in keyof PageAnswers]: z.ZodMiniType<PageAnswers[K]> } = PAGE_ANSWERS;

/** Questions whose answers may name elements by refs. */
const SHOWING: ReadonlySet<ActAsk['do']> = new Set(['find', 'ref']);

export interface Held {
  readonly page: ActPage;
  readonly facts: TargetFacts;
  /**
   * For an element that a person saw when they allowed the call: asks them again. @throws SpillwayError
   * `approval_required`
   */
  readonly askAgain?: () => Promise<never>;
}

/** An aim, whose answer is followed by reports of input. Must be closed. */
export interface Watch {
  readonly answer: PageAnswers['aim'];
  /**
   * The next report, or null at the time limit.
   * @throws SpillwayError `page_changed` if the document is gone, or the signal's reason
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<Witnessed | null>;
  close(): void;
}

/** Gives what a step in the page wants. */
type Giving = (want: Want) => Promise<unknown>;

interface StepHelp {
  readonly give: Giving;
  /** A field of the step has been filled. */
  readonly did: (did: Did) => void;
  /** The tab's requests that a page waits for. */
  readonly traffic: {
    readonly pending: readonly string[];
    readonly changedAt: number;
    change(): Promise<void>;
  };
}

interface Answered<K extends ActAsk['do']> {
  readonly id: number;
  readonly answer: PageAnswers[K];
}

/** One document of an act. */
export class ActPage {
  constructor(
    private readonly channel: PageChannel,
    private readonly shownTo: ShownTo,
    /** Without one, the document can only be asked. */
    private readonly gate: Gate | null = null,
    /** The tab loads something: an obstacle that its page alone would keep may pass. */
    private readonly isLoading = (): boolean => false,
    /** Refs for the page to look at before the steps; undefined if it has. */
    private readonly later: () => readonly string[] | undefined = () => undefined,
  ) {}

  get documentId(): string {
    return this.channel.documentId;
  }

  get frameId(): number {
    return this.channel.frameId;
  }

  /** Names its script to the debugger, once it has answered a question. */
  get scriptId(): string {
    return this.channel.scriptId;
  }

  /** For `Gate.send`. */
  get receiver(): Receiver {
    return this.channel;
  }

  /** The document is gone. */
  get isGone(): boolean {
    return this.channel.isClosed;
  }

  /** @throws SpillwayError the page's error, `page_unresponsive`, `page_changed`, or the signal's reason */
  async ask<K extends LookAsk['do']>(
    ask: Extract<LookAsk, { readonly do: K }>,
    signal: AbortSignal,
  ): Promise<PageAnswers[K]> {
    return (await this.#whileLoading<K>(ask, signal, false)).answer;
  }

  /** The same where it may change the page. @throws SpillwayError as {@link ask} and `Gate.send` */
  async change<K extends ChangeAsk['do']>(
    ask: Extract<ChangeAsk, { readonly do: K }>,
    signal: AbortSignal,
  ): Promise<PageAnswers[K]> {
    return (await this.#whileLoading<K>(ask, signal, true)).answer;
  }

  /** Aims, and reports the input that follows. @throws SpillwayError as {@link change} */
  async aim(ask: Omit<AskOf<'aim'>, 'do'>, signal: AbortSignal): Promise<Watch> {
    const { id, answer } = await this.#whileLoading({ do: 'aim', ...ask }, signal, true);
    const { channel } = this;
    return {
      answer,
      next: async (waitMs, until) => {
        const received = await channel.next(id, waitMs, until);
        return received?.type === 'witnessed' ? received.witnessed : null;
      },
      close: () => channel.release(id),
    };
  }

  /** Does a step in the page, and gives what it wants. @throws SpillwayError as {@link change} and `give` */
  async step(
    ask: Omit<AskOf<'step'>, 'do'>,
    { give, did, traffic }: StepHelp,
    signal: AbortSignal,
  ): Promise<PageAnswers['step']> {
    const { channel } = this;
    const id = channel.open();
    let isOver = false;
    const refusals: SpillwayError[] = [];
    const tell = async (): Promise<void> => {
      // Only answers to typed text depend on how long nothing has been loading.
      for (let told = ask.step.kind === 'fill' ? false : null; !isOver; await traffic.change()) {
        const isLoading = traffic.pending.length > 0;
        if (isLoading === told) continue;
        told = isLoading;
        const restedMs = Math.min(performance.now() - traffic.changedAt, RESTED_MS);
        channel.post({ type: 'news', id, isLoading, restedMs });
      }
    };
    const answer = async (given: Promise<SpillwayError | null>): Promise<void> => {
      const refused = await given;
      if (refused !== null) refusals.push(refused);
      const error = refused && { code: refused.code, message: refused.message };
      if (!isOver) channel.post({ type: 'given', id, error });
    };
    try {
      await this.#post(id, { do: 'step', ...ask }, null, true);
      void tell();
      for (let answered = Promise.resolve(); ;) {
        const received = await channel.receive(id, this.#howLong(ask.waitMs, signal));
        if (received.type === 'acted') {
          channel.end(id);
          return ANSWERS.step.parse(received.answer);
        }
        if (received.type === 'did') did(received.did);
        if (received.type !== 'wants') continue;
        // In the order of the wants: the page sees some input arrive, and wants more, before the browser says so.
        const given = give(received.want).then(() => null, toSpillwayError);
        answered = answered.then(() => answer(given));
        if (!('by' in received.want) || received.want.by !== 'replacing') await answered;
      }
    } catch (thrown) {
      channel.release(id);
      // The page knows only the code and the message of a refusal.
      throw refusals.find(({ message }) => message === toSpillwayError(thrown).message) ?? thrown;
    } finally {
      isOver = true;
    }
  }

  async #whileLoading<K extends ActAsk['do']>(
    given: AskOf<K>,
    signal: AbortSignal,
    isChange: boolean,
  ): Promise<Answered<K>> {
    const until = performance.now() + ('waitMs' in given ? given.waitMs : 0);
    for (let ask = given; ;) {
      try {
        return await this.#send(ask, signal, isChange);
      } catch (thrown) {
        const isPassing = PASSING.has(toSpillwayError(thrown).code) && this.isLoading();
        if (!isPassing || performance.now() >= until) throw thrown;
        await delay(LOOK_MS, signal);
        ask = { ...given, waitMs: Math.max(0, until - performance.now()) };
      }
    }
  }

  async #send<K extends ActAsk['do']>(
    ask: AskOf<K>,
    signal: AbortSignal,
    isChange: boolean,
  ): Promise<Answered<K>> {
    const { channel } = this;
    const { book, viewer } = this.shownTo;
    const loan = SHOWING.has(ask.do) ? await book.lendFew(channel, { viewer }) : null;
    const id = channel.open(loan);
    try {
      await this.#post(id, ask, loan, isChange);
      const how = this.#howLong('waitMs' in ask ? ask.waitMs : 0, signal);
      const { answer, scriptId } = await channel.receiveA('acted', id, how);
      channel.scriptId = scriptId;
      await loan?.stored;
      const kind: K = ask.do;
      // An aim is watched, and a guard ends with the act, however that ends.
      if (startsGuard(ask)) onAbort(signal, () => channel.release(id));
      else if (ask.do !== 'aim') channel.end(id);
      return { id, answer: ANSWERS[kind].parse(answer) };
    } catch (thrown) {
      channel.release(id);
      throw thrown;
    }
  }

  #howLong(waitMs: number, signal: AbortSignal): Parameters<PageChannel['receive']>[1] {
    return { timeoutMs: waitMs + GRACE_MS, signal, name: `Tab ${this.channel.tabId}` };
  }

  async #post(id: number, ask: ActAsk, loan: Pick<Loan, 'showing'> | null, isChange: boolean): Promise<void> {
    const { channel, gate } = this;
    const { viewer } = this.shownTo;
    const post = async (): Promise<void> => {
      const later = this.later();
      channel.post({ type: 'act', id, viewer, ask, showing: loan?.showing ?? null, ...(later && { later }) });
    };
    if (!isChange) return post();
    if (gate !== null) return gate.send(channel, null, post);
    throw new SpillwayError('internal_error', 'A page changes only during an act.');
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
