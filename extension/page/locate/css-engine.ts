import { isDocument, isElement } from '../dom.ts';
import {
  type SelectorPart,
  invalid,
  Texts,
  matches,
  childrenAcross,
  readable,
  unescape,
  type TextMatcher,
} from './matcher.ts';
import { isShown, elementsIn, parentAcross, type Scope } from './trees.ts';

interface CompoundTest {
  readonly kind: 'has-text' | 'text' | 'text-is' | 'visible';
  readonly matcher: TextMatcher;
}

/** One element of a selector: `button.primary:has-text("Save")`. */
interface Compound {
  readonly css: string;
  readonly tests: readonly CompoundTest[];
  readonly isScope: boolean;
  readonly combinator: string;
}

const COMBINATOR = /\s*([>+~])\s*|\s+/y;
const SKIPPED = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/sy;
const OWN = /:(has-text|text-is|text)\(\s*(["'])((?:\\.|(?!\2).)*)\2\s*\)|:(visible|scope)(?![\w(-])/gs;

/**
 * The alternatives of a CSS selector, each as its compounds.
 * @throws PageError `selector_invalid`
 */
function parseCss(part: SelectorPart): Compound[][] {
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
  /** `,`, a combinator, or a space. */
  readonly sign: string;
}

/** Finds where a selector divides: outside strings, brackets and parentheses. */
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

/**
 * `css=`: CSS that also crosses shadow trees: a selector's ancestors may be outside the tree of its match. Supports
 * `:has-text()`, `:text()`, `:text-is()` and `:visible`.
 * @throws PageError `selector_invalid`
 */
export function findCss(scope: Scope, part: SelectorPart): Element[] {
  const texts = new Texts();
  const found = new Set<Element>();
  for (const compounds of parseCss(part)) {
    const last = compounds.at(-1);
    if (last === undefined) continue;
    const path: Path = { compounds, scope, texts };
    const inDocument = isDocument(scope) ? plainMatches(compounds) : null;
    for (const el of elementsIn(scope, last.css)) {
      const root = el.getRootNode();
      const isMatch =
        inDocument !== null && isDocument(root)
          ? inDocument(root).has(el)
          : passes(el, last, path) && leadsTo(el, compounds.length - 1, path);
      if (isMatch) found.add(el);
    }
  }
  return [...found];
}

/**
 * The browser's own matches for plain CSS; null for any other selector. The browser evaluates sibling counts once for
 * all elements.
 */
function plainMatches(compounds: readonly Compound[]): ((root: Document) => ReadonlySet<Element>) | null {
  if (compounds.some(({ isScope, tests }) => isScope || tests.length > 0)) return null;
  const css = compounds.map((compound) => `${compound.combinator}${compound.css}`).join('');
  const known = new Map<Document, ReadonlySet<Element>>();
  return (root) => {
    let found = known.get(root);
    if (found === undefined) known.set(root, (found = new Set(root.querySelectorAll(css))));
    return found;
  };
}

interface Path {
  readonly compounds: readonly Compound[];
  readonly scope: Scope;
  readonly texts: Texts;
}

function isCompound(el: Element, compound: Compound, path: Path): boolean {
  return (compound.isScope || el !== path.scope) && el.matches(compound.css) && passes(el, compound, path);
}

function passes(el: Element, { isScope, tests }: Compound, { scope, texts }: Path): boolean {
  if (isScope && el !== (isElement(scope) ? scope : el.ownerDocument.documentElement)) return false;
  return tests.every(({ kind, matcher }) => {
    if (kind === 'visible') return isShown(el);
    if (!matches(matcher, texts.of(el))) return false;
    if (kind === 'has-text') return true;
    return ![...childrenAcross(el)].some((child) => isElement(child) && matches(matcher, texts.of(child)));
  });
}

function leadsTo(el: Element, index: number, path: Path): boolean {
  const before = path.compounds[index - 1];
  if (before === undefined) return true;
  const { combinator } = path.compounds[index] ?? {};
  const isSibling = combinator === '+' || combinator === '~';
  const next = (at: Element): Element | null => {
    if (isSibling) return at.previousElementSibling;
    return at === path.scope ? null : parentAcross(at);
  };
  for (let at = next(el); at !== null; at = next(at)) {
    if (isCompound(at, before, path) && leadsTo(at, index - 1, path)) return true;
    if (combinator === '>' || combinator === '+') return false;
  }
  return false;
}
