import type Readability from '@mozilla/readability/Readability.js';
import type { ArticleFacts, Coverage } from '../../../shared/bridge/page.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import { isElement, squash } from '../dom.ts';
import { Refs } from '../refs.ts';
import type { VisibilityCheckerFactory } from '../walk/visibility-checker.ts';
import { Walker, type Selection } from '../walk/walker.ts';
import { articleFacts, writeHead } from './article.ts';
import { CloneWriter } from './clone.ts';
import { prune } from './prune.ts';
import { isComments, isConsent, isNamedBeside } from './names.ts';

/** Blocks of prose: what lists of links and labels of controls are not. */
const PROSE = 'p,li,blockquote,pre,td,dd,h1,h2,h3,h4,h5,h6';
const ASIDE = 'nav,footer,aside,form,dialog,[role=navigation],[role=contentinfo],[role=complementary]';
/** A shorter text may be a label. */
const MIN_PROSE_CHARS = 60;
/** A part with more of the page's text than this is its content, whatever its name. */
const MOST_SHARE = 0.5;
/** Without so much prose besides them, comments are the content: a forum. */
const MIN_COMMENTED_CHARS = 400;
/** A part with this share of its parent's prose holds the article. */
const MAIN_SHARE = 0.85;
/** An article with less of the page's prose than this was picked wrongly. */
const POOR_SHARE = 0.5;

/** Characters of prose that is not in links. */
function proseOf(root: Element): number {
  let chars = 0;
  for (const el of root.querySelectorAll(`${PROSE},div,section`)) {
    const own = el.matches(PROSE) ? el.textContent : ownText(el);
    if (own.length < MIN_PROSE_CHARS || el.parentElement?.closest('p,li,blockquote,pre,td,dd') != null)
      continue;
    let linked = 0;
    for (const link of el.querySelectorAll('a')) linked += link.textContent.length;
    const length = squash(own).length;
    if (length >= MIN_PROSE_CHARS) chars += Math.max(0, length - linked);
  }
  return chars;
}

/** Text straight inside a box. */
function ownText(el: Element): string {
  let text = '';
  for (const node of el.childNodes) if (node.nodeType === 3) text += node.nodeValue ?? '';
  return text;
}

/** Takes out of a page what Readability is apt to take for the article: comments and consent to cookies. */
function clearComments(body: Element): void {
  dropSmall(body, '[class],[id]', isConsent);
  const comments = [...body.querySelectorAll('[class],[id]')].filter(isComments);
  const threads = comments.filter((el) => !comments.some((other) => other !== el && other.contains(el)));
  const commented = threads.reduce((sum, el) => sum + proseOf(el), 0);
  if (proseOf(body) - commented >= MIN_COMMENTED_CHARS) for (const el of threads) el.remove();
}

function dropSmall(body: Element, selector: string, isDropped: (el: Element) => boolean): void {
  const all = squash(body.textContent).length;
  for (const el of body.querySelectorAll(selector))
    if (isDropped(el) && squash(el.textContent).length < MOST_SHARE * all) el.remove();
}

/**
 * The smallest part of a page that holds most of its prose, when what was picked holds less than half
 * of that; else null. What by element or name surrounds an article is taken out of `body`.
 */
function findBetter(body: Element, picked: Element | null): Element | null {
  dropSmall(body, `${ASIDE},[class],[id]`, (el) => el.matches(ASIDE) || isNamedBeside(el));
  let best = body;
  let most = proseOf(body);
  const bar = picked === null ? Infinity : proseOf(picked) / POOR_SHARE;
  if (most <= bar && picked !== null) return null;
  for (let next: Element | undefined = body; next !== undefined;) {
    best = next;
    next = [...best.children].find((child) => {
      const prose = proseOf(child);
      if (prose < MAIN_SHARE * most) return false;
      most = prose;
      return true;
    });
  }
  return most > bar || picked === null ? best : null;
}

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
