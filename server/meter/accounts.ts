import type { MeterReading } from '../../shared/bridge/meter.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { cut } from '../../shared/cut.ts';
import type { ClientSession } from '../core/context.ts';
import { Account } from './account.ts';
import { NamedFigures } from './figures.ts';

/** Sessions of one answer: those come first whose budget a person may have to lift. */
const LISTED_MAX = 100;
/** Sessions whose budget can be lifted; the oldest of more are added to their agents. Their budgets hold as long as they do. */
const KEPT_MAX = 2_000;
const NAME_UNITS = 100;

/** The accounts of open sessions, and what is left of those that have ended: figures by the name of the agent. */
export class Accounts {
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
