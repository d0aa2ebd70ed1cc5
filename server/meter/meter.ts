import type { MeterFigures, MeterReading, SessionBudget } from '../../shared/bridge/meter.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json.ts';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import type { ClientSession } from '../core/context.ts';
import { Listeners } from '../core/listeners.ts';
import type { Meter, MeteredCall } from '../core/feed.ts';
import type { ToolResult } from '../core/result.ts';
import { clean } from '../redact/clean.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { cut } from '../../shared/cut.ts';
import { measure, tokensOfText, type Measure } from './measure.ts';

type Figures = { -readonly [Name in keyof MeterFigures]: number };
const noFigures = (): Figures => ({ calls: 0, bytes: 0, tokens: 0, saved_tokens: 0 });

/** Names that are kept apart; those that come later share one. */
const NAMES_MAX = 200;
const OTHERS = '(others)';

/** Figures by name. */
class NamedFigures extends Map<string, Figures> {
  of(name: string): Figures {
    const kept = this.has(name) || this.size < NAMES_MAX ? name : OTHERS;
    const figures = this.get(kept) ?? noFigures();
    this.set(kept, figures);
    return figures;
  }

  /** Most tokens first. */
  list(): MeterReading['tools'] {
    const all = [...this].map(([name, figures]) => ({ name, figures: { ...figures } }));
    return all.toSorted((one, other) => other.figures.tokens - one.figures.tokens);
  }
}

/** Share of its budget at which a session is warned. */
const WARNED_AT = 0.8;
/** Handles of one session whose savings are counted once; an older one would be counted again. */
const HANDLES_MAX = 1_000;

interface Account {
  readonly session: Pick<ClientSession, 'id' | 'name'>;
  readonly figures: Figures;
  readonly handles: BoundedMap<string, true>;
  /** Null without a budget. */
  limit: number | null;
  isWarned: boolean;
}

function budgetOf({ limit, figures: { tokens } }: Account): SessionBudget | null {
  if (limit === null) return null;
  const left = Math.max(0, limit - tokens);
  return {
    tokens: limit,
    left,
    state: left === 0 ? 'exceeded' : tokens >= limit * WARNED_AT ? 'warned' : 'fine',
  };
}

const NAME_UNITS = 100;
const nameOf = ({ name }: Account['session']): string => cut(name.trim() || 'agent', NAME_UNITS);
/** Sessions of one reading. */
const LISTED_MAX = 100;
/** How much a session may need a person: what is used up comes first. */
const NEEDS = ['exceeded', 'warned', 'fine', undefined] as const;

/** The sessions that need a person most, the newest of each need last. */
function listed(accounts: readonly Account[]): MeterReading['sessions'] {
  let left = LISTED_MAX;
  return NEEDS.flatMap((need) => {
    const all = accounts.filter((account) => budgetOf(account)?.state === need);
    const shown = left === 0 ? [] : all.slice(-left);
    left -= shown.length;
    return shown.map((account) => ({
      session: account.session.id,
      agent: nameOf(account.session),
      figures: { ...account.figures },
      budget: budgetOf(account),
    }));
  });
}

/** The figures of its session, its agent, its tool, and all. */
type Entry = readonly Figures[];

/** Counts what sessions are answered. Tokens are estimated from the text, at once. */
export class LiveMeter implements Meter {
  /** Null for no bound. */
  readonly #budgetTokens: number | null;
  readonly #accounts = new Map<string, Account>();
  readonly #agents = new NamedFigures();
  readonly #tools = new NamedFigures();
  readonly #total = noFigures();
  readonly #seen = new WeakSet<ToolResult>();
  readonly #changed = new Listeners<void>();

  constructor(budgetTokens: number | null) {
    this.#budgetTokens = budgetTokens;
  }

  #accountOf(session: ClientSession): Account {
    const known = this.#accounts.get(session.id);
    if (known !== undefined) return known;
    const account: Account = {
      session,
      figures: noFigures(),
      handles: new BoundedMap(HANDLES_MAX),
      limit: this.#budgetTokens,
      isWarned: false,
    };
    this.#accounts.set(session.id, account);
    onAbort(session.signal, () => this.#accounts.delete(session.id));
    return account;
  }

