import { invalid, type SelectorPart } from './fault.ts';
import { readable, unescape, type TextMatcher } from './matcher.ts';

/** What CSS does not have, as Playwright writes it. */
interface CompoundTest {
  readonly kind: 'has-text' | 'text' | 'text-is' | 'visible';
  readonly matcher: TextMatcher;
}

/** One element of a selector: `button.primary:has-text("Save")`. */
export interface Compound {
  /** What of it CSS has. */
  readonly css: string;
  readonly tests: readonly CompoundTest[];
  /** It is the scope itself. */
  readonly isScope: boolean;
  /** What is between it and the one before. */
  readonly combinator: string;
}

const COMBINATOR = /\s*([>+~])\s*|\s+/y;
const SKIPPED = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/sy;
const OWN = /:(has-text|text-is|text)\(\s*(["'])((?:\\.|(?!\2).)*)\2\s*\)|:(visible|scope)(?![\w(-])/gs;

/**
 * The alternatives of a selector of CSS, each as its compounds.
 *
 * @throws PageError `selector_invalid`
 */
export function parseCss(part: SelectorPart): Compound[][] {
  const alternatives: Compound[][] = [];
  let compounds: Compound[] = [];
  let from = 0;
  let combinator = '';
  const end = (to: number): void => {
    compounds.push(toCompound(part, from, part.body.slice(from, to), combinator));
  };
  for (const { at, length, sign } of boundaries(part)) {
    if (at === from && sign !== ',' && compounds.length === 0)
      compounds.push({ css: '*', tests: [], isScope: true, combinator: '' });
    else end(at);
    from = at + length;
    combinator = sign;
    if (sign !== ',') continue;
    alternatives.push(compounds);
    compounds = [];
    combinator = '';
  }
  end(part.body.length);
  return [...alternatives, compounds];
}

interface Boundary {
  readonly at: number;
  readonly length: number;
  /** `,`, a combinator, or a blank. */
  readonly sign: string;
}

/** Where a selector is divided: outside of strings, brackets and parentheses. */
function* boundaries({ body }: SelectorPart): Generator<Boundary> {
  let depth = 0;
  for (let at = 0; at < body.length;) {
    const skipped = stick(SKIPPED, body, at);
    const sign = depth === 0 ? signAt(body, at) : null;
    if (skipped !== null) at += skipped.length;
    else if (sign !== null) {
      yield sign;
      at += sign.length;
    } else {
      const char = body[at] ?? '';
      if (/[([]/.test(char)) depth += 1;
      else if (/[)\]]/.test(char)) depth -= 1;
      at += 1;
    }
  }
}

function signAt(body: string, at: number): Boundary | null {
  const comma = stick(/\s*,\s*/y, body, at);
  if (comma !== null) return { at, length: comma.length, sign: ',' };
  COMBINATOR.lastIndex = at;
  const found = COMBINATOR.exec(body);
  return found === null ? null : { at, length: found[0].length, sign: found[1] ?? ' ' };
}

function stick(pattern: RegExp, body: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(body)?.[0] ?? null;
}

function toCompound(part: SelectorPart, offset: number, text: string, combinator: string): Compound {
  const tests: CompoundTest[] = [];
  let isScope = false;
  let css = text.replace(
    OWN,
    (_all, kind: CompoundTest['kind'] | undefined, _quote, quoted: string, flag: string) => {
      if (kind !== undefined) tests.push({ kind, matcher: toMatcher(kind, quoted) });
      else if (flag === 'visible') tests.push({ kind: 'visible', matcher: { kind: 'contains', text: '' } });
      else isScope = true;
      return '';
    },
  );
  if (css === '' && text !== '') css = '*';
  if (!isValid(css))
    throw invalid(part, text === '' ? 'an element is missing' : `${JSON.stringify(text)} is not CSS`, offset);
  return { css, tests, isScope, combinator };
}

function toMatcher(kind: string, quoted: string): TextMatcher {
  const text = readable(unescape(quoted));
  return kind === 'text-is' ? { kind: 'exact', text } : { kind: 'contains', text: text.toLowerCase() };
}

function isValid(css: string): boolean {
  try {
    document.createDocumentFragment().querySelector(css);
    return true;
  } catch {
    return false;
  }
}
