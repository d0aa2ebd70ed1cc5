import {
  startsGuard,
  type ActAsk,
  type AskOf,
  type ChangeAsk,
  type Given,
  type LookAsk,
} from '../../page/act/protocol.ts';
import type * as z from 'zod/mini';
import { onAbort } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import {
  PAGE_ANSWERS,
  type Did,
  type PageAnswers,
  type Stage,
  type TargetFacts,
  type Want,
} from '../../ports/page-answers.ts';
import type { PageChannels } from '../pages/channels.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { PageChannel } from '../pages/page-channel.ts';
import type { Loan, RefBook, ShownTo } from '../pages/ref-book.ts';
import type { Gate, Receiver } from './gate.ts';

const GRACE_MS = 10_000;
/** Requests that ended before this time count for nothing. */
const RESTED_MS = 60_000;

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

/** Gives what a step in the page wants. */
type Giving = (want: Want) => Promise<Omit<Given, 'error'> | null>;

interface StepHelp {
  readonly give: Giving;
  /** A field of the step has been filled. */
  readonly did: (did: Did) => void;
  /** How long input that it wants may last. */
  readonly lastsMs?: number;
  /** The tab's requests that a page waits for. */
  readonly traffic: {
    readonly pending: readonly string[];
    readonly changedAt: number;
    change(): Promise<void>;
  };
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
    return this.#send<K>(ask, signal, false);
  }

  /** The same where it may change the page. @throws SpillwayError as {@link ask} and `Gate.send` */
  async change<K extends ChangeAsk['do']>(
    ask: Extract<ChangeAsk, { readonly do: K }>,
    signal: AbortSignal,
  ): Promise<PageAnswers[K]> {
    return this.#send<K>(ask, signal, true);
  }

  /** Does a step in the page, and gives what it wants. @throws SpillwayError as {@link change} and `give` */
  async step(
    ask: Omit<AskOf<'step'>, 'do'>,
    { give, did, traffic, lastsMs = 0 }: StepHelp,
    signal: AbortSignal,
  ): Promise<PageAnswers['step']> {
    const { channel } = this;
    const id = channel.open();
    let isOver = false;
    const refusals: SpillwayError[] = [];
    const tell = async (): Promise<void> => {
      // Only answers to typed text depend on how long nothing has been loading.
      for (let told = ask.step.kind === 'fill' ? 'false false' : ''; !isOver; await traffic.change()) {
        const [isLoading, isBusy] = [traffic.pending.length > 0, this.isLoading()];
        if (told === `${isLoading} ${isBusy}`) continue;
        told = `${isLoading} ${isBusy}`;
        const restedMs = Math.min(performance.now() - traffic.changedAt, RESTED_MS);
        channel.post({ type: 'news', id, isLoading, isBusy, restedMs });
      }
    };
    const answer = async (giving: Promise<Awaited<ReturnType<Giving>> | SpillwayError>): Promise<void> => {
      const given = await giving;
      const isRefused = given instanceof SpillwayError;
      if (isRefused) refusals.push(given);
      const answered = isRefused
        ? { error: { code: given.code, message: given.message } }
        : { error: null, ...given };
      if (!isOver) channel.post({ type: 'given', id, ...answered });
    };
    let seen: Stage | null = null;
    try {
      await this.#post(id, { do: 'step', ...ask }, null, true);
      void tell();
      for (let answered = Promise.resolve(); ;) {
        const received = await channel.receive(id, this.#howLong(ask.waitMs + lastsMs, signal));
        if (received.type === 'acted') {
          channel.end(id);
          return ANSWERS.step.parse(received.answer);
        }
        if (received.type === 'did') did(received.did);
        if (received.type === 'seen') seen = received.at;
        if (received.type !== 'wants') continue;
        const { want } = received;
        // In the order of the wants: the page sees some input arrive, and wants more, before the browser says so.
        const giving = give(want).catch(toSpillwayError);
        answered = answered.then(() => answer(giving));
        if (!('aim' in want) && !('by' in want && want.by === 'replacing')) await answered;
      }
    } catch (thrown) {
      channel.release(id);
      if (ask.step.kind === 'point' && (await hasLeft(thrown, seen, channel.tabId, signal)))
        return { notes: [] };
      // The page knows only the code and the message of a refusal.
      throw refusals.find(({ message }) => message === toSpillwayError(thrown).message) ?? thrown;
    } finally {
      isOver = true;
    }
  }

  async #send<K extends ActAsk['do']>(
    ask: AskOf<K>,
    signal: AbortSignal,
    isChange: boolean,
  ): Promise<PageAnswers[K]> {
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
      // A guard ends with the act, however that ends.
      if (startsGuard(ask)) onAbort(signal, () => channel.release(id));
      else channel.end(id);
      return ANSWERS[kind].parse(answer);
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

/** Whether a gesture had begun to arrive when the page went away, and so succeeded. A crashed page may not have it. */
async function hasLeft(
  thrown: unknown,
  seen: Stage | null,
  tabId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const lost = toSpillwayError(thrown);
  if (seen === null || signal.aborted || lost.code !== 'page_changed') return false;
  if (seen === 'clicked' || seen === 'dropped') return true;
  const why = await explainLost(lost, tabId);
  if (why.code === 'page_changed') return true;
  throw why;
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
