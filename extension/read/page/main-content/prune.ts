import { isElement, squash, textIn, wordSet } from '../../../dom/elements.ts';
import { isNamedBeside, isNamedCaption, isDateline, isBio, isHead, isOpening } from './phrases.ts';
import { hostOf, type KnownArticle } from './article.ts';

const MAX_SHARE = 0.3;
/** A block with this share of its text in links points away. */
const LINK_DENSITY = 0.6;
const HEADINGS = 'h1,h2,h3,h4,h5,h6';
const BLOCKS = wordSet(
  'address article aside blockquote body center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul',
);
export const PICTURES = 'img,picture,svg,video,audio,canvas,object,embed,iframe';

/** The article being pruned, and its original length. */
interface Article extends Pick<KnownArticle, 'facts' | 'host'> {
  readonly isProse: boolean;
  readonly root: Element;
  readonly chars: number;
}

/** Code and data tables are content wherever they are. */
function holdsData(el: Element): boolean {
  if (el.querySelector('pre') !== null || el.localName === 'pre') return true;
  return [...el.querySelectorAll('table'), ...(el.localName === 'table' ? [el] : [])].some(
    (table) => table.querySelectorAll('tr').length > 2 && table.querySelector('td + td, th + td') !== null,
  );
}

const charsOf = (all: readonly Element[]): number => all.reduce((sum, el) => sum + textIn(el).length, 0);

/** Share of an element's text in links. */
function linkDensity(el: Element): number {
  const all = textIn(el).length;
  const around = el.closest('a') === null ? 0 : all;
  return all === 0 ? 0 : (around + charsOf([...el.querySelectorAll('a')])) / all;
}

/** Innermost blocks, and inline elements alone between blocks; in order. */
function leavesOf(root: Element): Element[] {
  const all = [...root.querySelectorAll('*')];
  const holders = new Set<Node>();
  for (const el of all) {
    let up = BLOCKS.has(el.localName) ? el.parentElement : null;
    for (; up !== null && !holders.has(up); up = up === root ? null : up.parentElement) holders.add(up);
  }
  const isEdge = (node: Node | null): boolean =>
    node === null || holders.has(node) || (isElement(node) && BLOCKS.has(node.localName));
  const isAlone = (el: Element): boolean =>
    el.parentNode !== null &&
    holders.has(el.parentNode) &&
    isEdge(besideOf(el, 'previousSibling')) &&
    isEdge(besideOf(el, 'nextSibling'));
  return all.filter((el) => !holders.has(el) && (BLOCKS.has(el.localName) || isAlone(el)));
}

/** The next sibling to a side that is not white space. */
function besideOf(el: Element, side: 'previousSibling' | 'nextSibling'): Node | null {
  let node: Node | null = el[side];
  while (node?.nodeType === 3 && squash(node.nodeValue ?? '') === '') node = node[side];
  return node;
}

/** Captions of images; a table, code or a quotation keeps its own. */
function dropCaptions({ root }: Article): void {
  for (const el of root.querySelectorAll('figcaption, [class]')) {
    if (el.localName !== 'figcaption' && !(isNamedCaption(el) && textIn(el).length < 600)) continue;
    if (el.querySelector('p + p + p') !== null || holdsData(el)) continue;
    const figure = el.closest('figure');
    if (figure?.querySelector('table,pre,blockquote') == null) el.remove();
  }
}

/** Elements that HTML defines as other than article text; an address of several lines is a place. */
const OTHERS = 'footer,nav,aside,form,button,address:not(:has(br ~ br)),dialog';

function dropSmall(article: Article, selector: string, isDropped: (el: Element) => boolean): void {
  for (const el of article.root.querySelectorAll(selector))
    if (isDropped(el) && textIn(el).length <= MAX_SHARE * article.chars && !holdsData(el)) el.remove();
}

function dropPhrases({ root, host }: Article): void {
  for (const el of leavesOf(root)) {
    const text = textIn(el);
    if (text === '' || el.matches('td,th,pre')) continue;
    if (isOpening(text, linkDensity(el) > 0.3) || isPointer(el, text, host)) el.remove();
  }
}

/**
 * A few words, a colon and a title that links within the site: points to another article, in any language. A link
 * elsewhere, or with a price, may be a product.
 */
