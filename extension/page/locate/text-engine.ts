import { isDocument, isElement, isText, shadowRootOf } from '../dom.ts';
import type { SelectorPart } from './fault.ts';
import {
  Texts,
  childrenAcross,
  faceOfInput,
  isUnsaid,
  matches,
  parseMatcher,
  readable,
  type TextMatcher,
} from './matcher.ts';
import { TextRuns } from './text-runs.ts';
import { DocumentTrees, documentsIn, elementsIn, parentAcross, type Scope } from './trees.ts';

/**
 * `text=`: the smallest elements that contain a text, and the scope itself. A quoted text is compared with each
 * run of text of an element; a pattern with the whole text of an element as it is in the source.
 *
 * @throws PageError `selector_invalid`
 */
export function findText(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  if (matcher.kind === 'contains') return findSaid(scope, matcher.text);
  const all = [...(isElement(scope) ? [scope] : []), ...elementsIn(scope)];
  if (matcher.kind === 'exact') return all.filter((el) => hasRun(el, matcher.text) && !isInHead(el));
  return smallestByPattern(
    all.filter((el) => !isInHead(el)),
    matcher,
  );
}

/** The smallest elements that contain a text as a reader sees it, without case. */
export function findSaid(scope: Scope, text: string): Element[] {
  const wanted = readable(text).toLowerCase();
  return [scope, ...documentsIn(scope)].flatMap((each) => smallest(each, wanted));
}

const isInHead = (el: Element): boolean => isUnsaid(el) || el.closest('head') !== null;

/** The elements that contain each place of a text, without those in which another such element is. */
function smallest(scope: Scope, wanted: string): Element[] {
  const trees = isDocument(scope) ? new DocumentTrees(scope) : null;
  const runs = new TextRuns(scope, {
    fold: (text) => text.toLowerCase(),
    rootOf: trees === null ? (el) => shadowRootOf(el, true) : (el) => trees.rootOf(el),
  });
  const found = new Set<Element>();
  // Of invisible characters alone nothing is left, and that is found everywhere without end.
  if (wanted === '') return [];
  for (let at = runs.text.indexOf(wanted); at !== -1; at = runs.text.indexOf(wanted, at + 1))
    found.add(commonAncestor(runs.ownerAt(at), runs.ownerAt(at + wanted.length - 1)));
  for (const el of found)
    for (let up = parentAcross(el); up !== null; up = parentAcross(up)) if (found.has(up)) found.delete(up);
  return [...found];
}

function commonAncestor(one: Element, other: Element): Element {
  if (one === other) return one;
  const above = new Set<Element>();
  for (let el: Element | null = one; el !== null; el = parentAcross(el)) above.add(el);
  for (let el: Element | null = other; el !== null; el = parentAcross(el)) if (above.has(el)) return el;
  return one;
}

/** Whether an element has a text itself, divided where another element is. */
function hasRun(el: Element, wanted: string): boolean {
  const face = faceOfInput(el);
  if (face !== null) return readable(face) === wanted;
  let run = '';
  for (let child = el.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) run += child.data;
    else if (isElement(child)) {
      if (isRun(run, wanted)) return true;
      run = '';
    }
  }
  return isRun(run, wanted);
}

/** A shorter text cannot be it: collapsing white space makes no text longer. */
const isRun = (run: string, wanted: string): boolean =>
  run !== '' && run.length >= wanted.length && readable(run) === wanted;

function smallestByPattern(all: readonly Element[], matcher: TextMatcher): Element[] {
  const texts = new Texts();
  const found = new Set(all.filter((el) => matches(matcher, texts.of(el))));
  return [...found].filter(
    (el) => ![...childrenAcross(el)].some((child) => isElement(child) && found.has(child)),
  );
}
