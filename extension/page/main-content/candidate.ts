import { squash } from '../dom.ts';
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
export function clearComments(body: Element): void {
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
export function findBetter(body: Element, picked: Element | null): Element | null {
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