function isPointer(el: Element, text: string, host: string): boolean {
  const [link, ...others] = el.querySelectorAll('a');
  if (link === undefined || others.length > 0 || el.matches('li,dt,dd,h1,h2,h3,h4,h5,h6')) return false;
  const title = textIn(link);
  const href = link.getAttribute('href') ?? '';
  const isElsewhere = /^(?:[a-z]+:)?\/\//i.test(href) && hostOf(href.replace(/^\/\//, 'https://')) !== host;
  if (isElsewhere || href.startsWith('#') || /[$€£]\s?\d/.test(title)) return false;
  return (
    title.split(' ').length >= 4 &&
    text.endsWith(title) &&
    /^\S+(?: \S+){0,3}[:»>]$/.test(text.slice(0, -title.length).trim())
  );
}

/** Above the first paragraph: dates, reading times, and facts already in the head. */
function dropDatelines({ root, facts }: Article): void {
  for (const el of leavesOf(root)) {
    const text = textIn(el);
    if (el.localName === 'p' && text.length > 200) return;
    if (!el.matches('td,th,pre') && (isDateline(text) || isHead(text, facts))) el.remove();
  }
}

const BOXES = 'article,li,div,section';

/** Teasers of other articles: similar boxes, each with a linked heading. */
function dropTeasers(article: Article): void {
  const found = new Set<Element>();
  for (const title of article.root.querySelectorAll(':is(h2,h3,h4,h5,h6) a, a :is(h2,h3,h4,h5,h6)')) {
    let box: Element | null = null;
    for (
      let up = title.closest(BOXES);
      up !== null && up !== article.root;
      up = up.parentElement?.closest(BOXES) ?? null
    ) {
      if (textIn(up).length >= 500) break;
      box = up;
    }
    if (box !== null) found.add(box);
  }
  const teasers = [...found];
  if (teasers.length < 2 || charsOf(teasers) > MAX_SHARE * article.chars) return;
  for (const el of teasers) if (!holdsData(el)) el.remove();
}

/** Links at the end: related articles, tags, the next article. */
function dropLinksAtEnd(article: Article): void {
  for (const el of leavesOf(article.root).reverse()) {
    const text = textIn(el);
    if (text === '') continue;
    if (linkDensity(el) < LINK_DENSITY && !isDateline(text) && !el.matches(HEADINGS)) return;
    if (holdsData(el) || el.matches('td,th')) return;
    el.remove();
  }
}

const lastLeavesOf = (root: Element): Element[] =>
  leavesOf(root)
    .slice(-40)
    .filter((el) => textIn(el) !== '');

/** Author biographies in the last blocks: from the first of them to the end. */
function dropBios({ root, facts, chars }: Article): void {
  const leaves = lastLeavesOf(root);
  const tail = leaves.slice(-6);
  const first = tail.findIndex(
    (el, at) => !el.matches(HEADINGS) && isBio(textIn(el), facts, at >= tail.length - 2),
  );
  const bio = first === -1 ? [] : tail.slice(first);
  if (charsOf(bio) > MAX_SHARE * chars || bio.some(holdsData)) return;
  for (const el of bio) el.remove();
}

/** A lone label at the end of an article. Several, or one of several lines, are lines of a text. */
function dropShortEnds({ root }: Article): void {
  const leaves = lastLeavesOf(root);
  const isLabel = (el: Element): boolean =>
    !el.matches('li,dt,dd,td,th,pre,blockquote *,:has(br)') &&
    textIn(el).length <= 80 &&
    /[\p{L}\p{N}:|*]$/u.test(textIn(el));
  const from = leaves.findLastIndex((el) => !isLabel(el)) + 1;
  if (leaves.length - from <= 3) for (const el of leaves.slice(from)) el.remove();
}

/** Block images. */
function dropPictures({ root, isProse }: Article): void {
  if (!isProse) return;
  for (const el of root.querySelectorAll(PICTURES)) {
    let block = el.parentElement;
    while (block !== null && block !== root && !BLOCKS.has(block.localName)) block = block.parentElement;
    const isInText = block?.matches('p,li,td,th,h1,h2,h3,h4,h5,h6,dd') === true && textIn(block) !== '';
    if (block === root || !isInText) el.remove();
  }
}

/** Each rule sees the result of the ones before it. */
const RULES: readonly ((article: Article) => void)[] = [
  dropPictures,
  dropCaptions,
  (article) => dropSmall(article, OTHERS, () => true),
  (article) => dropSmall(article, '[class],[id]', isNamedBeside),
  dropPhrases,
  dropDatelines,
  dropTeasers,
  dropLinksAtEnd,
  dropBios,
  dropShortEnds,
];

/**
 * Removes everything from an article that is not its text, or that its facts repeat.
 * @param isProse also removes block images
 */
export function prune(root: Element, known: Omit<Article, 'root' | 'chars'>): void {
  const article = { root, chars: textIn(root).length, ...known };
  for (const rule of RULES) rule(article);
}
