import { SessionMemory, type SessionStorage } from '../../core/session-memory.ts';
import {
  MAX_ENDED,
  MAX_GRANTS,
  MAX_REFUSED,
  MAX_REPORTS_KEPT,
  QuestionState,
  type WaitingReport,
  type HeldGrant,
  type Question,
} from './queue.ts';
import type { Decision } from '../../../shared/core/policy/decision.ts';
import {
  ChainEnds,
  MAX_ENDS,
  MAX_REPORTS,
  type ChainEnd,
  type LedgerReport,
} from '../../../shared/ledger/report.ts';
import { type QuestionOutcome, type AnswerRefusal } from '../../../shared/people/question-methods.ts';
import { isPersonal } from '../../../shared/core/policy/names.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { onAbort } from '../../../shared/base/async.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { Queue } from '../../../shared/base/queue.ts';
import type { ServerPort } from '../../core/handler.ts';
import browser from 'webextension-polyfill';
import { z } from 'zod';

/** Key in `storage.local`: homes by name, the one whose ledger grew last at the end. */
const KEY = 'ledger_ends';
const MAX_HOMES = 16;

const Stored = z.array(z.object({ home: z.string(), ends: ChainEnds })).catch([]);
type Stored = z.infer<typeof Stored>;

const writing = new Queue(1);

async function readReports(): Promise<Stored> {
  const { [KEY]: stored } = await browser.storage.local.get(KEY);
  return Stored.parse(stored);
}

function change(home: string, changed: (ends: readonly ChainEnd[]) => readonly ChainEnd[]): Promise<void> {
  return writing.add(async () => {
    const homes = await readReports();
    const ends = changed(homes.find((one) => one.home === home)?.ends ?? []);
    const others = homes.filter((one) => one.home !== home);
    const kept = ends.length === 0 ? others : [...others, { home, ends }];
    await browser.storage.local.set({ [KEY]: kept.slice(-MAX_HOMES) });
  });
}

/** Remembers the length of a chain in a home's ledger. A chain never gets shorter. */
export const rememberEnd = (home: string, { chain, seq }: ChainEnd): Promise<void> =>
  change(home, (ends) => {
    const known = ends.find((end) => end.chain === chain)?.seq ?? 0;
    const others = ends.filter((end) => end.chain !== chain);
    return [...others, { chain, seq: Math.max(seq, known) }].slice(-MAX_ENDS);
  });

/** The ends of the newest chains of a home's ledger. */
export async function rememberedEnds(home: string): Promise<readonly ChainEnd[]> {
  const homes = await writing.add(readReports);
  return homes.find((one) => one.home === home)?.ends ?? [];
}

/** A person has removed a home's ledger. */
export const forgetEnds = (home: string): Promise<void> => change(home, () => []);

/**
 * Limits the reports. People's decisions take precedence over ends of questions, of which an agent can cause any
 * number.
 */
export function keptReports(reports: WaitingReport[]): WaitingReport[] {
  if (reports.length <= MAX_REPORTS_KEPT) return reports;
  const isEnd = ({ report }: WaitingReport): boolean => report.kind === 'question_end';
  const others = reports.filter((one) => !isEnd(one)).slice(-MAX_REPORTS_KEPT);
  const ends = MAX_REPORTS_KEPT - others.length;
  const kept = new Set([...others, ...(ends === 0 ? [] : reports.filter(isEnd).slice(-ends))]);
  return reports.filter((one) => kept.has(one));
}

/** Questions, grants and outcomes of this browser, and their copy in storage. */
export class QuestionMemory extends SessionMemory<QuestionState> {
  /** @param monotonicNow a clock that cannot be set, starting with the worker */
  constructor(storage: SessionStorage, now: () => number, monotonicNow: () => number) {
    super({ storage, now, monotonicNow, schema: QuestionState, empty: QuestionState.parse({}) });
  }

