import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { allIn, attrOf, firstIn, isAnchor } from '../dom.ts';
import { valueField } from './match.ts';

export const HEADING = 'h1,h2,h3,h4,h5,h6';

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
  const href = attrOf(el, 'href') ?? '';
  if (href === '' || /^\s*(?:#|javascript:|mailto:|tel:)/i.test(href)) return 0;
  if (el === card) return BY.whole;
  const heading = el.closest(HEADING);
  if (heading !== null && card.contains(heading)) {
    const isShorter = allIn(heading, 'a').some((other) => other !== el && isLongerLink(other));
    return isShorter ? BY.other : BY.heading;
  }
  if (firstIn(el, HEADING) !== null) return BY.heading;
  if (NAMED.test(`${el.className} ${el.rel}`)) return BY.name;
  if (OTHER.test(`${el.className} ${el.rel} ${href.replace(/^https?:\/\/[^/]+/, '')}`)) return BY.other;
  if (!WORDS.test(el.textContent ?? '')) return BY.other;
  return BY.plain;
}

const URL_WORDS = new Set(['url', 'link', 'href', 'permalink', 'uri', 'page', 'detail', 'web', 'address']);
/** Fields that ask for a link to something else than the item. */
const ELSEWHERE =
  /\b(?:author|user|company|brand|category|profile|pdf|doi|organizer|seller|publisher|image|comment|video|audio|download|ticket|site|homepage|website|next|source)\b/;

const withoutUrl = (name: string): string =>
  name
    .split(' ')
    .filter((word) => !URL_WORDS.has(word))
    .join(' ');

/** What a field of an address is about: `ticket url` → `ticket`, and what else a ticket is called. */
function aboutOf(field: FieldPlan): FieldPlan | null {
  const [names, synonyms] = [field.names, field.synonyms].map((list) =>
    list.map(withoutUrl).filter((name) => name !== ''),
  );
  return names === undefined || synonyms === undefined || names.length === 0
    ? null
    : { ...field, names, synonyms };
}

const abouts = new WeakMap<FieldPlan, FieldPlan | null>();

/** {@link aboutOf}, remembered, as its labels are. */
export function aboutField(field: FieldPlan): FieldPlan | null {
  let about = abouts.get(field);
  if (about === undefined) abouts.set(field, (about = aboutOf(valueField(field))));
  return about;
}

/** The link that a field names, where it is not that of the item: `ticket url` → `ticket`. */
export function linkSubject({ names }: FieldPlan): string | null {
  const subject = withoutUrl(names[0] ?? '');
  return ELSEWHERE.test(subject) ? subject : null;
}

/** Of `owner / repository` the second link leads to what the first one holds. */
export function isLongerLink(el: Element): boolean {
  const before = el.previousElementSibling;
  const [shorter, longer] = [before?.getAttribute('href') ?? '', attrOf(el, 'href') ?? ''];
  return (
    before?.localName === 'a' && shorter.length > 1 && longer.startsWith(`${shorter.replace(/\/$/, '')}/`)
  );
}

/** What a link of a site leads to, where its path says it: `/artists/the-harbours` → `artists`. */
export function pathName(el: Element): string | null {
  const path = (attrOf(el, 'href') ?? '').replace(/^https?:\/\/[^/]+/, '');
  if (/^\/(?:[@~][^/]+|(?:u|members?|people)\/[^/]+|member\.php\?.*)\/?$/.test(path)) return 'user';
  return /^\/(?:[a-z]{2}\/)?([a-z-]{3,20})\/[^/]+\/?$/i.exec(path)?.[1] ?? null;
}