  check(session: ClientSession): void {
    const account = this.#accountOf(session);
    const budget = budgetOf(account);
    if (budget?.state !== 'exceeded') return;
    throw new SpillwayError(
      'budget_exceeded',
      `This session was answered ${account.figures.tokens} tokens, and its budget is ${budget.tokens}.`,
    );
  }

  warning: Meter['warning'] = (session) => {
    const account = this.#accountOf(session);
    const budget = budgetOf(account);
    if (account.isWarned || budget?.state !== 'warned') return null;
    account.isWarned = true;
    return clean`${budget.left} of this session's ${budget.tokens} tokens are left. Ask for less: output_mode "handle", find, smaller pages.`;
  };

  unsaid(session: ClientSession): void {
    this.#accountOf(session).isWarned = false;
  }

  answered({ tool, args, session }: MeteredCall, result: ToolResult): void {
    if (this.#seen.has(result)) return;
    this.#seen.add(result);
    const { handles } = this.#accountOf(session);
    const entry = this.#entryOf(session, tool);
    const measured = measure(result);
    const { descriptor } = result;
    const isStored = descriptor !== undefined && !handles.has(descriptor.output_handle);
    // Tokens fetched from a handle of the session were not saved.
    const isFetched = descriptor === undefined && readsHandleOf(session, args);
    this.#add(entry, { ...measured, isSavingLess: isStored || isFetched });
    if (isStored) {
      handles.set(descriptor.output_handle, true);
      apply(entry, { saved_tokens: tokensOfPayload(descriptor) });
    }
    this.#changed.notify();
  }

  sent(session: ClientSession, what: Parameters<Meter['sent']>[1], text: string): void {
    const bytes = Buffer.byteLength(text);
    const entry = this.#entryOf(session, what);
    this.#add(entry, { texts: [text], pictureTokens: 0, bytes, isSavingLess: false });
    this.#changed.notify();
  }

  #entryOf(session: ClientSession, tool: string): Entry {
    const { figures } = this.#accountOf(session);
    return [figures, this.#agents.of(nameOf(session)), this.#tools.of(tool), this.#total];
  }

  of(session: ClientSession): ReturnType<Meter['of']> {
    const account = this.#accountOf(session);
    return { figures: { ...account.figures }, budget: budgetOf(account) };
  }

  read(): MeterReading {
    return {
      total: { ...this.#total },
      sessions: listed([...this.#accounts.values()]),
      agents: this.#agents.list(),
      tools: this.#tools.list(),
    };
  }

  /**
   * Gives a session more, or no budget at all.
   * @throws SpillwayError `session_closed` where no session of that id is open
   */
  lift(id: string, tokens: number | null): { readonly name: string; readonly budget: SessionBudget | null } {
    const account = this.#accounts.get(id);
    if (account === undefined)
      throw new SpillwayError('session_closed', 'There is no open session of that id.');
    account.limit = tokens === null ? null : account.figures.tokens + tokens;
    account.isWarned = false;
    this.#changed.notify();
    return { name: account.session.name, budget: budgetOf(account) };
  }

  /** Calls back when figures have changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changed.add(listener);
  }

  #add(entry: Entry, answer: Measure & { readonly isSavingLess: boolean }): void {
    const { texts, pictureTokens, bytes, isSavingLess } = answer;
    const tokens = texts.reduce((sum, text) => sum + tokensOfText(text), pictureTokens);
    apply(entry, { calls: 1, bytes, tokens, saved_tokens: isSavingLess ? -tokens : 0 });
  }
}

/** Pictures and files count nothing: they are not text. */
function tokensOfPayload({ mime_type: mimeType, size_bytes: sizeBytes, preview }: OutputDescriptor): number {
  if (!/^text\/|json/.test(mimeType)) return 0;
  const shown = preview === null || preview === '' ? 'abcd' : preview;
  return Math.round((tokensOfText(shown) * sizeBytes) / Buffer.byteLength(shown));
}

function apply(entry: Entry, change: Partial<MeterFigures>): void {
  for (const figures of entry) {
    figures.calls += change.calls ?? 0;
    figures.bytes += change.bytes ?? 0;
    figures.tokens += change.tokens ?? 0;
    figures.saved_tokens += change.saved_tokens ?? 0;
  }
}

const readsHandleOf = ({ outputs }: ClientSession, args: unknown): boolean =>
  isObject(args) && typeof args['output_handle'] === 'string' && outputs.has(args['output_handle']);
