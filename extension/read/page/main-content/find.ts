import { FLOW, type Flow, type Selection } from '../../../dom/level.ts';
import { allIn, isElement, isText, squash, textIn } from '../../../dom/elements.ts';
import { isMath } from '../write/formula.ts';
import { isScriptUrl } from '../../../dom/media.ts';
import type { Writer } from '../write/out.ts';
import { type Heading, articleFacts, writeHead } from './article.ts';
import Readability from '@mozilla/readability/Readability.js';
import type { ArticleFacts, Coverage } from '../../../../shared/core/bridge/page.ts';
import type { ReadFormat } from '../../../../shared/read/read_page.methods.ts';
import { PICTURES, prune } from './prune.ts';
import { isComments, isNamedBeside, isOverlay } from './phrases.ts';
import { type Block, BlockCollector, charsOf, type Part } from './blocks.ts';
import { resolveContentKind } from './kind.ts';
import { chooseBlocks, elementsOf } from './records.ts';

const TAG_PREFIX = 'data-spillway-';
/** Readability would guess by these. */
const JUDGED = ['style', 'hidden'];
/** A form's own fields shadow its members, also for Readability: `<input name="children">`. */
const NAMING = ['name', 'id'];
/** Readability may replace these with a bare paragraph: their text needs a tag of its own. */
const REPLACED = new Set(['div', 'body']);
/** A part of the page this long is not decoration, even if it is hidden from assistive technology. */
const MIN_HIDDEN_CHARS = 140;

/** Part of a line: an inline element, the element around it, and those with text in the same line. */
interface LinePart {
  readonly tag: number;
  readonly parent: number;
  readonly line: ReadonlySet<number>;
}

/** Builds the tagged clone in a separate document that loads and runs nothing, and collects the blocks of text. */
class CloneWriter implements Writer {
  readonly document: Document;
  readonly blocks = new BlockCollector();
  readonly headings: Heading[] = [];
  readonly #live: Element[] = [];
  readonly #parents = new Map<Element, Element | null>();
  /** The tags of the open elements. */
  readonly #open: number[] = [];
  /** The tag for text directly inside each open element, if it needs one. */
  readonly #openTags: (number | null)[] = [];
  readonly #lineParts: LinePart[] = [];
  #line = new Set<number>();
  #parent: Element;

  constructor(live: Document) {
    this.document = live.implementation.createHTMLDocument(live.title);
    for (const meta of live.head?.querySelectorAll('meta') ?? [])
      this.document.head.append(this.document.importNode(meta));
    this.#parent = this.document.body;
  }

  enter(el: Element, tag: string, flow: Flow): boolean {
    this.blocks.enter(el, tag, flow);
    const parent = this.#open.at(-1) ?? -1;
    this.#parents.set(el, this.#live[parent] ?? null);
    const isFormula = isMath(el, tag);
    const clone = isFormula ? this.document.createElement('span') : this.#clone(el, tag);
    const at = this.#live.push(el) - 1;
    if (flow === FLOW.block) this.#line = new Set();
    else this.#lineParts.push({ tag: at, parent, line: this.#line });
    clone.setAttribute(`${TAG_PREFIX}${at}`, '');
    const isBody = clone === this.document.body;
    if (!isBody) this.#parent.append(clone);
    if (isFormula) {
      // Only its length counts.
      const formula = el.textContent.trim() || '∑';
      clone.append(formula);
      this.blocks.text(formula);
      this.blocks.leave(tag, flow);
      return false;
    }
    this.#openTags.push(needsTextTags(el, clone) ? at : null);
    this.#open.push(at);
    if (!isBody) this.#parent = clone;
    return true;
  }

