import type { SessionBudget, MeterFigures } from '../../shared/bridge/meter.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { ClientSession } from '../core/context.ts';
import { clean, type CleanText } from '../redact/clean.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

/** From this part of its budget on a session is warned. */
const WARNED_AT = 0.8;
/** Handles of one session whose savings are counted once; an older one would be counted again. */
const HANDLES_MAX = 1_000;

/** What one session was answered, and its budget. */
export class Account {
  readonly figures = new Figures();
  readonly #session: Pick<ClientSession, 'id' | 'name'>;
  readonly #handles = new BoundedMap<string, true>(HANDLES_MAX);
  #limit: number | null;
  #isWarned = false;
  /** Where the figures of an agent are added to once its session has ended. */
  heir: Figures | null = null;

  constructor(session: Pick<ClientSession, 'id' | 'name'>, budgetTokens: number | null) {
    this.#session = session;
    this.#limit = budgetTokens;
  }

  get session(): Pick<ClientSession, 'id' | 'name'> {
    return this.#session;
  }

  get hasBudget(): boolean {
    return this.#limit !== null;
  }

  budget(): SessionBudget | null {
    if (this.#limit === null) return null;
    const { tokens } = this.figures;
    const left = Math.max(0, this.#limit - tokens);
    const state = left === 0 ? 'exceeded' : tokens >= this.#limit * WARNED_AT ? 'warned' : 'fine';
    return { tokens: this.#limit, left, state };
  }

  /** @param tokens what the session may use from now on; null for no budget */
  lift(tokens: number | null): void {
    this.#limit = tokens === null ? null : this.figures.tokens + tokens;
    this.#isWarned = false;
  }

  /** @throws SpillwayError `budget_exceeded` */
  check(): void {
    const budget = this.budget();
    if (budget?.state !== 'exceeded') return;
    throw new SpillwayError(
      'budget_exceeded',
      `This session was answered ${this.figures.tokens} tokens, and its budget is ${budget.tokens}.`,
    );
  }

  warning(): CleanText | null {
    const budget = this.budget();
    if (this.#isWarned || budget?.state !== 'warned') return null;
    this.#isWarned = true;
    return clean`${budget.left} of this session's ${budget.tokens} tokens are left. Ask for less: output_mode "handle", find, smaller pages.`;
  }

  unsaid(): void {
    this.#isWarned = false;
  }

  /** Whether a handle is new to the session's figures. */
  takeHandle(handle: string): boolean {
    if (this.#handles.has(handle)) return false;
    this.#handles.set(handle, true);
    return true;
  }
}

/** What was answered, added up. */
export class Figures {
  calls = 0;
  bytes = 0;
  tokens = 0;
  estimatedTokens = 0;
  savedTokens = 0;

  add(other: Figures): void {
    this.calls += other.calls;
    this.bytes += other.bytes;
    this.tokens += other.tokens;
    this.estimatedTokens += other.estimatedTokens;
    this.savedTokens += other.savedTokens;
  }

  toWire(): MeterFigures {
    return {
      calls: this.calls,
      bytes: this.bytes,
      tokens: this.tokens,
      estimated_tokens: this.estimatedTokens,
      saved_tokens: this.savedTokens,
    };
  }
}

/** Names that are kept apart; those that come later share one. */
const NAMES_MAX = 200;
const OTHERS = '(others)';

/** Figures by name. */
export class NamedFigures {
  readonly #figures = new Map<string, Figures>();

  /** Those of a name, or of all that came too late. */
  of(name: string): Figures {
    const kept = this.#figures.has(name) || this.#figures.size < NAMES_MAX ? name : OTHERS;
    const known = this.#figures.get(kept);
    if (known !== undefined) return known;
    const figures = new Figures();
    this.#figures.set(kept, figures);
    return figures;
  }

  /** Most tokens first. */
  list(): readonly { readonly name: string; readonly figures: MeterFigures }[] {
    return this.entries()
      .toSorted((one, other) => other.figures.tokens - one.figures.tokens)
      .map(({ name, figures }) => ({ name, figures: figures.toWire() }));
  }

  entries(): readonly { readonly name: string; readonly figures: Figures }[] {
    return [...this.#figures].map(([name, figures]) => ({ name, figures }));
  }

  total(): Figures {
    const total = new Figures();
    for (const figures of this.#figures.values()) total.add(figures);
    return total;
  }
}
