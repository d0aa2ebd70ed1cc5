import type { MeterReading, SessionBudget } from '../../shared/bridge/meter.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import type { ClientSession } from '../core/context.ts';
import { Listeners } from '../core/listeners.ts';
import type { Meter, MeteredCall } from '../core/meter.ts';
import type { ToolResult } from '../core/result.ts';
import type { Logger } from '../core/services.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { cut } from '../../shared/cut.ts';
import { Account, type Figures, NamedFigures } from './account.ts';
import { CountQueue, ENTRY_UNITS, uncounted, type Counter } from './count-queue.ts';
import { estimateTokens, measure, type Measure } from './measure.ts';

/** Sessions of one answer: those come first whose budget a person may have to lift. */
const LISTED_MAX = 100;
/** Sessions whose budget can be lifted; the oldest of more are added to their agents. Their budgets hold as long as they do. */
const KEPT_MAX = 2_000;
const NAME_UNITS = 100;

/** The accounts of open sessions, and what is left of those that have ended: figures by the name of the agent. */
class Accounts {
  readonly #budgetTokens: number | null;
  readonly #accounts = new WeakMap<ClientSession, Account>();
  readonly #kept = new Map<string, { readonly account: Account; readonly forget: () => void }>();
  readonly #ended = new NamedFigures();

  constructor(budgetTokens: number | null) {
    this.#budgetTokens = budgetTokens;
  }