  /** All grants end: their age is no longer certain. */
  protected override setBack(_now: number, byMs: number): void {
    const { state } = this;
    state.grants = [];
    state.ended = state.ended.map((ended) => ({ ...ended, at: ended.at - byMs }));
    state.cards = state.cards.map(({ key, questions }) => ({
      key,
      questions: questions.map((question) => ({ ...question, asked_at: question.asked_at - byMs })),
    }));
  }

  protected override trim(): void {
    const { state } = this;
    state.ended = state.ended.slice(-MAX_ENDED);
    state.refused = state.refused.slice(-MAX_REFUSED);
    state.grants = state.grants.slice(-MAX_GRANTS);
    state.scopes = Object.fromEntries(Object.entries(state.scopes).slice(-MAX_GRANTS));
    state.reports = keptReports(state.reports);
  }

  protected override hasOpen(): boolean {
    return this.state.cards.length > 0 || this.state.grants.length > 0;
  }
}

/** A server that receives the reports of its home. */
interface Subscriber {
  readonly home: string;
  readonly server: Pick<ServerPort, 'instance' | 'request'>;
  readonly closed: AbortSignal;
}

/** The question of a rejected decision. */
export interface Refused {
  readonly id: string;
  readonly server: string;
  readonly home: string | null;
  readonly agent: { readonly name: string; readonly session: string };
  readonly risks: Risk[];
  readonly site: string | null;
}

const NOTHING = {
  question: null,
  grant: null,
  scope: null,
  where: null,
  outcome: null,
  refusal: null,
  risks: [],
  site: null,
  tool: null,
  call_id: null,
  args_hash: null,
};

/**
 * Reports decisions, revocations and rejected decisions to the ledger of the server that asked. If it is disconnected,
 * it or the next server of the same home gets them later. A report is kept until it is acknowledged.
 */
export class LedgerReports {
  readonly #subscribers = new Set<Subscriber>();
  /** Created by this worker and not sent yet: any other report may already be in the ledger. */
  readonly #fresh = new Set<string>();
  #isSending = false;
  #isWanted = false;

  constructor(private readonly memory: QuestionMemory) {}

  /** A person, or an agent's client, has decided. */
  decided(question: Question, decision: Decision): void {
    const { where } = decision;
    const yes = decision.approve ? { scope: decision.scope, grant: decision.grant } : {};
    const outcome = decision.approve ? 'approved' : 'denied';
    this.#addOf(question, { kind: 'decision', where, outcome, ...yes });
  }

  /** A question ended without a decision. */
  ended(question: Question, outcome: NonNullable<QuestionOutcome['end']>): void {
    this.#addOf(question, { kind: 'question_end', outcome });
  }

