import { createContext, Script, type Context } from 'node:vm';

/** Characters of a pattern, and milliseconds that it gets for one value where it could take long. */
const MOST_UNITS = 1_000;
const TIME_MS = 250;
/** A value beyond this is no text that a pattern was made for. */
const MOST_INPUT = 20_000;

/** What ajv asks of a regular expression. */
interface Tester {
  test(text: string): boolean;
  /** By this ajv tells patterns apart. */
  toString(): string;
}

const CLASS = /\[(?:\\.|[^\]\\])*\]/gs;

/**
 * Whether a pattern takes linear or at most quadratic time on any text: nothing that repeats without
 * a bound stands within what repeats, and hardly two such parts follow each other.
 */
export function isSafePattern(source: string): boolean {
  const bare = source.replace(/\\./gs, 'x').replace(CLASS, 'x');
  if (/\\[1-9k]/.test(source) || /\(\?<?[=!]/.test(bare)) return false;
  if (/\([^()]*[*+{?|][^()]*\)\s*(?:[*+{])/.test(bare) || /\)(?:[*+]|\{)[^()]*\)(?:[*+]|\{)/.test(bare))
    return false;
  if (hasNestedRepeat(bare)) return false;
  const unbounded = (bare.match(/[*+]|\{\d+,\}/g) ?? []).length;
  return unbounded + (bare.startsWith('^') ? 0 : 1) <= 2;
}

function hasNestedRepeat(bare: string): boolean {
  const open: boolean[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    const char = bare[at];
    if (char === '(') open.push(false);
    else if (char === ')') {
      const inner = open.pop() ?? false;
      const isRepeated = /^[*+{]/.test(bare.slice(at + 1));
      if (inner && isRepeated) return true;
      if (open.length > 0 && (inner || isRepeated)) open[open.length - 1] = true;
    } else if (char === '*' || char === '+' || char === '{' || char === '|') {
      if (open.length > 0) open[open.length - 1] = true;
    }
  }
  return false;
}

/**
 * Regular expressions of callers, bounded: plain ones run as they are, on texts of a bounded length;
 * others in a context that is interrupted after {@link TIME_MS}. A pattern that was interrupted once is not
 * tried again, so that a page of many values costs that time once; `skipped` names it.
 */
export class Patterns {
  readonly skipped = new Set<string>();
  #sandbox: Context | null = null;

  /** ajv's `code.regExp`. @throws SyntaxError for what is no pattern, or one that is too long */
  readonly create = Object.assign((source: string, flags: string): Tester => this.#tester(source, flags), {
    code: 'new RegExp',
  });

  #tester(source: string, flags: string): Tester {
    if (source.length > MOST_UNITS) throw new SyntaxError(`A pattern has at most ${MOST_UNITS} characters.`);
    const pattern = new RegExp(source, flags);
    const isSafe = isSafePattern(source);
    return {
      toString: () => String(pattern),
      test: (text) => {
        if (text.length > MOST_INPUT || this.skipped.has(source)) {
          this.skipped.add(source);
          return true;
        }
        return isSafe ? pattern.test(text) : this.#interruptible(pattern, text);
      },
    };
  }

  #interruptible(pattern: RegExp, text: string): boolean {
    this.#sandbox ??= createContext({ pattern, text });
    Object.assign(this.#sandbox, { pattern, text });
    try {
      return TEST.runInContext(this.#sandbox, { timeout: TIME_MS }) === true;
    } catch {
      this.skipped.add(pattern.source);
      return true;
    }
  }
}

const TEST = new Script('pattern.test(text)');
