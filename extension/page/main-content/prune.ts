import type { ArticleFacts } from '../../../shared/bridge/page.ts';
import { isElement, squash } from '../dom.ts';
import { isNamedBeside, isNamedCaption } from './names.ts';
import { isAfterHeading, isDateline, isHead, isOpening } from './phrases.ts';

/** What is more of the text than this is the article, whatever its name. */
const MOST_SHARE = 0.3;
/** A block with so much of its text in links points away. */
const LINK_DENSITY = 0.6;
const HEADINGS = 'h1,h2,h3,h4,h5,h6';
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const PICTURES = 'img,picture,svg,video,audio,canvas,object,embed,iframe';

/** The article that is pruned, and how long it was. */
interface Article {
  readonly root: Element;
  readonly chars: number;
  readonly isProse: boolean;
  readonly facts: ArticleFacts;
}

const textOf = (el: Element): string => squash(el.textContent);

/** Code and tables of data are content wherever they are. */
function holdsData(el: Element): boolean {
  if (el.querySelector('pre') !== null || el.localName === 'pre') return true;
  return [...el.querySelectorAll('table'), ...(el.localName === 'table' ? [el] : [])].some(
    (table) => table.querySelectorAll('tr').length > 2 && table.querySelector('td + td, th + td') !== null,
  );
}

const isSmall = ({ chars }: Article, el: Element): boolean => textOf(el).length <= MOST_SHARE * chars;

/** Share of an element's text that is in links. */
function linkDensity(el: Element): number {
  const all = textOf(el).length;
  if (all === 0) return 0;
  let linked = el.closest('a') === null ? 0 : all;
  for (const link of el.querySelectorAll('a')) linked += textOf(link).length;
  return linked / all;
}

/** Blocks without blocks in them, and elements of a line that are alone between blocks; in order. */
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

/** The next node to a side that is not white space. */
function besideOf(el: Element, side: 'previousSibling' | 'nextSibling'): Node | null {
  let node: Node | null = el[side];
  while (node?.nodeType === 3 && squash(node.nodeValue ?? '') === '') node = node[side];
  return node;
}

/** Captions of pictures; a table, code or a quotation keeps its own. */
function dropCaptions({ root }: Article): void {
  for (const el of root.querySelectorAll('figcaption, [class]')) {
    if (el.localName !== 'figcaption' && !(isNamedCaption(el) && textOf(el).length < 600)) continue;
    if (el.querySelector('p + p + p') !== null || holdsData(el)) continue;
    const figure = el.closest('figure');
    if (figure?.querySelector('table,pre,blockquote') == null) el.remove();
  }
}

function dropNamed(article: Article): void {
  for (const el of article.root.querySelectorAll('[class],[id]'))
    if (isNamedBeside(el) && isSmall(article, el) && !holdsData(el)) el.remove();
}

/** Elements that HTML itself says are no text of an article. */
function dropElements(article: Article): void {
  for (const el of article.root.querySelectorAll('footer,nav,aside,form,button,address,dialog'))
    if (isSmall(article, el) && !holdsData(el)) el.remove();
}

function dropPhrases({ root }: Article): void {
  for (const el of leavesOf(root)) {
    const text = textOf(el);
    if (text !== '' && !el.matches('td,th,pre') && isOpening(text, linkDensity(el) > 0.3)) el.remove();
  }
}

/** Above the first paragraph: dates, times of reading, and what the head of the article says already. */
function dropDatelines({ root, facts }: Article): void {
  for (const el of leavesOf(root)) {
    const text = textOf(el);
    if (el.localName === 'p' && text.length > 200) return;
    if (!el.matches('td,th,pre') && (isDateline(text) || isHead(text, facts))) el.remove();
  }
}

/** Cuts off what follows a heading that ends the article, in its second half, up to the next heading of its rank. */
function dropAfterHeadings(article: Article): void {
  const leaves = leavesOf(article.root);
  for (const heading of leaves.slice(Math.floor((leaves.length - 1) / 2))) {
    const text = textOf(heading);
    if (text.length > 80 || !isHeading(heading, text) || !isAfterHeading(text)) continue;
    const section = sectionOf(heading);
    const chars = section.reduce((sum, el) => sum + textOf(el).length, 0);
    if (chars <= MOST_SHARE * article.chars && !section.some(holdsData))
      for (const el of section) el.remove();
  }
}

/** A heading by element, or a paragraph that is bold as a whole. */
function isHeading(el: Element, text: string): boolean {
  if (el.matches(HEADINGS)) return true;
  const bold = el.querySelector('strong,b');
  return bold !== null && textOf(bold) === text;
}

/** A heading and what belongs to it: its following siblings, or those of the box that it is alone in. */
function sectionOf(heading: Element): Element[] {
  let start = heading;
  while (start.nextElementSibling === null && start.parentElement !== null) {
    if (textOf(start.parentElement) !== textOf(heading)) break;
    start = start.parentElement;
  }
  const section = [start];
  const rank = rankOf(heading);
  for (let next = start.nextElementSibling; next !== null; next = next.nextElementSibling) {
    const inner = next.matches(HEADINGS) ? next : next.querySelector(HEADINGS);
    if (inner !== null && rankOf(inner) <= rank) break;
    section.push(next);
  }
  return section;
}

const rankOf = (el: Element): number => Number(/^h([1-6])$/.exec(el.localName)?.[1] ?? '6');

/** Teasers of other articles: boxes alike, each with a heading that is a link. */
function dropTeasers(article: Article): void {
  const teasers = [...article.root.querySelectorAll('article,li,div,section')].filter(
    (el) =>
      el.querySelector(':is(h2,h3,h4,h5,h6) a, a :is(h2,h3,h4,h5,h6)') !== null && textOf(el).length < 500,
  );
  const chars = teasers.reduce((sum, el) => sum + textOf(el).length, 0);
  if (teasers.length < 2 || chars > MOST_SHARE * article.chars) return;
  for (const el of teasers) if (!holdsData(el)) el.remove();
}

/** Links at the end: related articles, tags and what is next. */
function dropLinksAtEnd(article: Article): void {
  for (const el of leavesOf(article.root).reverse()) {
    const text = textOf(el);
    if (text === '') continue;
    if (linkDensity(el) < LINK_DENSITY && !isDateline(text) && !el.matches(HEADINGS)) return;
    if (holdsData(el) || el.matches('td,th')) return;
    el.remove();
  }
}

/** Pictures that are not part of a line. */
function dropPictures({ root, isProse }: Article): void {
  if (!isProse) return;
  for (const el of root.querySelectorAll(PICTURES)) {
    let block = el.parentElement;
    while (block !== null && block !== root && !BLOCKS.has(block.localName)) block = block.parentElement;
    if (
      block === null ||
      block === root ||
      textOf(block) === '' ||
      !block.matches('p,li,td,th,h1,h2,h3,h4,h5,h6,dd')
    )
      el.remove();
  }
}

/** Each rule sees what the ones before it left. */
const RULES: readonly ((article: Article) => void)[] = [
  dropPictures,
  dropCaptions,
  dropElements,
  dropNamed,
  dropPhrases,
  dropDatelines,
  dropAfterHeadings,
  dropTeasers,
  dropLinksAtEnd,
];

/**
 * Takes out of an article what is not its text, and what the facts of it say.
 *
 * @param isProse also takes out pictures that are not part of a line
 */
export function prune(
  root: Element,
  { isProse, article: facts }: { readonly isProse: boolean; readonly article: ArticleFacts },
): void {
  const article = { root, chars: textOf(root).length, isProse, facts };
  for (const rule of RULES) rule(article);
}
