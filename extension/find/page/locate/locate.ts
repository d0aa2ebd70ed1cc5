import { cut } from '../../../../shared/base/cut.ts';
import { findAgain, type FoundAgain } from '../../../read/page/identity/find-again.ts';
import { PageError } from '../../../dom/doorway.ts';
import { REF, type Refs } from '../../../dom/refs.ts';
import { isTooDeep } from '../../../dom/select.ts';
import { isDocument, isElement, labelIdsOf, labelsOf } from '../../../dom/elements.ts';
import { ACTIONABLE } from '../find/contexts.ts';
import { labelTextOf, computeName, referencesOf } from '../../../dom/names/name.ts';
import { roleOf } from '../../../dom/names/role.ts';
import { comparable } from '../../../../shared/base/comparable.ts';
import { findCss } from './css-engine.ts';
import { invalid, type SelectorPart, Texts, matches, parseMatcher, type TextMatcher } from './matcher.ts';
import { findRole } from './role-engine.ts';
import { isShown, isTextInSight } from '../../../dom/visible.ts';
import { hasTrees, inDocumentOrder, type Scope, documentsIn, elementsIn } from '../../../dom/trees.ts';
import { findText } from './text-engine.ts';

const ENGINE = /^\s*([\w+:*-]+)\s*=/;
const QUOTED = /^(["']).*\1$/s;
const XPATH = /^(?:\(*\/\/|\.\.)/;
/** The call of a locator, which only a program can evaluate. */
const METHOD = /^(?:page\.)?(?:getBy[A-Z]\w+|(?:frameL|l)ocator)\(/;
const INSTEAD =
  'a method is not a selector; write role=button[name="Save"], text=, label=, placeholder=, testid= or css=, chained by >>';
/** A quote in the middle of a plain text is part of it. */
const PLAIN_TEXT = /^\s*text\s*=\s*[^\s"'`]/;

/**
 * Splits a selector as Playwright does: engines chained by `>>`, outside quoted strings. A part without an engine is a
 * text if it is quoted, an XPath if it begins like one, and CSS otherwise.
 * @throws PageError `selector_invalid`
 */
function parseSelector(whole: string): SelectorPart[] {
  const parts: SelectorPart[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < whole.length; at += 1) {
    const char = whole[at] ?? '';
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (/["'`]/.test(char)) quote = PLAIN_TEXT.test(whole.slice(from, at)) ? '' : char;
    else if (whole.startsWith('>>', at)) {
      parts.push(toPart(whole, from, at));
      from = at + 2;
      at += 1;
    }
  }
  return [...parts, toPart(whole, from, whole.length)];
}

function toPart(whole: string, from: number, to: number): SelectorPart {
  const text = whole.slice(from, to);
  const begin = from + (text.length - text.trimStart().length);
  const trimmed = text.trim();
  if (trimmed === '') throw invalid({ whole, at: from }, 'a part of the selector is empty');
  const named = ENGINE.exec(trimmed);
  if (named?.[1] !== undefined) {
    const body = trimmed.slice(named[0].length);
    const at = begin + named[0].length + (body.length - body.trimStart().length);
    return { engine: named[1], body: body.trim(), at, whole };
  }
  if (METHOD.test(trimmed)) throw invalid({ whole, at: begin }, INSTEAD);
  const isText = trimmed.length > 1 && QUOTED.test(trimmed);
  const engine = isText ? 'text' : XPATH.test(trimmed) ? 'xpath' : 'css';
  return { engine, body: trimmed, at: begin, whole };
}

/**
 * `label=`: controls by their `aria-labelledby`, `aria-label` or `<label>`.
 * @throws PageError `selector_invalid`
 */
function findLabel(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  const texts = new Texts();
  return elementsIn(scope).filter((el) => labelTexts(el, texts).some((text) => matches(matcher, text)));
}

function labelTexts(el: Element, texts: Texts): string[] {
  const references = labelIdsOf(el) === null ? [] : referencesOf(el, 'labelledby');
  if (references.length > 0) return references.map((label) => texts.of(label));
  const given = el.getAttribute('aria-label') ?? '';
  if (given.trim() !== '') return [given];
  const labels = labelsOf(el);
  // The options of a list in its label are not part of the label.
  return labels.length === 0 ? [] : [...labels.map((label) => texts.of(label)), labelTextOf(el)];
}

/**
 * `testid=`: a whole `data-testid`, or a pattern.
 * @throws PageError `selector_invalid`
 */
function findTestId(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  const whole: TextMatcher = matcher.kind === 'contains' ? { kind: 'exact', text: part.body } : matcher;
  return byAttribute(scope, 'data-testid', whole);
}

const byAttribute = (scope: Scope, name: string, matcher: TextMatcher): Element[] =>
  elementsIn(scope, `[${name}]`).filter((el) => matches(matcher, el.getAttribute(name) ?? ''));

/**
 * `xpath=`: in documents only: XPath has no nodes for shadow trees.
 * @throws PageError `selector_invalid`
 */
function findXPath(scope: Scope, part: SelectorPart): Element[] {
  return [scope, ...documentsIn(scope)].flatMap((each) => evaluate(each, part));
}

function evaluate(scope: Scope, part: SelectorPart): Element[] {
  const document = isDocument(scope) ? scope : scope.ownerDocument;
  const path = part.body.startsWith('/') && isElement(scope) ? `.${part.body}` : part.body;
  const found: Element[] = [];
  try {
    const nodes = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE);
    for (let node = nodes.iterateNext(); node !== null; node = nodes.iterateNext())
      if (isElement(node)) found.push(node);
  } catch {
    throw invalid(part, `${JSON.stringify(part.body)} is not an XPath of elements`);
  }
  return found;
}

/**
 * `text=`: elements by their text, or where nobody reads it controls by their accessible name, or else other elements
 * by theirs.
 * @throws PageError `selector_invalid`
 */
function findTextOrName(scope: Scope, part: SelectorPart): readonly Element[] {
  const byText = findText(scope, part);
  if (byText.some((el) => isShown(el) && isTextInSight(el))) return byText;
  const matcher = parseMatcher(part);
  const tests: ((name: string) => boolean)[] = [(name) => matches(matcher, name)];
  if (matcher.kind === 'exact') {
    const wanted = comparable(matcher.text);
    tests.push((name) => comparable(name) === wanted);
  }
  for (const css of [ACTIONABLE, NAMED]) {
    const known = elementsIn(scope, css).map(
      (el) => [el, computeName(el, roleOf(el, el.localName))] as const,
    );
    for (const isNamed of tests) {
      const named = known.filter(([el, name]) => name !== '' && isNamed(name) && isShown(el));
      const found = named.map(([el]) => el);
      if (found.length > 0) return found.filter((el) => !found.some((it) => it !== el && el.contains(it)));
    }
  }
  return byText;
}

const NAMED = '[aria-label],[aria-labelledby],[alt],[title],svg:has(>title)';

export interface Locating {
  readonly refs: Refs;
  /** `Caller.session` */
  readonly viewer: string;
  /** Refs whose elements were still the same before the steps of the call. */
  readonly known?: ReadonlySet<string> | undefined;
}

type Engine = (scope: Scope, part: SelectorPart) => readonly Element[];

const ENGINES = new Map<string, Engine>([
  ['css', findCss],
  ['text', findTextOrName],
  ['role', findRole],
  ['label', findLabel],
  ['placeholder', (scope, part) => byAttribute(scope, 'placeholder', parseMatcher(part))],
  ['testid', findTestId],
  ['xpath', findXPath],
]);

/**
 * The elements that a selector names in this document, its shadow trees and its same-origin frames, in document order:
 * `css=`, `text=`, `role=`, `label=`, `placeholder=`, `testid=` or `xpath=`, chained by `>>`, with `nth=` and
 * `visible=` between or after them.
 * @throws PageError `selector_invalid`
 */
export function locateAll(document: Document, selector: string): Element[] {
  return chain(document, parseSelector(selector));
}

/**
 * The same by engines and their arguments, without quoting.
 * @throws PageError `selector_invalid`
 */
export function locateParts(
  document: Document,
  parts: readonly { readonly engine: string; readonly body: string }[],
): Element[] {
  return chain(
    document,
    parts.map((part) => ({ ...part, at: 0, whole: part.body })),
  );
}

/** Engines of the browser, which match recursively. */
const NESTS = new Set(['css', 'xpath']);

function chain(document: Document, parts: readonly SelectorPart[]): Element[] {
  let found: readonly Scope[] = [document];
  for (const part of parts) {
    if (NESTS.has(part.engine) && isTooDeep(part.body)) throw invalid(part, 'it is nested too deep');
    found = follow(found, part, document);
  }
  return found.filter((each): each is Element => each !== document);
}

function follow(found: readonly Scope[], part: SelectorPart, document: Document): readonly Element[] {
  const engine = ENGINES.get(part.engine);
  if (engine !== undefined) {
    const named = new Set(found.flatMap((scope) => [...engine(scope, part)]));
    return found.length > 1 || isMixed(part, document) ? inDocumentOrder(document, named) : [...named];
  }
  const elements = found.filter((each): each is Element => each !== document);
  if (part.engine === 'nth') return nth(elements, part);
  if (part.engine === 'visible') return visible(elements, part);
  throw invalid(
    part,
    `${part.engine}= is not an engine; use ${[...ENGINES.keys(), 'nth', 'visible'].join(', ')}`,
    -part.at,
  );
}

const isMixed = ({ engine, body }: SelectorPart, document: Document): boolean =>
  engine === 'css' ? body.includes(',') : /^(?:text|xpath)$/.test(engine) && hasTrees(document);

/** Zero-based; negative counts from the end. */
function nth(elements: readonly Element[], part: SelectorPart): Element[] {
  if (!/^-?\d+$/.test(part.body)) throw invalid(part, 'nth= takes a whole number');
  const el = elements.at(Number(part.body));
  return el === undefined ? [] : [el];
}

function visible(elements: readonly Element[], part: SelectorPart): Element[] {
  if (!/^(?:true|false)$/.test(part.body)) throw invalid(part, 'visible= takes true or false');
  return elements.filter((el) => String(isShown(el)) === part.body);
}

/**
 * The element of a ref shown to this session.
 * @throws PageError `ref_not_found` if it was never shown, `stale_ref` if the element is gone and no replacement is
 * certain
 */
export function locateRef(ref: string, { refs, viewer, known }: Locating): FoundAgain {
  if (!REF.test(ref) || !refs.wasShown(ref, viewer))
    throw new PageError('ref_not_found', `Ref ${cut(ref, 40)} was never shown to you.`);
  const el = refs.resolve(ref);
  const then = refs.identity(ref, viewer);
  if (then !== null) return findAgain(ref, el, then, refs, known?.has(ref) === true);
  if (el === null)
    throw new PageError('stale_ref', `${document.URL} no longer has the element of ref ${ref}.`);
  return { el, note: null };
}

/** The refs whose elements are still the ones that were shown. */
export function unchangedAmong(given: readonly string[], locating: Locating): ReadonlySet<string> {
  const isSame = (ref: string): boolean => {
    try {
      return locateRef(ref, locating).note === null;
    } catch {
      return false;
    }
  };
  return new Set(given.filter(isSame));
}
