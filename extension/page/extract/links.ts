import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { isAnchor } from '../dom.ts';

/** How sure it is that a link of a record is the record's own. */
const BY = { heading: 0.75, name: 0.7, whole: 0.65, plain: 0.55, other: 0.2 } as const;

const NAMED =
  /(?:^|[\s_-])(?:title|name|headline|subject|summary|permalink|bookmark|entry-title)(?:$|[\s_-])/i;
/** What links of a card are to, when they are not to its item. */
const OTHER =
  /(?:^|[\s_/-])(?:tags?|labels?|categor(?:y|ies)|topics?|authors?|users?|usernames?|members?|profiles?|avatars?|compan(?:y|ies)|brands?|comments?|votes?|upvote|login|signin|share|hide|star|like|reply|stargazers|forks|sponsors?|site|from|location|licen[cs]e|external|ugc)(?:$|[\s_/?#-])/i;
const WORDS = /\p{L}{2,}/u;

/** What speaks for an element being the link of its card's item, 0 to 1. */
export function itemLinkScore(el: Element, card: Element): number {
  if (!isAnchor(el)) return 0;
  const href = el.getAttribute('href') ?? '';
  if (href === '' || /^\s*(?:#|javascript:|mailto:|tel:)/i.test(href)) return 0;
  if (el === card) return BY.whole;
  const heading = el.closest('h1,h2,h3,h4,h5,h6');
  if (heading !== null && card.contains(heading)) {
    const isShorter = [...heading.querySelectorAll('a')].some((other) => other !== el && isLongerLink(other));
    return isShorter ? BY.other : BY.heading;
  }
  if (el.querySelector('h1,h2,h3,h4,h5,h6') !== null) return BY.heading;
  if (NAMED.test(`${el.className} ${el.rel}`)) return BY.name;
  if (OTHER.test(`${el.className} ${el.rel} ${href.replace(/^https?:\/\/[^/]+/, '')}`)) return BY.other;
  if (!WORDS.test(el.textContent ?? '')) return BY.other;
  return BY.plain;
}

const URL_WORDS = new Set(['url', 'link', 'href', 'permalink', 'uri', 'page', 'detail', 'web', 'address']);
/** Fields that ask for a link to something else than the item. */
const ELSEWHERE =
  /\b(?:author|user|company|brand|category|publisher|image|comment|video|audio|download|ticket|site|homepage|website|profile|next|source)\b/;

/** The link that a field names, where it is not that of the item: `ticket url` → `ticket`. */
export function linkSubject({ names }: FieldPlan): string | null {
  const words = (names[0] ?? '').split(' ').filter((word) => !URL_WORDS.has(word));
  const subject = words.join(' ');
  return ELSEWHERE.test(subject) ? subject : null;
}

/** Of `owner / repository` the second link leads to what the first one holds. */
export function isLongerLink(el: Element): boolean {
  const before = el.previousElementSibling;
  const [shorter, longer] = [before?.getAttribute('href') ?? '', el.getAttribute('href') ?? ''];
  return (
    before?.localName === 'a' && shorter.length > 1 && longer.startsWith(`${shorter.replace(/\/$/, '')}/`)
  );
}

/** What a link of a site leads to, where its path says it: `/artists/the-harbours` → `artists`. */
export function pathName(el: Element): string | null {
  const path = (el.getAttribute('href') ?? '').replace(/^https?:\/\/[^/]+/, '');
  return /^\/(?:[a-z]{2}\/)?([a-z-]{3,20})\/[^/]+\/?$/i.exec(path)?.[1] ?? null;
}
