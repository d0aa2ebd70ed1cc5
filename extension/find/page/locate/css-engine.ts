import { comparable, readable } from '../../../../shared/base/comparable.ts';
import { isDocument, isElement, valueIn } from '../../../dom/elements.ts';
import { parentAcross, elementsIn, type Scope } from '../../../dom/trees.ts';
import {
  type SelectorPart,
  invalid,
  Texts,
  matches,
  childrenAcross,
  unescape,
  type TextMatcher,
} from './matcher.ts';
import { isShown } from '../../../dom/visible.ts';

type Test = (el: Element, path: Path) => boolean;

/** One element of a selector: `button.primary:has-text("Save")`. */
interface Compound {
  readonly css: string;
  readonly tests: readonly Test[];
  readonly combinator: string;
}

const SKIPPED = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/sy;
const TOKEN = new RegExp(`${SKIPPED.source}|([([])|([)\\]])|\\s*([,>+~])\\s*|(\\s+)|.`, 'gs');
const OWN = /:(has-text|text-is|text)\(\s*(["'])((?:\\.|(?!\2).)*)\2\s*\)|:(visible|scope)(?![\w(-])/sy;
const HAS_OWN = new RegExp(OWN.source, 's');
const NESTING = /:[a-z-]+\(/iy;
const NESTS = /^:(?:has|not|is|where)\($/;

/**
 * The alternatives of a CSS selector, each as its compounds.
 * @throws PageError `selector_invalid`
 */
function parseCss(part: SelectorPart, body: string, offset = 0): Compound[][] {
  const alternatives: Compound[][] = [];
  let compounds: Compound[] = [];
  let from = 0;
  let combinator = '';
  const end = (to: number): void => {
    compounds.push(toCompound(part, offset + from, body.slice(from, to), combinator));
  };
  for (const { at, length, sign } of boundaries(body)) {
    if (at === from && sign !== ',' && compounds.length === 0)
      compounds.push({ css: '*', tests: [isScope], combinator: '' });
    else end(at);
    from = at + length;
    combinator = sign;
    if (sign !== ',') continue;
    alternatives.push(compounds);
    compounds = [];
    combinator = '';
  }
  end(body.length);
  return [...alternatives, compounds];
}

interface Boundary {
  readonly at: number;
  readonly length: number;
  /** `,`, a combinator, or a space. */
  readonly sign: string;
}

/** Finds where a selector divides: outside strings, brackets and parentheses. */
function* boundaries(body: string): Generator<Boundary> {
  let depth = 0;
  for (const found of body.matchAll(TOKEN)) {
    const [{ length }, opens, closes, sign, blank] = found;
    if (opens !== undefined) depth += 1;
    else if (closes !== undefined) depth -= 1;
    else if (depth === 0 && (sign ?? blank) !== undefined)
      yield { at: found.index, length, sign: sign ?? ' ' };
  }
}

function stick(pattern: RegExp, body: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(body)?.[0] ?? null;
}

function toCompound(part: SelectorPart, offset: number, text: string, combinator: string): Compound {
  const tests: Test[] = [];
  let css = '';
  for (let at = 0; at < text.length;) {
    const taken = ownAt(text, at) ?? nestedAt(part, text, at, offset);
    const length = taken?.length ?? stick(SKIPPED, text, at)?.length ?? 1;
    if (taken?.test === undefined) css += text.slice(at, at + length);
    else tests.push(taken.test);
    at += length;
  }
  if (css === '' && text !== '') css = '*';
  if (!isValid(css))
    throw invalid(part, text === '' ? 'an element is missing' : `${JSON.stringify(text)} is not CSS`, offset);
  return { css, tests, combinator };
}

interface Taken {
  readonly length: number;
  readonly test?: Test;
}

function ownAt(text: string, at: number): Taken | null {
  OWN.lastIndex = at;
  const own = OWN.exec(text);
  if (own === null) return null;
  const [{ length }, kind, , quoted = '', flag] = own;
  if (kind !== undefined) return { length, test: textTest(kind, quoted) };
  return { length, test: flag === 'visible' ? isShown : isScope };
}

const isScope: Test = (el, { scope }) => el === (isElement(scope) ? scope : el.ownerDocument.documentElement);

/** A pseudo-class that takes selectors: without a test if they are plain CSS, which the browser matches. */
function nestedAt(part: SelectorPart, text: string, at: number, offset: number): Taken | null {
  const name = stick(NESTING, text, at)?.toLowerCase();
  if (name === undefined) return null;
  const begin = at + name.length;
  const end = closing(text, begin);
  const inner = text.slice(begin, end);
  const length = end + 1 - at;
  if (!NESTS.test(name) || !HAS_OWN.test(inner)) return { length };
  const blanks = inner.length - inner.trimStart().length;
  return { length, test: nestedTest(name, parseCss(part, inner.trim(), offset + begin + blanks)) };
}

/** Where the parenthesis before a position closes. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += stick(SKIPPED, text, at)?.length ?? 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return text.length;
}

function textTest(kind: string, quoted: string): Test {
  const matcher: TextMatcher =
    kind === 'text-is'
      ? { kind: 'exact', text: readable(unescape(quoted)) }
      : { kind: 'contains', text: comparable(unescape(quoted)) };
  return (el, { texts }) => {
    const says = (node: Node): boolean => isElement(node) && matches(matcher, texts.of(node));
    return says(el) && (kind === 'has-text' || ![...childrenAcross(el)].some(says));
  };
}

function nestedTest(name: string, alternatives: readonly (readonly Compound[])[]): Test {
  if (name === ':has(')
    return (el, { texts }) => alternatives.some((compounds) => hasWithin(el, compounds, texts));
  const isAny: Test = (el, path) => alternatives.some((compounds) => fits(el, { ...path, compounds }));
  return name === ':not(' ? (el, path) => !isAny(el, path) : isAny;
}

function hasWithin(el: Element, compounds: readonly Compound[], texts: Texts): boolean {
  const [first, next] = compounds;
  // `:has(+ p)` looks next to it.
  const isBeside = first?.tests.includes(isScope) === true && /[+~]/.test(next?.combinator ?? '');
  const path: Path = { compounds, scope: el, texts };
  return elementsIn((isBeside ? parentAcross(el) : null) ?? el, compounds.at(-1)?.css).some((each) =>
    fits(each, path),
  );
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
 * `:has-text()`, `:text()`, `:text-is()` and `:visible`, in `:has()`, `:not()`, `:is()` and `:where()` too.
 * @throws PageError `selector_invalid`
 */
export function findCss(scope: Scope, part: SelectorPart): Element[] {
  const texts = new Texts();
  const found = new Set<Element>();
  for (const compounds of parseCss(part, part.body)) {
    const path: Path = { compounds, scope, texts };
    const inDocument = isDocument(scope) ? plainMatches(compounds) : null;
    for (const el of elementsIn(scope, compounds.at(-1)?.css)) {
      const root = el.getRootNode();
      const isMatch = inDocument !== null && isDocument(root) ? inDocument(root).has(el) : fits(el, path);
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
  if (compounds.some(({ tests }) => tests.length > 0)) return null;
  const css = compounds.map((compound) => `${compound.combinator}${compound.css}`).join('');
  const known = new Map<Document, ReadonlySet<Element>>();
  return (root) => valueIn(known, root, () => new Set(root.querySelectorAll(css)));
}

interface Path {
  readonly compounds: readonly Compound[];
  readonly scope: Scope;
  readonly texts: Texts;
}

const passes = (el: Element, { css, tests }: Compound, path: Path): boolean =>
  el.matches(css) && tests.every((test) => test(el, path));

/** Whether an element is the last one of a path. */
function fits(el: Element, path: Path): boolean {
  const last = path.compounds.at(-1);
  return last !== undefined && passes(el, last, path) && leadsTo(el, path.compounds.length - 1, path);
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
    const isPossible = before.tests.includes(isScope) || at !== path.scope;
    if (isPossible && passes(at, before, path) && leadsTo(at, index - 1, path)) return true;
    if (combinator === '>' || combinator === '+') return false;
  }
  return false;
}
