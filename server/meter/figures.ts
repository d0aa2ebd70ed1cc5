import type { MeterFigures } from '../../shared/bridge/meter.ts';

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
