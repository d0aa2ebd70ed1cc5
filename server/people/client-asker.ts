import { abortable } from '../../shared/async/wait.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { AskPerson } from '../core/ask-person.ts';
import type { Bridge, BrowserId, Clock, Logger, RaisedQuestion } from '../core/services.ts';
import { ANSWER_SCHEMA, describeQuestion, readReply } from './client-form.ts';

/** No person declines so fast: a client that does has shown nothing. */
const UNSEEN_MS = 500;
/** Calls whose clients showed nothing, the oldest forgotten first. */
const UNSEEN_MAX = 1_000;

interface AskerParts {
  readonly bridge: Bridge;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/** A question, without the name of its browser. */
interface HeldQuestion {
  readonly browser: BrowserId;
  readonly id: string;
}

type ClientQuestion = RaisedQuestion & { readonly askPerson: AskPerson };

/**
 * Lets the clients of agents ask their people (`--approvals client`). What they answer goes to the browser, which decides
 * whether it counts. What nobody saw, or nobody can see, is asked at the browser.
 */
export class ClientAsker {
  readonly #parts: AskerParts;
  /** The last question of each session: a client is asked one thing at a time. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #unseen = new Set<string>();
  #hasSaid = false;

  constructor(parts: AskerParts) {
    this.#parts = parts;
  }

  /**
   * Asks the client, where it may. Resolves when that has come to its end, whatever it is, and never rejects.
   * @param signal the question has come to its end without the client
   * @returns whether the person of the browser lets no client answer, and this says it for the first time
   */
  async ask(
    question: HeldQuestion,
    raised: RaisedQuestion,
    signal: AbortSignal,
  ): Promise<{ isOff: boolean }> {
    const { askPerson, scope } = raised;
    if (askPerson === undefined) return { isOff: false };
    const { session } = scope.caller;
    const before = this.#turns.get(session) ?? Promise.resolve();
    const turn = before.then(() => this.#askOrRelease(question, { ...raised, askPerson }, signal));
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(session, settled);
    try {
      return { isOff: await abortable(turn, signal) };
    } catch (thrown) {
      if (!signal.aborted) this.#parts.logger.warn({ err: thrown }, 'a client was not asked');
      return { isOff: false };
    } finally {
      void settled.then(() => {
        if (this.#turns.get(session) === settled) this.#turns.delete(session);
      });
    }
  }

  /** A question that nobody asks any longer would never be shown. */
  async #askOrRelease(question: HeldQuestion, raised: ClientQuestion, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#askOnce(question, raised, signal);
    } catch (thrown) {
      if (signal.aborted) return false;
      this.#parts.logger.warn({ err: thrown }, 'a client was not asked');
      await this.#release(question);
      return false;
    }
  }

  async #askOnce(question: HeldQuestion, raised: ClientQuestion, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const claimed = await this.#claim(question, signal);
    if (claimed.state === 'off') return this.#sayOff();
    if (claimed.state !== 'held') return false;
    const { call_id: callId } = raised.scope.call;
    const answer = this.#unseen.has(callId) ? null : await this.#answerOf(raised, claimed, signal);
    if (signal.aborted) return false;
    if (answer === null || !(await this.#take(question, answer))) {
      this.#remember(callId);
      await this.#release(question);
    }
    return false;
  }

  async #claim({ browser, id }: HeldQuestion, signal: AbortSignal) {
    try {
      return await this.#parts.bridge.request(browser, 'question.claim', { id }, { call: null, signal });
    } catch (thrown) {
      // An extension of the build before knows of no clients: it asks its person.
      if (toSpillwayError(thrown).code !== 'api_not_found') throw thrown;
      return { state: 'shown' as const, url: '', origin: '', risks: [] };
    }
  }

  /** What the client says; null where nobody saw the question, or nobody can read the answer. */
  async #answerOf(
    { askPerson, scope }: ClientQuestion,
    facts: Parameters<typeof describeQuestion>[1],
    signal: AbortSignal,
  ): Promise<ReturnType<typeof readReply>> {
    const { clock, logger } = this.#parts;
    const askedAt = clock.monotonic();
    try {
      const form = { message: describeQuestion(scope, facts), schema: ANSWER_SCHEMA };
      const reply = await abortable(askPerson(form, signal), signal);
      const isUnseen = reply.action !== 'accept' && clock.monotonic() - askedAt < UNSEEN_MS;
      return isUnseen ? null : readReply(reply);
    } catch (thrown) {
      if (!signal.aborted) logger.debug({ err: thrown }, 'a client did not ask its person');
      return null;
    }
  }

  /** False for an answer that the browser refuses. */
  async #take(
    { browser, id }: HeldQuestion,
    answer: { readonly approve: boolean; readonly reason?: string },
  ): Promise<boolean> {
    const { bridge, logger } = this.#parts;
    const { refused } = await bridge.request(browser, 'question.answer', { id, ...answer }, { call: null });
    if (refused !== null) logger.warn({ reason: refused }, 'the browser refused the answer of a client');
    return refused === null;
  }

  async #release({ browser, id }: HeldQuestion): Promise<void> {
    await this.#parts.bridge.request(browser, 'question.release', { id }, { call: null });
  }

  /** A call that is performed again goes to the person at the browser at once. */
  #remember(callId: string): void {
    this.#unseen.add(callId);
    const [oldest] = this.#unseen;
    if (this.#unseen.size > UNSEEN_MAX && oldest !== undefined) this.#unseen.delete(oldest);
  }

  #sayOff(): boolean {
    if (this.#hasSaid) return false;
    this.#hasSaid = true;
    this.#parts.logger.warn(
      {},
      '--approvals client: the person of the browser has not allowed clients to answer, so they are asked there',
    );
    return true;
  }
}
