import { abortable, anySignal, onAbort } from '../../shared/base/async.ts';
import { WorkOrder } from '../../shared/base/work-order.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import { cut } from '../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { canonicalJson, type JsonObject } from '../../shared/base/json.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { Decision } from '../../shared/core/policy/decision.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import type { Risk } from '../../shared/core/policy/risks.ts';
import type { AskPerson, PersonReply } from '../core/context.ts';
import type { LedgerEntry, LedgerFacts } from '../ledger/face.ts';
import type { ApprovalsMode, People, PersonDecision, RaisedQuestion } from '../core/people.ts';
import type { Bridge, BrowserId, Clock, Logger } from '../core/services.ts';
import { agentOf, formatActPlace, type DecisionRecord, type RecordParts } from './act-record.ts';
import type { KeptQuestions } from './kept-calls.ts';
import { AWAY, requestUntilBack } from './takeovers.ts';

/** Questions of a browser that is away. The browser itself ends the others after their ten minutes. */
const AWAY_MAX = 1_000;

/**
 * Ends questions whose answers are no longer needed. If a question's browser is away, it ends when the
 * browser is back.
 */
function createWithdraw({ bridge, logger }: Pick<PeopleParts, 'bridge' | 'logger'>) {
  const away = new Set<BrowserQuestion>();
  const withdraw = (question: BrowserQuestion, isAgain = false): void => {
    const { browser, id } = question;
    bridge.request(browser, 'question.cancel', { id }, { call: null }).catch((thrown: unknown) => {
      logger.debug({ err: thrown }, 'a question was not withdrawn');
      if (toSpillwayError(thrown).code !== 'browser_disconnected') return;
      // A browser that returns is connected before its old connection fails.
      const isBack = bridge.browsers().some((one) => one.id === browser && one.connected);
      if (isBack && !isAgain) withdraw(question, true);
      else if (away.size < AWAY_MAX) away.add(question);
    });
  };
  bridge.onChange((change, { id }) => {
    const back = [...away].filter(({ browser }) => change === 'connected' && browser === id);
    for (const question of back) {
      away.delete(question);
      withdraw(question);
    }
  });
  return withdraw;
}

/** A person may take their time: the browser ends an unanswered question. */
const QUESTION_MS = 15 * 60_000;

interface PeopleParts extends RecordParts {
  readonly bridge: Bridge;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly mode: ApprovalsMode;
  /** Names the home of the server to browsers. */
  readonly home: string;
  readonly record: DecisionRecord;
  readonly kept: Pick<KeptQuestions, 'staysOpen'>;
}

/** Waits for decisions in browsers, and writes them to the ledger. */
export function createPeople(parts: PeopleParts): People {
  const asker = new ClientAsker(parts);
  const withdraw = createWithdraw(parts);
  const asksClients = parts.mode === 'client';
  return {
    asksClients,
    home: parts.home,
    withdraw: (questionId) => {
      const question = findQuestion(parts.bridge, questionId);
      if (question !== null) withdraw(question);
    },
    decision: async (raised, signal) => {
      const question = findQuestion(parts.bridge, raised.id);
      if (question === null)
        throw new SpillwayError('browser_not_found', `The browser that asked ${raised.id} is not known.`);
      if (parts.mode === 'deny') {
        withdraw(question);
        return { approve: false, by: '--approvals deny', reason: 'this server asks nobody' };
      }
      const leave = (): void => {
        if (!parts.kept.staysOpen(raised.scope.call.call_id)) withdraw(question);
      };
      const stopListening = onAbort(signal, leave);
      const decided = new AbortController();
      const limited = anySignal([signal, decided.signal]);
      try {
        await parts.ledger.append(entryOf(parts, raised, { kind: 'question', risks: [] }));
        const asking = asksClients ? asker.ask(question, raised, limited.signal) : null;
        const outcome = await requestUntilBack(
          parts.bridge,
          question.browser,
          AWAY,
          () => waitFor(parts, question, signal),
          signal,
        );
        decided.abort(new SpillwayError('cancelled', 'The question has been decided.'));
        await asking;
        if (outcome === null) return null;
        const { decision, risks, site } = outcome;
        const line = entryOf(parts, raised, { ...ledgerFactsOf(decision), risks, site: site || undefined });
        await parts.record.once('decision', question.id, line, { mayBeThere: raised.isAdopted });
        return personDecision(decision, question.browser, raised);
      } catch (thrown) {
        // The call ends with it: a person would decide for nobody.
        if (!signal.aborted) leave();
        throw thrown;
      } finally {
        decided.abort(new SpillwayError('cancelled', 'The question has ended.'));
        limited.release();
        stopListening();
      }
    },
  };
}

/** The bridge prefixes the id with the browser's name. Null if there is no such browser. */
function findQuestion(bridge: Bridge, questionId: string): BrowserQuestion | null {
  const [name = '', id = ''] = questionId.split(':');
  const browser = bridge.browsers().find((one) => one.id === name);
  return browser === undefined ? null : { browser: browser.id, id };
}

function personDecision(decision: Decision, browser: BrowserId, raised: RaisedQuestion): PersonDecision {
  const isVerified = decision.where !== 'client';
  const by = isVerified
    ? `a person, in browser ${browser}`
    : `the client ${raised.scope.caller.name}, unverified`;
  return decision.approve
    ? { approve: true, by, args: decision.args }
    : { approve: false, by, reason: decision.reason };
}

