import type Readability from '@mozilla/readability/Readability.js';
import type { ArticleFacts, Coverage } from '../../../shared/bridge/page.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import { isElement, squash } from '../dom.ts';
import { Refs } from '../refs.ts';
import type { VisibilityCheckerFactory } from '../walk/visibility-checker.ts';
import { Walker, type Selection } from '../walk/walker.ts';
import { articleFacts, writeHead } from './article.ts';
import { clearComments, findBetter } from './candidate.ts';
import { CloneWriter } from './clone.ts';
import { prune } from './prune.ts';

/** Less text than this is not an article: the whole page says more. */
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
  readonly createVisibility?: VisibilityCheckerFactory;
  /** Judges what the main content is. A tab loads it before the first reading that needs it. */
  readonly readability: typeof Readability;
  /** Text has no pictures that are not part of a line, and neither title nor head. */
  readonly format: ReadFormat;
}

export interface MainContent {
  readonly selection: Selection;
  readonly article: ArticleFacts;
  /** What the text begins with: title, byline and date in Markdown and HTML, else empty. */
  readonly head: string;
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
  createVisibility,
  readability,
  format,
}: MainContentOptions): MainContent | null {
  const clone = new CloneWriter(document);
  const walker = new Walker({
    document,
    roots,
    includeHidden,
    selection: null,
    refs: new Refs(),
    ...(createVisibility !== undefined && { createVisibility }),
  });
  walker.run(clone, () => false);
  clearComments(clone.document.body);
  const [body, whole] = [clone.copyBody(), clone.copyBody()];
  const article = new readability<Element>(clone.document, {
    serializer: (node) => toElement(node),
    keepClasses: true,
    disableJSONLD: true,
  }).parse();
  const picked = findBetter(body, article?.content ?? null) ?? article?.content ?? body;
  const content = clone.reduceTo(whole, picked);
  const known = articleFacts(document, article, clone.headings);
  const { facts, heading } = known;
  prune(content, { ...known, isProse: format === 'text' });
  if (squash(content.textContent).length < MIN_ARTICLE_CHARS) return null;
  const kept = clone.liveElementsIn(content);
  if (kept.size === 0) return null;
  // These formats say of each element where it is: the title stays in its place.
  if (heading !== null) clone.setTitle(kept, heading, format === 'nodes' || format === 'snapshot');
  const way = clone.waysTo(kept);
  // Readability turns line breaks into paragraphs; in a kept element they are still line breaks.
  const isKeptBreak = (el: Element): boolean =>
    el.localName === 'br' && el.parentElement !== null && kept.has(el.parentElement);
  const selection = {
    has: (el: Element) => kept.has(el) || isKeptBreak(el),
    isOnWay: (el: Element) => way.has(el),
  };
  return { selection, article: facts, head: writeHead(facts, format) };
}

function toElement(node: Node): Element {
  if (!isElement(node)) throw new Error('Readability made no element.');
  return node;
}
