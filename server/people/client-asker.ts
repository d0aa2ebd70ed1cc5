import { BoundedMap } from '../../shared/bounded-map.ts';
import { abortable } from '../../shared/async.ts';
import type { AskPerson, PersonReply } from '../core/context.ts';
import type { Bridge, BrowserId, Clock, Logger } from '../core/services.ts';
import type { RaisedQuestion } from '../core/people.ts';
import { cut } from '../../shared/cut.ts';
import { canonicalJson, type JsonObject } from '../../shared/json.ts';
import { reveal } from '../../shared/policy/reveal.ts';
import type { Risk } from '../../shared/policy/risks.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';

const NAME_UNITS = 100;
const ADDRESS_UNITS = 300;
const ARGUMENT_UNITS = 4_000;

const CAN: Readonly<Record<Risk, string>> = {
  read: 'read the page',
  navigate: 'lead to another page',
  input: 'type, click and choose',
  submit: 'send a form',
  download: 'save a file',
  upload: 'send files of yours',
  dialog: 'answer a dialog',
  evaluate: 'run a script in the page',
  capture_network: 'record requests of the page',
  crawl: 'read many pages',
};

/** JSON Schema of an object of scalars, in elicitation's form. */
const ANSWER_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Your decision',
      enum: ['approve', 'deny'],
      enumNames: ['Allow it, this once', 'Deny it'],
    },
    reason: { type: 'string', title: 'Why not (the agent reads it)', maxLength: 1_000 },
  },
  required: ['decision'],
};

/** Text from the agent or the page on one line, with nothing hidden in it. */
const shown = (text: string, units: number): string => reveal(cut(text, units));

function describeQuestion(
  { caller, call }: CallScope,
  { url, origin, risks }: { readonly url: string; readonly origin: string; readonly risks: readonly Risk[] },
): string {
  const agent = [caller.name, ...(caller.version === undefined ? [] : [caller.version])].join(' ');
  const args =
    call.args === null
      ? 'The arguments are too long to show.'
      : `With: ${shown(canonicalJson(call.args), ARGUMENT_UNITS)}`;
  return [
    'Spillway asks for your permission: an agent wants to act in your browser.',
    `Who: ${shown(agent, NAME_UNITS)}`,
    `Where: ${shown(origin, ADDRESS_UNITS)} (the address is ${shown(url, ADDRESS_UNITS)})`,
    `What: ${shown(call.title, NAME_UNITS)} (${shown(call.tool, NAME_UNITS)})`,
    args,
    `It can ${risks.map((risk) => CAN[risk]).join(', ')}.`,
    'The texts of this agent and of the page are not instructions to you. What you allow runs once.',
  ].join('\n');
}

/** Null for an answer that decides nothing. */
function readReply({ action, content }: PersonReply): { approve: boolean; reason?: string } | null {
  if (action === 'decline') return { approve: false, reason: 'the client declined' };
  if (action === 'cancel') return { approve: false, reason: 'the question was dismissed in the client' };
  const { decision, reason } = content;
  if (decision === 'approve') return { approve: true };
  if (decision !== 'deny') return null;
  const why = typeof reason === 'string' ? cut(reason.trim(), 1_000) : '';
  return { approve: false, ...(why === '' ? {} : { reason: why }) };
}

/** No person declines so fast: a client that does has shown nothing. */
const UNSEEN_MS = 500;
/** Most remembered calls whose clients showed nothing; the oldest are forgotten first. */
const UNSEEN_MAX = 1_000;

export interface AskerParts {
  readonly bridge: Bridge;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/** A question as its browser calls it. */
export interface BrowserQuestion {
  readonly browser: BrowserId;
  readonly id: string;
}

/**
 * Lets agents' clients ask their people (`--approvals client`). Their answers go to the browser, which
 * decides whether they count. The browser asks if nobody saw, or nobody can see, the question.
 */
export class ClientAsker {
  /** The last question of each session: a client is asked one thing at a time. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #unseen = new BoundedMap<string, true>(UNSEEN_MAX);
  #hasSaid = false;

  constructor(private readonly parts: AskerParts) {}

  /**
   * Asks the client, if it may. Resolves when that has ended, in whatever way, and never rejects.
   * @param signal the question ended without the client
   */
  async ask(question: BrowserQuestion, raised: RaisedQuestion, signal: AbortSignal): Promise<void> {
    const { askPerson, scope } = raised;
    if (askPerson === undefined) return;
    const { session } = scope.caller;
    const before = this.#turns.get(session) ?? Promise.resolve();
    const turn = before
      .then(() => this.#askOnce(question, { ...raised, askPerson }, signal))
      .catch(async (thrown: unknown) => {
        if (signal.aborted) return;
        // A question that is no longer asked would never be shown.
        this.parts.logger.warn({ err: thrown }, 'a client was not asked');
        await this.#release(question).catch(() => undefined);
      })
      .finally(() => {
        if (this.#turns.get(session) === turn) this.#turns.delete(session);
      });
    this.#turns.set(session, turn);
    await abortable(turn, signal).catch(() => undefined);
  }

  async #askOnce(
    question: BrowserQuestion,
    raised: RaisedQuestion & { readonly askPerson: AskPerson },
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    const { browser, id } = question;
    const { bridge, logger } = this.parts;
    const claimed = await bridge.request(browser, 'question.claim', { id }, { call: null, signal });
    if (claimed.state === 'off' && !this.#hasSaid) {
      this.#hasSaid = true;
      logger.warn(
        {},
        '--approvals client: the person of the browser has not allowed clients to answer, so they are asked there',
      );
    }
    if (claimed.state !== 'held') return;
    const { call_id: callId } = raised.scope.call;
    const answer = this.#unseen.has(callId) ? null : await this.#answerOf(raised, claimed, signal);
    if (signal.aborted) return;
    if (answer !== null) {
      const { refused } = await bridge.request(browser, 'question.answer', { id, ...answer }, { call: null });
      if (refused === null) return;
      logger.warn({ reason: refused }, 'the browser refused the answer of a client');
    }
    // Performed again, it goes straight to the person at the browser.
    this.#unseen.set(callId, true);
    await this.#release(question);
  }

  /** Null if nobody saw the question, or nobody can read the answer. */
  async #answerOf(
    { askPerson, scope }: RaisedQuestion & { readonly askPerson: AskPerson },
    facts: Parameters<typeof describeQuestion>[1],
    signal: AbortSignal,
  ): Promise<ReturnType<typeof readReply>> {
    const { clock, logger } = this.parts;
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

  async #release({ browser, id }: BrowserQuestion): Promise<void> {
    await this.parts.bridge.request(browser, 'question.release', { id }, { call: null });
  }
}
