import { isElement, isText, shadowRootOf } from '../dom.ts';
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
import { documentsIn, elementsIn, parentAcross, type Scope } from './trees.ts';

/**
 * `text=`: the smallest elements that contain a text, and the scope itself. A quoted text is compared with each
 * run of text of an element; a pattern with the whole text of an element as it is in the source.
 *
 * @throws PageError `selector_invalid`
 */
export function findText(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  if (matcher.kind === 'contains') return findSaid(scope, matcher.text);
  const all = [...(isElement(scope) ? [scope] : []), ...elementsIn(scope)].filter((el) => !isInHead(el));
  if (matcher.kind === 'exact')
    return all.filter((el) => runsOf(el).some((run) => readable(run) === matcher.text));
  return smallestByPattern(all, matcher);
}

/** The smallest elements that contain a text as a reader sees it, without case. */
export function findSaid(scope: Scope, text: string): Element[] {
  const wanted = readable(text).toLowerCase();
  return [scope, ...documentsIn(scope)].flatMap((each) => smallest(each, wanted));
}

const isInHead = (el: Element): boolean => isUnsaid(el) || el.closest('head') !== null;

/** The elements that contain each place of a text, without those in which another such element is. */
function smallest(scope: Scope, wanted: string): Element[] {
  const runs = new TextRuns(scope, {
    fold: (text) => text.toLowerCase(),
    rootOf: (el) => shadowRootOf(el, true),
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

/** The text of an element itself, divided where another element is. */
function runsOf(el: Element): string[] {
  const face = faceOfInput(el);
  if (face !== null) return [face];
  const runs: string[] = [];
  let run = '';
  for (const child of el.childNodes) {
    if (isText(child)) run += child.data;
    else if (isElement(child)) {
      runs.push(run);
      run = '';
    }
  }
  return [...runs, run].filter((text) => text !== '');
}

function smallestByPattern(all: readonly Element[], matcher: TextMatcher): Element[] {
  const texts = new Texts();
  const found = new Set(all.filter((el) => matches(matcher, texts.of(el))));
  return [...found].filter(
    (el) => ![...childrenAcross(el)].some((child) => isElement(child) && found.has(child)),
  );
}