  of(session: ClientSession): Account {
    const known = this.#accounts.get(session);
    if (known !== undefined) return known;
    const account = new Account(session, this.#budgetTokens);
    this.#accounts.set(session, account);
    this.#kept.set(session.id, { account, forget: onAbort(session.signal, () => this.#fold(session.id)) });
    if (this.#kept.size > KEPT_MAX) this.#fold(this.#leastNeeded());
    return account;
  }

  /** An open session, by its id. */
  find(id: string): Account | undefined {
    return this.#kept.get(id)?.account;
  }

  get hasBudgets(): boolean {
    if (this.#budgetTokens !== null) return true;
    for (const { account } of this.#kept.values()) if (account.hasBudget) return true;
    return false;
  }

  read(): Pick<MeterReading, 'sessions' | 'agents'> {
    const open = [...this.#kept.values()].map(({ account }) => account);
    const agents = new NamedFigures();
    for (const { name, figures } of this.#ended.entries()) agents.of(name).add(figures);
    for (const { session, figures } of open) agents.of(nameOf(session)).add(figures);
    return {
      sessions: listed(open),
      agents: agents.list(),
    };
  }

  close(): void {
    for (const { forget } of this.#kept.values()) forget();
  }

  /** The oldest without a budget, or the oldest. */
  #leastNeeded(): string {
    let oldest = '';
    for (const [id, { account }] of this.#kept) {
      if (!account.hasBudget) return id;
      oldest ||= id;
    }
    return oldest;
  }

  #fold(id: string): void {
    const listed = this.#kept.get(id);
    if (listed === undefined) return;
    listed.forget();
    this.#kept.delete(id);
    const { account } = listed;
    account.heir = this.#ended.of(nameOf(account.session));
    account.heir.add(account.figures);
  }
}

/** How much a session may need a person: what is used up comes first. */
const NEEDS = ['exceeded', 'warned', 'fine', null] as const;

function listed(open: readonly Account[]): MeterReading['sessions'] {
  const all = open.map((account) => ({
    session: account.session.id,
    agent: nameOf(account.session),
    figures: account.figures.toWire(),
    budget: account.budget(),
  }));
  const sorted = NEEDS.map((need) => all.filter(({ budget }) => (budget?.state ?? null) === need));
  let left = LISTED_MAX;
  return sorted.flatMap((sessions) => {
    const shown = left === 0 ? [] : sessions.slice(-left);
    left -= shown.length;
    return shown;
  });
}

const nameOf = ({ name }: Pick<ClientSession, 'name'>): string => cut(name.trim() || 'agent', NAME_UNITS);

/** How long after it was last read figures are counted, and not only estimated. */
const READ_MS = 30_000;
/** After so many in a row nothing is counted any longer. */
const FAILURES_MAX = 3;
/** So much of a stored output is counted; the rest counts as its beginning does. */
const STORED_BYTES = 256 * 1024;

/** The beginning of a stored output as text. @throws where it is gone */
export type ReadStored = (handle: string, maxBytes: number) => Promise<string>;

interface MeterOptions {
  /** What each session may use; null for no bound. */
  readonly budgetTokens: number | null;
  readonly counter: Counter;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What one answer changes: the figures of its session and of its tool. */
interface Entry {
  readonly account: Account;
  readonly tool: Figures;
}

/**
 * Counts what sessions are answered. A call costs an estimate by size; the tokens are counted later, in a thread, and
 * only where somebody wants to know: for a budget, or while the meter is read.
 */
export class LiveMeter implements Meter {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #accounts: Accounts;
  readonly #tools = new NamedFigures();
  readonly #queue: CountQueue;
  readonly #seen = new WeakSet<ToolResult>();
  readonly #changed = new Listeners<void>();
  #readStored: ReadStored | null = null;
  #reader: NodeJS.Timeout | null = null;
  /** In a row. */
  #failures = 0;

  constructor({ budgetTokens, counter, logger }: MeterOptions) {
    this.#logger = logger;
    this.#accounts = new Accounts(budgetTokens);
    this.#queue = new CountQueue({
      counter,
      isWanted: () => this.#failures < FAILURES_MAX && (this.#reader !== null || this.#accounts.hasBudgets),
      onCounted: () => {
        this.#failures = 0;
        this.#changed.notify();
      },
      onFailure: (thrown) => this.#failed(thrown),
    });
  }

  check(session: ClientSession): void {
    this.#accounts.of(session).check();
  }

  warning: Meter['warning'] = (session) => this.#accounts.of(session).warning();

  unsaid(session: ClientSession): void {
    this.#accounts.of(session).unsaid();
  }

  answered({ tool, args, session }: MeteredCall, result: ToolResult): void {
    if (this.#seen.has(result)) return;
    this.#seen.add(result);
    const entry = { account: this.#accounts.of(session), tool: this.#tools.of(tool) };
    const measured = measure(result);
    const { descriptor } = result;
    const isStored = descriptor !== undefined && entry.account.takeHandle(descriptor.output_handle);
    // What is fetched of a handle of the session was not saved in the end.
    const isFetched = descriptor === undefined && readsHandleOf(session, args);
    this.#add(entry, { ...measured, calls: 1, isSavingLess: isStored || isFetched });
    if (isStored) this.#save(entry, descriptor);
    this.#changed.notify();
  }

  sent(session: ClientSession, what: Parameters<Meter['sent']>[1], text: string): void {
    const entry = { account: this.#accounts.of(session), tool: this.#tools.of(what) };
    const bytes = Buffer.byteLength(text);
    this.#add(entry, { texts: [text], pictureTokens: 0, bytes, calls: 1, isSavingLess: false });
    this.#changed.notify();
  }

  of(session: ClientSession): ReturnType<Meter['of']> {
    const account = this.#accounts.of(session);
    return { figures: account.figures.toWire(), budget: account.budget() };
  }

  /** What was answered so far. From now on, and for a while, it is counted and not only estimated. */
  read(): MeterReading {
    if (this.#reader === null) this.#reader = setTimeout(() => (this.#reader = null), READ_MS).unref();
    else this.#reader.refresh();
    this.#queue.start();
    return {
      total: this.#tools.total().toWire(),
      ...this.#accounts.read(),
      tools: this.#tools.list(),
    };
  }

  /**
   * Gives a session more, or no budget at all.
   * @throws SpillwayError `session_closed` where no session of that id is open
   */
  lift(id: string, tokens: number | null): { readonly name: string; readonly budget: SessionBudget | null } {
    const account = this.#accounts.find(id);
    if (account === undefined)
      throw new SpillwayError('session_closed', 'There is no open session of that id.');
    account.lift(tokens);
    this.#queue.start();
    this.#changed.notify();
    return { name: account.session.name, budget: account.budget() };
  }

  /** Calls back when figures have changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }

  /** From now on stored outputs can be counted. */
  readStoredBy(read: ReadStored): void {
    this.#readStored = read;
  }

  /** Resolves when what somebody wants to know is counted. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async close(): Promise<void> {
    if (this.#reader !== null) clearTimeout(this.#reader);
    this.#accounts.close();
    await this.#queue.close();
  }

  #add(
    entry: Entry,
    {
      texts,
      pictureTokens,
      bytes,
      calls,
      isSavingLess,
    }: Measure & { readonly calls: number; readonly isSavingLess: boolean },
  ): void {
    const saving = isSavingLess ? -1 : 0;
    apply(entry, { calls, bytes, tokens: pictureTokens, savedTokens: saving * pictureTokens });
    for (const text of texts) {
      const estimate = estimateTokens(Buffer.byteLength(text));
      apply(entry, { tokens: estimate, estimatedTokens: estimate, savedTokens: saving * estimate });
      this.#queue.add(
        uncounted(text, (counted) => {
          const more = counted - estimate;
          apply(entry, { tokens: more, estimatedTokens: -estimate, savedTokens: saving * more });
        }),
      );
    }
  }

  /** What the payload would have taken inline. Pictures and files count nothing: they are not text. */
  #save(
    entry: Entry,
    { output_handle: handle, mime_type: mimeType, size_bytes: sizeBytes }: OutputDescriptor,
  ): void {
    if (!/^text\/|json/.test(mimeType)) return;
    const estimate = estimateTokens(sizeBytes);
    apply(entry, { savedTokens: estimate });
    const countedBytes = Math.min(sizeBytes, STORED_BYTES);
    this.#queue.add({
      text: () => this.#stored(handle),
      keptUnits: ENTRY_UNITS,
      countedUnits: countedBytes,
      scale: countedBytes === 0 ? 0 : sizeBytes / countedBytes,
      counted: (counted) => apply(entry, { savedTokens: counted - estimate }),
    });
  }

  async #stored(handle: string): Promise<string | null> {
    try {
      return (await this.#readStored?.(handle, STORED_BYTES)) ?? null;
    } catch {
      // It was evicted, or expired: the estimate stays.
      return null;
    }
  }

  /** Figures stay estimates: a server works without them. */
  #failed(thrown: unknown): void {
    this.#failures += 1;
    if (this.#failures === FAILURES_MAX)
      this.#logger.warn({ err: thrown }, 'tokens are estimated from now on: counting them failed');
  }
}

type Change = Partial<Pick<Figures, 'calls' | 'bytes' | 'tokens' | 'estimatedTokens' | 'savedTokens'>>;

function apply({ account, tool }: Entry, change: Change): void {
  for (const figures of [account.figures, tool, account.heir]) {
    if (figures === null) continue;
    figures.calls += change.calls ?? 0;
    figures.bytes += change.bytes ?? 0;
    figures.tokens += change.tokens ?? 0;
    figures.estimatedTokens += change.estimatedTokens ?? 0;
    figures.savedTokens += change.savedTokens ?? 0;
  }
}

const readsHandleOf = ({ outputs }: ClientSession, args: unknown): boolean =>
  isObject(args) && typeof args['output_handle'] === 'string' && outputs.has(args['output_handle']);