  #clone(el: Element, tag: string): Element {
    if (tag === 'html' || tag === 'body') return this.document.body;
    // A custom element's name tells Readability nothing; a slot has no box.
    const clone =
      tag.includes('-') || tag === 'slot'
        ? this.document.createElement('div')
        : this.document.importNode(el, false);
    for (const name of JUDGED) clone.removeAttribute(name);
    for (const name of NAMING)
      if ((el.getAttribute(name) ?? '') in HTMLFormElement.prototype) clone.removeAttribute(name);
    // Readability replaces these links by bare text, which would lose the tag.
    if (tag === 'a' && isScriptUrl(el.getAttribute('href') ?? '')) clone.removeAttribute('href');
    // In an article `aria-hidden` marks decoration; around as much text as an article, it marks content behind a
    // dialog.
    if (el.hasAttribute('aria-hidden') && el.textContent.length >= MIN_HIDDEN_CHARS)
      clone.removeAttribute('aria-hidden');
    return clone;
  }

  leave(el: Element, tag: string, flow: Flow): void {
    this.blocks.leave(tag, flow);
    if (flow === FLOW.block) this.#line = new Set();
    this.#open.pop();
    this.#openTags.pop();
    if (tag === 'html' || tag === 'body') return;
    if (tag === 'h1' || tag === 'h2') this.headings.push({ live: el, text: textIn(this.#parent) });
    this.#parent = this.#parent.parentElement ?? this.document.body;
    // A line break separates two words.
    if (tag === 'br') this.#parent.append(' ');
  }

  text(data: string): void {
    this.blocks.text(data);
    if (/[\p{L}\p{N}]/u.test(data)) this.#line.add(this.#open.at(-1) ?? -1);
    const tag = this.#openTags.at(-1) ?? null;
    if (tag === null || data.trim() === '') return this.#parent.append(data);
    const span = this.document.createElement('span');
    span.setAttribute(`${TAG_PREFIX}${tag}`, '');
    span.append(data);
    this.#parent.append(span);
  }

  space(): void {
    this.blocks.space();
    this.#parent.append(' ');
  }

  enterFrame(): void {
    this.blocks.end();
  }

  leaveFrame(): void {
    this.blocks.end();
  }

  frame(): void {
    // Another origin's document is not part of this article.
  }

  finish(): void {
    // The clone is complete when the walk is.
  }

  /** The body, copied because Readability changes it. */
  copyBody(): HTMLElement {
    return this.document.importNode(this.document.body, true);
  }

  /** Adds all parts of lines that have text left: no rule cuts words out of a sentence. */
  withWholeLines(tags: Set<number>): Set<number> {
    for (const { tag, parent, line } of this.#lineParts)
      if (tags.has(parent) && [...line].some((each) => tags.has(each))) tags.add(tag);
    return tags;
  }

  /** The live elements of those tags that are left below `content`. */
  liveElementsIn(content: Element, tags: ReadonlySet<number>): Set<Element> {
    const left = this.withWholeLines(new Set([...tagsIn(content)].filter((tag) => tags.has(tag))));
    return new Set([...left].flatMap((tag) => this.#live[tag] ?? []));
  }

  /** Keeps or removes the title, overriding Readability. */
  setTitle(kept: Set<Element>, title: Element, isKept: boolean): void {
    for (const el of this.#live) {
      if (!title.contains(el)) continue;
      if (isKept) kept.add(el);
      else kept.delete(el);
    }
  }

  waysTo(kept: ReadonlySet<Element>): Set<Element> {
    const way = new Set<Element>();
    for (const el of kept) {
      for (let up = this.#parents.get(el); up != null && !way.has(up); up = this.#parents.get(up))
        way.add(up);
    }
    return way;
  }
}

const tagsOf = (el: Element): number[] =>
  el
    .getAttributeNames()
    .filter((name) => name.startsWith(TAG_PREFIX))
    .map((name) => Number(name.slice(TAG_PREFIX.length)));

/** The tags in a part of a clone. */
const tagsIn = (root: Element): Set<number> => new Set([root, ...allIn(root, '*')].flatMap(tagsOf));

/** Removes everything without one of the tags. Returns whether the element itself is kept. */
function reduceTo(tags: ReadonlySet<number>, el: Element): boolean {
  const parts = [...el.children].map((child) => reduceTo(tags, child));
  const isKept = parts.includes(true) || tagsOf(el).some((tag) => tags.has(tag));
  if (!isKept) el.remove();
  return isKept;
}

/** Readability makes a `div` of a paragraph with line breaks, before it replaces that as well. */
const needsTextTags = (el: Element, clone: Element): boolean =>
  REPLACED.has(clone.localName) || (clone.localName === 'p' && el.querySelector('br') !== null);

/** Blocks of prose, unlike lists of links and labels of controls. */
const PROSE = 'p,li,blockquote,pre,td,dd,h1,h2,h3,h4,h5,h6';
const ASIDE = 'nav,footer,aside,form,dialog,[role=navigation],[role=contentinfo],[role=complementary]';
/** A shorter text may be a label. */
const MIN_PROSE_CHARS = 60;
/** A part with more of the page's text is its content, whatever its name. */
const MAX_SHARE = 0.5;
/** With less prose outside them, comments are the content: a forum. */
const MIN_COMMENTED_CHARS = 400;
/** A part with this share of its parent's prose contains the article. */
const MAIN_SHARE = 0.85;
/** An article with less of the page's prose was chosen wrongly. */
const POOR_SHARE = 0.5;

/** Characters of prose outside links. */
function proseOf(root: Element): number {
  let chars = 0;
  for (const el of root.querySelectorAll(`${PROSE},div,section`)) {
    const own = el.matches(PROSE) ? el.textContent : ownText(el);
    if (own.length < MIN_PROSE_CHARS || el.parentElement?.closest('p,li,blockquote,pre,td,dd') != null)
      continue;
    const linked = allIn(el, 'a').reduce((sum, link) => sum + link.textContent.length, 0);
    const length = squash(own).length;
    if (length >= MIN_PROSE_CHARS) chars += Math.max(0, length - linked);
  }
  return chars;
}

/** Text directly inside a box. */
const ownText = (el: Element): string =>
  [...el.childNodes].map((node) => (isText(node) ? node.data : '')).join('');

/** Removes parts that Readability tends to take for the article: comments, dialogs and cookie banners. */
function clearComments(body: Element): void {
  dropSmall(body, 'dialog,[role],[aria-modal],[class],[id]', isOverlay);
  const comments = [...body.querySelectorAll('[class],[id]')].filter(isComments);
  const threads = comments.filter((el) => !comments.some((other) => other !== el && other.contains(el)));
  const commented = threads.reduce((sum, el) => sum + proseOf(el), 0);
  if (proseOf(body) - commented >= MIN_COMMENTED_CHARS) for (const el of threads) el.remove();
}

function dropSmall(body: Element, selector: string, isDropped: (el: Element) => boolean): void {
  const all = textIn(body).length;
  for (const el of body.querySelectorAll(selector))
    if (isDropped(el) && textIn(el).length < MAX_SHARE * all) el.remove();
}

/**
 * The smallest part of a page with most of its prose, if the chosen one has less than half of that; else null. Parts
 * whose element or name puts them outside the article are removed from `body`.
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

/** Less text is not an article: the whole page is more useful. */
const MIN_ARTICLE_CHARS = 140;

/** The only declared main part of a page, if it has hardly any prose: a form, or a list of products. */
function mainWithoutArticle(body: Element): Element | null {
  const [main, ...others] = body.querySelectorAll('main,[role=main]');
  return main !== undefined && others.length === 0 && proseOf(main) < MIN_ARTICLE_CHARS ? main : null;
}

interface MainContentOptions {
  readonly document: Document;
  /** Walks all that may be main content. */
  readonly walk: (writer: Writer) => void;
  /** Text has no block images, title or head. */
  readonly format: ReadFormat;
}

export interface MainContent {
  readonly selection: Selection;
  readonly article: ArticleFacts;
  /** Title, byline and date in Markdown and HTML, else empty. */
  readonly head: string;
  /** Says how much text is not in it; null if all is. */
  readonly note: Coverage | null;
}

type Chosen = Omit<MainContent, 'note'>;

/**
 * Finds the main content: of an article by Readability, of a page of another kind by the evidence for each block, such
 * as that Readability would take it.
 * @returns null if there is no main content to speak of
 */
export function findMainContent({ document, walk, format }: MainContentOptions): MainContent | null {
  const clone = new CloneWriter(document);
  walk(clone);
  const blocks = clone.blocks.all();
  const kind = resolveContentKind(document, blocks);
  const article = findArticle(document, clone, format);
  const inArticle = blocksIn(blocks, article);
  if (kind === 'article') return article === null ? null : { ...article, note: leftOut(inArticle, article) };
  const chosen = new Set(chooseBlocks(blocks, inArticle));
  if (charsOf(chosen) < MIN_ARTICLE_CHARS) return null;
  const empty = clone.blocks.empty.filter(({ part }) => format !== 'text' || !part.el.matches(PICTURES));
  const { kept, way } = elementsOf(blocks, chosen, empty);
  const { facts, heading } = articleFacts(document, { title: document.title }, clone.headings);
  // The head repeats it.
  if (heading !== null && (format === 'markdown' || format === 'html')) clone.setTitle(kept, heading, false);
  const selection = { has: (el: Element) => kept.has(el), isOnWay: (el: Element) => way.has(el) };
  const main = { selection, article: { ...facts, kind }, head: writeHead(facts, format) };
  return { ...main, note: leftOut(chosen, main) };

  function leftOut(chosen: ReadonlySet<Block>, { article: { title } }: Chosen): Coverage | null {
    const left = charsOf(blocks.filter((block) => !chosen.has(block) && block.text !== title));
    const detail = `Text outside the main content was left out: ${left} of ${charsOf(blocks)} characters. Read without main_content_only to get it.`;
    return left === 0 ? null : { kind: 'left_out', detail };
  }
}

/** The blocks with text that an article holds. */
function blocksIn(blocks: readonly Block[], article: Chosen | null): Set<Block> {
  const isIn = ({ el }: Part): boolean => article?.selection.has(el) === true;
  return new Set(blocks.filter(({ parts }) => [...parts].some(isIn)));
}

/**
 * Readability judges a clone of the visible page, shadow trees in place, and tags on its
 * elements lead back to the live ones, so that the same writer writes them. Tags are attribute *names*, since
 * Readability copies attributes when it merges or renames elements and would overwrite a value.
 * @returns null if there is no main content to speak of
 */
function findArticle(document: Document, clone: CloneWriter, format: ReadFormat): Chosen | null {
  clearComments(clone.document.body);
  // Readability merges boxes and renames elements: this copy keeps names and order.
  const content = clone.copyBody();
  const body = clone.copyBody();
  const article = new Readability<Element>(clone.document, {
    serializer: toElement,
    keepClasses: true,
    disableJSONLD: true,
  }).parse();
  const whole = mainWithoutArticle(body);
  const picked = whole ?? findBetter(body, article?.content ?? null) ?? article?.content ?? body;
  const tags = clone.withWholeLines(tagsIn(picked));
  for (const child of [...content.children]) reduceTo(tags, child);
  const known = articleFacts(document, article, clone.headings);
  const { facts, heading } = known;
  if (whole === null) prune(content, { ...known, isProse: format === 'text' });
  if (textIn(content).length < MIN_ARTICLE_CHARS) return null;
  const kept = clone.liveElementsIn(content, tags);
  if (kept.size === 0) return null;
  // These formats locate each element: the title stays in its place.
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
