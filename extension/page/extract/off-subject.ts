import { allIn, firstIn, parentOf, tagOf, textIn } from '../dom.ts';
import { findGroups } from './groups.ts';
import type { Skip } from './pairs.ts';
import type { Root } from './view.ts';

/** Parts of a page that are about other things: navigation, and what else there is to buy or read. */
export const ASIDE =
  'nav,header,footer,aside,[role="navigation"],[role="contentinfo"],[role="complementary"]';
const OFF_SUBJECT = `${ASIDE},[role="banner"],form[role="search"],[class*="breadcrumb" i],[class*="related" i],[class*="similar" i],[class*="recommend" i]`;
const MONEY = /\p{Sc}\s*\d|\d\s*\p{Sc}/u;

/** The heading that names the subject of a part of a page: its first `h1`, not that of a header around a logo. */
export function subjectOf(scope: Root | Element): Element | null {
  const all = allIn(scope, 'h1').filter((el) => textIn(el) !== '' && el.closest('nav,footer,aside') === null);
  const inMain = all.filter((el) => el.closest('main,article,[role="main"]') !== null);
  const notLogo = all.filter((el) => el.closest('header')?.querySelector('nav') == null);
  return inMain[0] ?? notLogo[0] ?? null;
}

/** Says of an element whether it belongs to something else than the subject of the part of a page. */
export function isOffSubject(scope: Root | Element): Skip {
  const subject = subjectOf(scope);
  const others = new Set<Element>();
  for (const { members } of findGroups(scope)) {
    if (members.some((el) => subject !== null && el.contains(subject))) continue;
    const items = members.filter(isOtherItem);
    if (items.length > 1 && items.length * 2 > members.length) for (const el of items) others.add(el);
  }
  const isWithinScope = (el: Element): boolean => !('localName' in scope) || scope.contains(el);
  return (el) => {
    const part = el.closest(OFF_SUBJECT);
    if (
      part !== null &&
      isWithinScope(part) &&
      !isNextToPageFacts(part, subject) &&
      (subject === null || !part.contains(subject))
    )
      return true;
    if (others.size === 0) return false;
    for (let at: Element | null = el; at !== null && at !== scope; at = parentOf(at))
      if (others.has(at)) return true;
    return false;
  };
}

/** A side column of the subject's own article that says more than it links to. */
function isNextToPageFacts(part: Element, subject: Element | null): boolean {
  if (tagOf(part) !== 'aside' || subject === null) return false;
  if (part.closest('main,article,[role="main"]')?.contains(subject) !== true) return false;
  const links = allIn(part, 'a[href]').reduce((sum, a) => sum + textIn(a).length, 0);
  return links * 2 < textIn(part).length;
}

/** A card of its own: it links to something, and has a heading or a price. */
function isOtherItem(el: Element): boolean {
  if (tagOf(el) !== 'a' && firstIn(el, 'a[href]') === null) return false;
  if (firstIn(el, 'h2 a,h3 a,h4 a,a h2,a h3,a h4') !== null) return true;
  return MONEY.test((el.textContent ?? '').slice(0, 400));
}
