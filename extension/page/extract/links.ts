import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { allIn, attrOf, firstIn, isAnchor } from '../dom.ts';
import { MATCH_CONFIDENCE } from '../../../shared/extract/names.ts';
import { scoreLabel, valueField, type Assigned, type Leaf } from './match.ts';

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
  // A link that covers its card says nothing itself.
  if (!WORDS.test(el.textContent ?? '')) return isOnlyTarget(el, card) ? BY.plain : BY.other;
  return BY.plain;
}

const isOnlyTarget = (el: Element, card: Element): boolean =>
  allIn(card, 'a[href]').every((other) =>
    [attrOf(el, 'href'), '#'].includes((attrOf(other, 'href') ?? '').replace(/^javascript:.*/i, '#')),
  );

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

/**
 * Gives the addresses that no label names to the places whose labels name what they are of:
 * `<dt>Author</dt><dd><a href>` says an `author_url`.
 */
export function assignLinked(
  leaves: readonly Leaf[],
  labels: readonly (readonly string[])[],
  assigned: Map<Leaf, Assigned>,
): Map<Leaf, Assigned> {
  for (const leaf of leaves) {
    const about =
      valueField(leaf.field).form === 'url' && !assigned.has(leaf) ? aboutField(leaf.field) : null;
    if (about === null) continue;
    const [best] = labels
      .map(([label = ''], index) => ({ index, score: scoreLabel(about, label) * BY_LABEL }))
      .filter(({ score }) => score >= MATCH_CONFIDENCE.partOfSynonym)
      .sort((a, b) => b.score - a.score);
    if (best !== undefined) assigned.set(leaf, best);
  }
  return assigned;
}

const BY_LABEL = 0.9;

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
  if (/^\/(?:[@~][^/]+|(?:u|members?|people)\/[^/]+)\/?$|(?:^|\/)member(?:list)?\.php\?/.test(path))
    return 'user';
  return /^\/(?:[a-z]{2}\/)?([a-z-]{3,20})\/[^/]+\/?$/i.exec(path)?.[1] ?? null;
}
