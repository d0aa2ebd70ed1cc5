import { Readability } from '@mozilla/readability';
import type { Coverage } from '../../../shared/bridge/page.ts';
import { isElement, squash } from '../dom.ts';
import { Refs } from '../refs.ts';
import type { VisibilityCheckerFactory } from '../walk/visibility-checker.ts';
import { Walker, type Selection } from '../walk/walker.ts';
import { clearComments, findBetter } from './candidate.ts';
import { CloneWriter } from './clone.ts';
import { prune } from './prune.ts';

/** Less text than this is no article: the whole page says more. */
const MIN_ARTICLE_CHARS = 140;

/** The note of a reading that found no main content. */
export const NO_MAIN_CONTENT: Coverage = {
  kind: 'no_main_content',
  detail: 'No main content was found, so the whole page was read.',
};

export interface MainContentOptions {
  readonly document: Document;
  /** Where to look; empty looks in the whole document. */
  readonly roots: readonly Element[];
  readonly includeHidden: boolean;
  /** How visibility is checked; by style and layout by default. */
  readonly eyes?: VisibilityCheckerFactory;
  /** For a format of text alone: leaves out the title and pictures that are not part of a line. */
  readonly isProse: boolean;
}

/**
 * Picks the main content: Readability judges a clone of what a person sees, shadow trees in place,
 * whose elements are tagged, and the tags lead back to the live elements, so that the same writer
 * writes them. Tags are attribute *names*, since Readability copies attributes when it merges or
 * renames elements, and a value would be overwritten.
 *
 * @returns null when there is no main content to speak of
 */
export function findMainContent({
  document,
  roots,
  includeHidden,
  eyes,
  isProse,
}: MainContentOptions): Selection | null {
  const clone = new CloneWriter(document);
  const walker = new Walker({
    document,
    roots,
    includeHidden,
    selection: null,
    refs: new Refs(),
    ...(eyes !== undefined && { eyes }),
  });
  walker.run(clone, () => false);
  clearComments(clone.document.body);
  const body = clone.document.importNode(clone.document.body, true);
  const article = new Readability<Element>(clone.document, {
    serializer: (node) => toElement(node),
    keepClasses: true,
    disableJSONLD: true,
  }).parse();
  const content = findBetter(body, article?.content ?? null) ?? article?.content ?? body;
  prune(content, isProse);
  if (squash(content.textContent).length < MIN_ARTICLE_CHARS) return null;
  const kept = clone.liveElementsIn(content);
  if (kept.size === 0) return null;
  if (isProse) clone.dropTitle(kept);
  else clone.addTitle(kept, squash(article?.title ?? document.title));
  const way = clone.waysTo(kept);
  // Readability turns line breaks into paragraphs; in a kept element they are still line breaks.
  const isKeptBreak = (el: Element): boolean =>
    el.localName === 'br' && el.parentElement !== null && kept.has(el.parentElement);
  return { has: (el) => kept.has(el) || isKeptBreak(el), isOnWay: (el) => way.has(el) };
}

function toElement(node: Node): Element {
  if (!isElement(node)) throw new Error('Readability made no element.');
  return node;
}
