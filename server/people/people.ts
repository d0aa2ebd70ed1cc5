import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { anySignal, onAbort } from '../../shared/async.ts';
import type { Decision } from '../../shared/policy/decision.ts';
import type { LedgerEntry, LedgerFacts } from '../core/ledger.ts';
import type { Bridge, BrowserId, Logger } from '../core/services.ts';
import type { People, PersonDecision, RaisedQuestion, ApprovalsMode } from '../core/people.ts';
import { placeOf, type DecisionRecord, type RecordParts, agentOf } from './act-record.ts';
import { type AskerParts, ClientAsker, type BrowserQuestion } from './client-asker.ts';
import type { KeptQuestions } from './kept-calls.ts';
import { AWAY, insist } from './takeovers.ts';

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

interface PeopleParts extends RecordParts, AskerParts {
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
        const outcome = await insist(
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

type Written = Omit<LedgerFacts, 'agent'>;

function ledgerFactsOf(decision: Decision): Omit<Written, 'risks'> {
  const decided = { where: placeOf(decision.where) };
  if (!decision.approve) return { kind: 'decision', decided, outcome: 'denied' };
  const { grant, scope } = decision;
  return { kind: 'decision', decided, outcome: 'approved', grant, scope };
}

function entryOf(
  { redactor, server }: PeopleParts,
  { id, scope: { caller, call } }: RaisedQuestion,
  written: Written,
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
