import type { ActAsk, AskOf, ChangeAsk, Given, LookAsk } from '../page/protocol.ts';
import type { FromPage } from '../../core/page/protocol.ts';
import type * as z from 'zod/mini';
import { onAbort } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import {
  PAGE_ANSWERS,
  type Did,
  type Found,
  type PageAnswers,
  type Rest,
  type Stage,
  type TargetFacts,
  type Want,
} from '../../core/ports/page-answers.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import { explainLost } from '../../read/worker/read-tab.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import type { Loan, RefBook, ShownTo } from '../../core/pages/ref-book.ts';
import type { Gate, Receiver } from './gate.ts';

const GRACE_MS = 10_000;
/** Requests that ended before this time count for nothing. */
const RESTED_MS = 60_000;

const ANSWERS: { readonly [K in keyof PageAnswers]: z.ZodMiniType<PageAnswers[K]> } = PAGE_ANSWERS;

/** Whether the answer may name elements by refs. */
const showsRefs = (ask: ActAsk): boolean =>
  ask.do === 'find' || ask.do === 'ref' || (ask.do === 'step' && typeof ask.held !== 'number');

export interface Held {
  readonly page: ActPage;
  readonly facts: TargetFacts;
  /** The notes of its step, which the page began as it found it. */
  readonly begun?: Promise<PageAnswers['step']['notes']>;
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
  /** The page has looked for the step's element. */
  readonly sought: (found: Found) => void;
  /** The page comes to rest after the step. */
  readonly rests: (rest: Promise<Rest>) => void;
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
    help: StepHelp,
    signal: AbortSignal,
  ): Promise<PageAnswers['step']> {
    const { channel } = this;
    const { give, rests, traffic, lastsMs = 0 } = help;
    const loan = await this.#lend({ do: 'step', ...ask });
    const id = channel.open(loan);
    const over = new AbortController();
    const refusals: SpillwayError[] = [];
    const answer = async (giving: ReturnType<Giving>): Promise<void> => {
      const given = await giving.then(
        (input) => ({ error: null, ...input }),
        (thrown: unknown) => {
          const refusal = toSpillwayError(thrown);
          refusals.push(refusal);
          return { error: { code: refusal.code, message: refusal.message } };
        },
      );
      if (!over.signal.aborted) channel.post({ type: 'given', id, ...given });
    };
    let seen: Stage | null = null;
    const how = this.#howLong(ask.waitMs + lastsMs, signal);
    try {
      await this.#post(id, { do: 'step', ...ask }, loan, true);
      // Only answers to typed text depend on how long nothing has been loading.
      void this.#tellNews(id, traffic, ask.step.kind !== 'fill', over.signal);
      for (let answered = Promise.resolve(); ;) {
        const received = await channel.receive(id, how);
        if (received.type === 'acted') {
          if (received.isResting === true) rests(this.#rest(id, how));
          else channel.end(id);
          return ANSWERS.step.parse(received.answer);
        }
        if (received.type === 'sought') await loan?.stored;
        if (received.type === 'seen') seen = received.at;
        this.#hear(received, help);
        if (received.type !== 'wants') continue;
        const { want } = received;
        const giving = give(want);
        giving.catch(() => undefined);
        // In the order of the wants.
        answered = answered.then(() => answer(giving));
        if (!isSeenFirst(want)) await answered;
      }
    } catch (thrown) {
      channel.release(id);
      if (ask.step.kind === 'point' && (await hasLeft(thrown, seen, channel.tabId, signal)))
        return { notes: [] };
      // The page knows only the code and the message of a refusal.
      throw refusals.find(({ message }) => message === toSpillwayError(thrown).message) ?? thrown;
    } finally {
      over.abort();
    }
  }

  async #rest(id: number, how: Parameters<PageChannel['receive']>[1]): Promise<Rest> {
    const { channel } = this;
    return (await channel.receiveA('rested', id, how).finally(() => channel.end(id))).rest;
  }

  #hear(received: FromPage, { did, sought }: StepHelp): void {
    if (received.type === 'did') did(received.did);
    if (received.type !== 'sought') return;
    this.channel.scriptId = received.scriptId;
    sought(received.found);
  }

  /** Tells a step's page what the tab loads. @param tellsNone also at first, if it loads nothing */
  async #tellNews(
    id: number,
    traffic: StepHelp['traffic'],
    tellsNone: boolean,
    over: AbortSignal,
  ): Promise<void> {
    for (let told = tellsNone ? '' : 'false false'; !over.aborted; await traffic.change()) {
      const [isLoading, isBusy] = [traffic.pending.length > 0, this.isLoading()];
      if (told === `${isLoading} ${isBusy}`) continue;
      told = `${isLoading} ${isBusy}`;
      const restedMs = Math.min(performance.now() - traffic.changedAt, RESTED_MS);
      this.channel.post({ type: 'news', id, isLoading, isBusy, restedMs });
    }
  }

  async #send<K extends ActAsk['do']>(
    ask: AskOf<K>,
    signal: AbortSignal,
    isChange: boolean,
  ): Promise<PageAnswers[K]> {
    const { channel } = this;
    const loan = await this.#lend(ask);
    const id = channel.open(loan);
    try {
      await this.#post(id, ask, loan, isChange);
      const how = this.#howLong('waitMs' in ask ? ask.waitMs : 0, signal);
      const { answer, scriptId } = await channel.receiveA('acted', id, how);
      channel.scriptId = scriptId;
      await loan?.stored;
      const kind: K = ask.do;
      // A guard ends with the act, however that ends.
      if ('isOn' in ask && ask.isOn) onAbort(signal, () => channel.release(id));
      else channel.end(id);
      return ANSWERS[kind].parse(answer);
    } catch (thrown) {
      channel.release(id);
      throw thrown;
    }
  }

  async #lend(ask: ActAsk): Promise<Loan | null> {
    const { book, viewer } = this.shownTo;
    return showsRefs(ask) ? book.lendFew(this.channel, { viewer }) : null;
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

/** Whether the page sees the input arrive, and wants more, before the browser says so. */
const isSeenFirst = (want: Want): boolean => 'aim' in want || ('by' in want && want.by === 'replacing');

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
