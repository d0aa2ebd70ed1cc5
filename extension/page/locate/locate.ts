import { cut } from '../../../shared/cut.ts';
import { findAgain } from '../identity/find-again.ts';
import { PageError } from '../page-error.ts';
import { REF, type Refs } from '../refs.ts';
import { isTooDeep } from '../select.ts';
import { findLabel, findPlaceholder, findTestId } from './attribute-engines.ts';
import { findCss } from './css-engine.ts';
import { invalid, type SelectorPart } from './fault.ts';
import { parseSelector } from './parse-selector.ts';
import { findRole } from './role-engine.ts';
import { isShown } from './shown.ts';
import { findText } from './text-engine.ts';
import { hasTrees, inDocumentOrder, type Scope } from './trees.ts';
import { findXPath } from './xpath-engine.ts';

/** An element that a target names. */
export interface LocatedElement {
  readonly el: Element;
  /** How it was found again after the page had replaced it, for the receipt; null for the very element. */
  readonly note: string | null;
}

/** Who asks, and what the document remembers of what it was shown. */
export interface Locating {
  readonly refs: Refs;
  /** `Caller.session` */
  readonly viewer: string;
}

type Engine = (scope: Scope, part: SelectorPart) => readonly Element[];

/** What finds elements in a scope, by the name that a selector begins with. */
const ENGINES: ReadonlyMap<string, Engine> = new Map<string, Engine>([
  ['css', findCss],
  ['text', findText],
  ['role', findRole],
  ['label', findLabel],
  ['placeholder', findPlaceholder],
  ['testid', findTestId],
  ['xpath', findXPath],
]);

/**
 * The elements of this document, its shadow trees and its frames of the same origin that a selector names, in
 * document order: `css=`, `text=`, `role=`, `label=`, `placeholder=`, `testid=` or `xpath=`, chained by `>>`, with
 * `nth=` and `visible=` between or after them.
 *
 * @throws PageError `selector_invalid`
 */
export function locateAll(document: Document, selector: string): Element[] {
  return chain(document, parseSelector(selector));
}

/**
 * The same by engines and what each is given, which nothing has to be quoted in.
 *
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

/** Engines of the browser, which match by recursion. */
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

/** Whether an engine finds elements of one scope in another order than that of the document. */
const isMixed = ({ engine, body }: SelectorPart, document: Document): boolean =>
  engine === 'css' ? body.includes(',') : /^(?:text|xpath)$/.test(engine) && hasTrees(document);

/** Counted from 0, or from the end where it is negative. */
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
 * The element of a ref that this session was shown.
 *
 * @throws PageError `ref_not_found` for one that it was never shown, `stale_ref` when the element is gone and
 * nothing can be taken for it without doubt
 */
export function locateRef(ref: string, { refs, viewer }: Locating): LocatedElement {
  if (!REF.test(ref) || !refs.wasShown(ref, viewer))
    throw new PageError('ref_not_found', `Ref ${cut(ref, 40)} was never shown to you.`);
  const el = refs.resolve(ref);
  const then = refs.identity(ref, viewer);
  if (then !== null) return findAgain(ref, el, then, refs);
  if (el === null)
    throw new PageError('stale_ref', `${document.URL} no longer has the element of ref ${ref}.`);
  return { el, note: null };
}