  #addOf(
    { id, server, home, caller: agent, call, risks, origin: site }: Question,
    what: Pick<LedgerReport, 'kind' | 'outcome'> & Partial<LedgerReport>,
  ): void {
    const { tool, call_id, args_hash } = call;
    // The agent could read there where a person's tab is.
    const isSecret = isPersonal(risks) && what.outcome !== 'approved';
    const about = {
      question: id,
      server,
      agent,
      risks,
      site: isSecret ? null : site,
      tool,
      call_id,
      args_hash,
    };
    this.#add(home, { ...NOTHING, ...about, id, is_again: false, ...what });
  }

  /** A person has given a tab without being asked. */
  given(grant: HeldGrant): void {
    const { id, home, server, agent, session, scope, where, risks, origin } = grant;
    const about = { ...NOTHING, grant: id, scope, where, risks, site: origin, outcome: 'approved' as const };
    const whose = { server: server ?? '', agent: { name: agent, session: session ?? '' } };
    this.#add(home, {
      ...about,
      ...whose,
      id: `d_${crypto.randomUUID()}`,
      kind: 'decision',
      is_again: false,
    });
  }

  /** The home of a connected server; null if it reports none. */
  homeOf(server: string): string | null {
    return [...this.#subscribers].find(({ server: { instance } }) => instance === server)?.home ?? null;
  }

  revoked({ id, server, home, agent, session, question, scope, risks, origin, tool }: HeldGrant): void {
    const about = { ...NOTHING, question: question || null, grant: id, scope, risks, site: origin, tool };
    const whose = { server: server ?? '', agent: { name: agent, session: session ?? '' } };
    this.#add(home, { ...about, ...whose, id, kind: 'grant_revoked', is_again: false });
  }

  /** A decision was rejected. @param about null if it named nothing known */
  refused(refusal: AnswerRefusal['reason'], about: Refused | null): void {
    const { id: question = null, server = '', home = null, risks = [], site = null } = about ?? {};
    const agent = { name: about?.agent.name ?? '', session: about?.agent.session ?? '' };
    const id = `r_${crypto.randomUUID()}`;
    const facts = { ...NOTHING, question, risks, site, refusal };
    this.#add(home, { ...facts, id, kind: 'refused', server, agent, is_again: false });
  }

  /** The server receives the reports of its home from now on, until it disconnects. */
  subscribe(subscriber: Subscriber): void {
    const { closed } = subscriber;
    if (closed.aborted) return;
    this.#subscribers.add(subscriber);
    onAbort(closed, () => this.#subscribers.delete(subscriber));
    this.#begin();
  }

  /** Sends reports that a server rejected before: its disk may have room by now. */
  retry(): void {
    if (this.memory.state.reports.length > 0) this.#begin();
  }

  /** Stored together with its subject: the caller saves. */
  #add(home: string | null, report: LedgerReport): void {
    // Servers of the previous version write decisions themselves, and take no reports.
    if (home === null && report.server !== '') return;
    this.memory.state.reports.push({ home, report: { ...report, is_again: true } });
    this.#fresh.add(report.id);
    this.#begin();
  }

  #begin(): void {
    this.#isWanted = true;
    // Decisions made together are sent together.
    if (!this.#isSending) queueMicrotask(() => void this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#send();
    }
    this.#isSending = false;
  }

  /**
   * Sends everything that has a receiver. Failed reports wait until a server subscribes, or there is more to report.
   */
  async #send(): Promise<void> {
    const failed = new Set<Subscriber>();
    let most = MAX_REPORTS;
    for (;;) {
      const batch = this.#next(failed, most);
      if (batch === null) return;
      const { to, waiting } = batch;
      const reports = waiting.map(({ report }) => ({ ...report, is_again: !this.#fresh.delete(report.id) }));
      try {
        await to.server.request('ledger.report', { reports }, to.closed);
      } catch (thrown) {
        const { code, message } = toSpillwayError(thrown);
        const isInvalid = code === 'invalid_argument';
        // One that no server takes must not keep the others back.
        if (isInvalid && waiting.length > 1) most = 1;
        else if (!isInvalid) failed.add(to);
        if (!isInvalid || waiting.length > 1) continue;
        console.warn(`A report was dropped, which the ledger does not take: ${message}`);
        most = MAX_REPORTS;
      }
      const sent = new Set(waiting);
      this.memory.state.reports = this.memory.state.reports.filter((one) => !sent.has(one));
      await this.memory.save();
    }
  }

  /** The oldest reports for one server. */
  #next(
    failed: ReadonlySet<Subscriber>,
    most: number,
  ): { readonly to: Subscriber; readonly waiting: WaitingReport[] } | null {
    const { reports } = this.memory.state;
    for (const first of reports) {
      const to = this.#takerOf(first, failed);
      if (to === null) continue;
      const waiting = reports.filter((one) => this.#takerOf(one, failed) === to).slice(0, most);
      return { to, waiting };
    }
    return null;
  }

  /** The server that asked; else one of the same home; any server if the report names none. */
  #takerOf({ home, report }: WaitingReport, failed: ReadonlySet<Subscriber>): Subscriber | null {
    const all = [...this.#subscribers].filter((one) => !failed.has(one));
    const own = all.find(({ server }) => server.instance === report.server);
    const heir = all.find((one) => one.home === home || (home === null && report.server === ''));
    return own ?? heir ?? null;
  }
}