/** A decision and its subject; null where the browser no longer knows the question. */
async function waitFor({ bridge }: PeopleParts, { browser, id }: BrowserQuestion, signal: AbortSignal) {
  const options = { call: null, signal, idleTimeoutMs: QUESTION_MS };
  const ended = await bridge.request(browser, 'question.wait', { id }, options);
  const { decision, end, risks = [], site = '' } = ended;
  if (end === 'gone') return null;
  if (end === 'timeout')
    throw new SpillwayError('approval_timeout', 'Nobody decided about the call in time. Nothing was done.');
  if (decision === null) throw new SpillwayError('cancelled', 'The question was withdrawn.');
  return { decision, risks, site };
}

type LedgerDraft = Omit<LedgerFacts, 'agent'>;

function ledgerFactsOf(decision: Decision): Omit<LedgerDraft, 'risks'> {
  const decided = { where: formatActPlace(decision.where) };
  if (!decision.approve) return { kind: 'decision', decided, outcome: 'denied' };
  const { grant, scope } = decision;
  return { kind: 'decision', decided, outcome: 'approved', grant, scope };
}

function entryOf(
  { redactor, server }: PeopleParts,
  { id, scope: { caller, call } }: RaisedQuestion,
  written: LedgerDraft,
): LedgerEntry {
  const { call_id, tool, args_hash } = call;
  // Without the name of its browser, which differs at each server.
  const question = id.slice(id.indexOf(':') + 1);
  return redactor.value({
    ...written,
    ...(written.kind === 'decision' ? { report: question } : {}),
    agent: agentOf(caller, server),
    question,
    tool,
    call_id,
    args_hash,
  });
}

/** A browser reports decisions, including those made while no server of the home ran. */
export function takeReports(
  bridge: Bridge,
  { home, logger }: { readonly home: string; readonly logger: Logger },
): void {
  bridge.onChange((event, browser) => {
    if (event === 'disconnected') return;
    bridge
      .request(browser.id, 'ledger.subscribe', { home, takes_ends: true }, { call: null })
      .catch((thrown: unknown) => {
        // An extension of the previous build leaves decisions to the calls that wait for them.
        logger.debug({ err: thrown }, 'a browser reports no decisions');
      });
  });
}

const NAME_UNITS = 100;
const ADDRESS_UNITS = 300;
/** A client gets no question with longer arguments, since it might show only their beginning: the browser asks. */
const ARGUMENT_UNITS = 4_000;

const fitsClient = ({ call: { args } }: CallScope): boolean =>
  args !== null && canonicalJson(args).length <= ARGUMENT_UNITS;

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
  borrow_tab: 'use a tab of yours',
  list_tabs: 'see which tabs you have open',
  read_history: 'search your history and bookmarks',
  show_tab: 'bring a tab to the front',
  use_container: 'use one of your containers',
  carry_text: 'pass on text of another site',
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
const revealOnLine = (text: string, units: number): string => reveal(cut(text, units));

function describeQuestion(
  { caller, call }: CallScope,
  { url, origin, risks }: { readonly url: string; readonly origin: string; readonly risks: readonly Risk[] },
): string {
  const agent = [caller.name, ...(caller.version === undefined ? [] : [caller.version])].join(' ');
  return [
    'Spillway asks for your permission: an agent wants to act in your browser.',
    `Who: ${revealOnLine(agent, NAME_UNITS)}`,
    `Where: ${revealOnLine(origin, ADDRESS_UNITS)} (the address is ${revealOnLine(url, ADDRESS_UNITS)})`,
    `What: ${revealOnLine(call.title, NAME_UNITS)} (${revealOnLine(call.tool, NAME_UNITS)})`,
    `With: ${reveal(canonicalJson(call.args ?? {}))}`,
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
/** Maximum remembered calls whose clients showed nothing; the oldest are forgotten first. */
const UNSEEN_MAX = 1_000;

/** A question as its browser calls it. */
interface BrowserQuestion {
  readonly browser: BrowserId;
  readonly id: string;
}

/**
 * Lets agents' clients ask their people (`--approvals client`). Their answers go to the browser, which
 * decides whether they count. The browser asks if nobody saw, or nobody can see, the question.
 */
export class ClientAsker {
  /** By session: a client is asked one thing at a time. */
  readonly #turns = new WorkOrder<string>();
  readonly #unseen = new BoundedMap<string, true>(UNSEEN_MAX);
  #hasSaid = false;

  constructor(private readonly parts: Pick<PeopleParts, 'bridge' | 'clock' | 'logger'>) {}

  /**
   * Asks the client, if it may. Resolves when that has ended, in whatever way, and never rejects.
   * @param signal the question ended without the client
   */
  async ask(question: BrowserQuestion, raised: RaisedQuestion, signal: AbortSignal): Promise<void> {
    const { askPerson, scope } = raised;
    if (askPerson === undefined) return;
    const { session } = scope.caller;
    const turn = this.#turns.run(session, () =>
      this.#askOnce(question, { ...raised, askPerson }, signal).catch(async (thrown: unknown) => {
        if (signal.aborted) return;
        // A question that is no longer asked would never be shown.
        this.parts.logger.warn({ err: thrown }, 'a client was not asked');
        await this.#release(question).catch(() => undefined);
      }),
    );
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
    const isAsked = !this.#unseen.has(callId) && fitsClient(raised.scope);
    const answer = isAsked ? await this.#answerOf(raised, claimed, signal) : null;
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
