import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext, Script, type Context } from 'node:vm';
import { maxSteps } from './pattern-steps.ts';

/** Characters of a pattern. */
const MOST_UNITS = 1_000;
/** So many steps take less than the interrupt that would bound them. */
const FEW_STEPS = 100_000;
/** What all patterns together may take while nothing else is answered, and of one call. */
const TURN_MS = 100;
const CALL_MS = 5_000;
/** After a record that took less the next one follows at once. */
const SHORT_MS = 10;

/** What time patterns have, and whose clock counts it. */
interface Bounds {
  readonly turnMs: number;
  readonly callMs: number;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What ajv asks of a regular expression. */
interface Tester {
  test(text: string): boolean;
  /** By this ajv tells patterns apart. */
  toString(): string;
}

/**
 * Regular expressions of callers, bounded: one that takes few steps on a text runs as it is, any other in
 * a context that is interrupted. A pattern that was interrupted is not tried again, and none is tried when
 * the time of the turn or the call is over; `skipped` names those.
 */
export class Patterns {
  readonly skipped = new Set<string>();
  readonly #givenUp = new Set<string>();
  readonly #bounds: Bounds;
  #sandbox: Context | null = null;
  #turnMs = 0;
  #callMs = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#bounds = { turnMs: TURN_MS, callMs: CALL_MS, now: () => performance.now(), ...bounds };
  }

  /** ajv's `code.regExp`. @throws SyntaxError for an invalid pattern, or one that is too long */
  readonly create = Object.assign((source: string, flags: string): Tester => this.#tester(source, flags), {
    code: 'new RegExp',
  });

  /** Between two records: lets others have their turn when the patterns took long. */
  async rest(): Promise<void> {
    if (this.#turnMs < SHORT_MS) return;
    await nextTurn();
    this.#turnMs = 0;
  }

  #tester(source: string, flags: string): Tester {
    if (source.length > MOST_UNITS) throw new SyntaxError(`A pattern has at most ${MOST_UNITS} characters.`);
    const pattern = new RegExp(source, flags);
    const isCountable = flags === 'u';
    return {
      toString: () => String(pattern),
      test: (text) => {
        if (this.#givenUp.has(source)) return true;
        if (isCountable && maxSteps(source, text.length) <= FEW_STEPS)
          return this.#within(pattern, () => pattern.test(text));
        const sandbox = (this.#sandbox ??= createContext({}));
        Object.assign(sandbox, { pattern, text });
        return this.#within(pattern, (leftMs) => TEST.runInContext(sandbox, { timeout: leftMs }) === true);
      },
    };
  }

  #within({ source }: RegExp, test: (leftMs: number) => boolean): boolean {
    const { turnMs, callMs, now } = this.#bounds;
    const leftMs = Math.ceil(Math.min(turnMs - this.#turnMs, callMs - this.#callMs));
    const startedAt = now();
    try {
      if (leftMs > 0) return test(leftMs);
    } catch {
      // It was interrupted, or is too large for the engine.
      this.#givenUp.add(source);
    } finally {
      const tookMs = now() - startedAt;
      this.#turnMs += tookMs;
      this.#callMs += tookMs;
    }
    this.skipped.add(source);
    return true;
  }
}

const TEST = new Script('pattern.test(text)');
