import type { FindTarget } from '../../../../shared/find/find.methods.ts';
import { innerDocument, DocumentTrees, documentsIn } from '../../../dom/trees.ts';
import { hidesItself, whileShown } from '../../../dom/self-hidden.ts';
import { markFrame } from '../../../dom/frames.ts';
import type { Loans, Refs } from '../../../dom/refs.ts';
import { locateAll, locateParts, locateRef } from '../locate/locate.ts';
import { isShown, isRendered, isTextShown, shownTextIn } from '../../../dom/visible.ts';
import type { AwaitedTarget, FromPage, ToPage } from '../../../core/page/protocol.ts';
import { findSaid } from '../locate/text-engine.ts';
import { PageError } from '../../../dom/doorway.ts';
import { rank, shownOf, type Ranking } from './rank.ts';
import { ACTIONABLE, targetOf, findContext } from './contexts.ts';
import { cut } from '../../../../shared/base/cut.ts';
import { computeName } from '../../../dom/names/name.ts';
import { roleOf } from '../../../dom/names/role.ts';
import { CONTROLS, controlKind } from '../../../dom/controls.ts';
import { isPressableIn, placeInDocument } from '../../../act/page/outline.ts';
import { controlLine, writeLineHead, withSpace } from '../../../read/page/write/snapshot-words.ts';

const NAME_UNITS = 100;
const PLACE_UNITS = 60;
const LINE_UNITS = 300;

/** An element as in a snapshot, with its place: `e13 button Save · row "Invoice 7"`. */
function describeElement(el: Element, refs: Refs): string {
  const role = roleOf(el, el.localName);
  // Only its existence is known.
  if (!isShown(el)) return `${refs.of(el, role)} ${role === '' ? el.localName : role}`;
  const name = computeName(el, role) || shownTextIn(el);
  const line =
    CONTROLS.has(el.localName) && controlKind(el) !== null
      ? controlLine(el, role, refs, isTextShown(el))
      : `${writeLineHead(el, role === '' ? 'text' : role, refs)}${withSpace(cut(name, NAME_UNITS))}`;
  const where = whereOf(el, name);
  return cut(line, LINE_UNITS) + (where === null ? '' : ` · ${where}`);
}

/** The place of an element, `row "Invoice 7"`; null if it says nothing new. */
export function whereOf(el: Element, name: string): string | null {
  const place = findContext(el);
  if (place === null || place.text === '' || place.text === name) return null;
  return `${place.kind} ${JSON.stringify(cut(place.text, PLACE_UNITS))}`;
}

function locateCss(selector: string): Element[] {
  try {
    return locateParts(document, [{ engine: 'css', body: selector }]);
  } catch {
    throw new PageError('selector_invalid', `selector ${selector} is not a valid CSS selector.`);
  }
}

/** None if a ref's element is gone. */
function locateShown({ ref, viewer }: Extract<AwaitedTarget, { ref: string }>, refs: Refs): Element[] {
  try {
    return [locateRef(ref, { refs, viewer }).el];
  } catch (thrown) {
    if (!(thrown instanceof PageError) || thrown.code !== 'stale_ref') throw thrown;
    // A hidden element no longer looks as it was shown, but it exists.
    const el = refs.resolve(ref);
    return el === null || isShown(el) ? [] : [el];
  }
}

/** Lines about the nearest matches. */
const NEAREST = 3;

/** Lines about the elements nearest to a query, or to a selector by words. */
export function nearestTo(selector: string, refs: Refs): readonly string[] {
  const query = selector.replace(/^\s*(?:text|role|label|placeholder|testid)\s*=|\[name(?==)/g, ' ');
  const { hits, nearest } = rank(reachable(document), query);
  return shownOf(elementsOf([...hits, ...nearest]), NEAREST).shown.map((el) => describeElement(el, refs));
}

/**
 * The matching elements of this document, best first, and the frames that must be asked separately. Their refs count as
 * shown to the session that lent the numbers.
 * @throws PageError `selector_invalid`, `ref_not_found`
 */
export function answerFind(
  { id, target, limit, prefix, showing }: Extract<ToPage, { type: 'find' }>,
  { refs, loans }: { readonly refs: Refs; readonly loans: Loans },
): Extract<FromPage, { type: 'found' }> {
  const lent = loans.borrow(id, showing);
  if (lent !== null) refs.use(lent);
  refs.prefix = prefix;
  return { type: 'found', id, found: asShown(() => search(target, limit, refs)), ...loans.settle(id) };
}

/** A page that hides itself until it is ready is searched as it will be. */
const asShown = <T>(work: () => T): T => (hidesItself(document) ? whileShown(document, work) : work());

function search(target: FindTarget | AwaitedTarget, limit: number, refs: Refs): FoundLines {
  const documents = reachable(document);
  const { hits, nearest, isWhole, isSeen } = sought(target, documents, refs);
  const { shown, more, isCounted, hidden } = shownOf(elementsOf(hits), limit, isSeen);
  const scores = new Map(hits.map(({ el, score }) => [el, score]));
  const near = shown.length > 0 ? [] : shownOf(elementsOf(nearest), NEAREST).shown;
  return {
    hits: shown.map((el) => ({
      line: describeElement(el, refs),
      score: scores.get(el) ?? 0,
      ...('within' in target && { box: placeInDocument(el) }),
    })),
    more,
    isCounted: isCounted && isWhole,
    hidden,
    nearest: near.map((el) => describeElement(el, refs)),
    frames: documents
      .flatMap(({ frames }) => frames)
      .filter((el) => innerDocument(el) === null && isShown(el))
      .map((el) => markFrame(el, refs)),
  };
}

type FoundLines = Extract<FromPage, { type: 'found' }>['found'];

const elementsOf = (ranked: Ranking['hits']): Element[] => ranked.map(({ el }) => el);

interface Sought extends Ranking {
  /** Tests whether one of them is seen, if visibility is not the question. */
  readonly isSeen?: (el: Element) => boolean;
}

function sought(target: FindTarget | AwaitedTarget, documents: readonly DocumentTrees[], refs: Refs): Sought {
  if ('query' in target) return rank(documents, target.query);
  if ('selector' in target) return ranking(locateAll(document, target.selector));
  if ('said' in target) return ranking(findSaid(document, target.said));
  if ('rendered' in target) return { ...ranking(locateCss(target.rendered)), isSeen: isRendered };
  if ('ref' in target) return ranking(locateShown(target, refs));
  if ('within' in target)
    return {
      ...ranking(documents.flatMap((each) => each.all(ACTIONABLE))),
      isSeen: (el) => isShown(el) && isPressableIn(el, target.within),
    };
  const found = locateParts(document, target.parts);
  return ranking(target.parts.at(-1)?.engine === 'text' ? found.map(targetOf) : found);
}

const ranking = (elements: readonly Element[]): Ranking => ({
  hits: [...new Set(elements)].map((el) => ({ el, score: 0 })),
  nearest: [],
  isWhole: true,
});

/** The document and those of its frames that this script may access. */
const reachable = (document: Document): DocumentTrees[] =>
  [document, ...documentsIn(document)].map((each) => new DocumentTrees(each));
