import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import { matchName, MATCH_CONFIDENCE } from '../../../shared/libraries/values/names.ts';
import { cachedIn, valueIn } from '../../../shared/base/maps.ts';
import { allIn, attrOf, firstIn, isAnchor, closestOf, holds } from '../../dom/elements.ts';

const scores = new WeakMap<FieldPlan, Map<string, number>>();
/** Labels of a page repeat; those of a hostile page need not. */
const LABELS_KEPT = 2_000;

/** How well a label names a field, 0 to 1: `matchName`, cached. */
export function scoreLabel(field: FieldPlan, label: string): number {
  const known = valueIn(scores, field, () => new Map<string, number>());
  return cachedIn(known, label, LABELS_KEPT, () => matchName(field, label));
}

interface Assigned {
  readonly index: number;
  readonly score: number;
}

/** A label that is only part of the whole name (the last of several header rows) is less certain. */
const LESS_SURE = 0.97;

/**
 * Assigns each field the place whose labels name it best, no place twice: best pairs first, then by the schema's order,
 * then the page's. A place may have several labels, the fullest first.
 */
export function assignLabels(
  fields: readonly Leaf[],
  labels: readonly (readonly string[])[],
): Map<Leaf, Assigned> {
  const pairs = fields.flatMap((leaf) =>
    labels.flatMap((names, index) => {
      const score = Math.max(0, ...names.map((name, at) => scoreLabel(leaf.field, name) * LESS_SURE ** at));
      return score > 0 ? [{ leaf, index, score }] : [];
    }),
  );
  pairs.sort((a, b) => b.score - a.score);
  const assigned = new Map<Leaf, Assigned>();
  const taken = new Set<number>();
  for (const { leaf, index, score } of pairs) {
    if (assigned.has(leaf) || taken.has(index)) continue;
    assigned.set(leaf, { index, score });
    taken.add(index);
  }
  return assigned;
}

/** A field with a value of its own, and its place in the record. */
export interface Leaf {
  readonly path: readonly string[];
  readonly field: FieldPlan;
}

/**
 * All fields, those of objects included, for flat sources: `offer.price` is matched as "offer price", then as "price".
 */
export function leavesOf(
  fields: readonly FieldPlan[],
  path: readonly string[] = [],
  outer: string[] = [],
): Leaf[] {
  return fields.flatMap((field): Leaf[] => {
    const own = [...path, field.name];
    const isGroup = field.types[0] === 'object' && field.fields.length > 0;
    if (isGroup) return leavesOf(field.fields, own, [...outer, ...field.names.slice(0, 1)]);
    if (outer.length === 0) return [{ path: own, field }];
    const long = `${outer.join(' ')} ${field.names[0] ?? ''}`.trim();
    return [{ path: own, field: { ...field, names: [long, ...field.names] } }];
  });
}

/** The field whose text, address or number is read; for an array, its items. */
export function valueField(field: FieldPlan): FieldPlan {
  return field.types[0] === 'array' && field.item !== null ? field.item : field;
}

/** Whether a field is called so, by itself or as a synonym. */
export const asksFor = ({ names, synonyms }: FieldPlan, name: string): boolean =>
  names.includes(name) || synonyms.includes(name);

export const isList = ({ types }: FieldPlan): boolean => types[0] === 'array';

export const isNumber = ({ types }: FieldPlan): boolean => /^(?:number|integer)$/.test(types[0] ?? '');

export const isAddress = ({ form }: FieldPlan): boolean => form === 'url' || form === 'image';

export const HEADING = 'h1,h2,h3,h4,h5,h6';

const BY = { heading: 0.75, name: 0.7, whole: 0.65, plain: 0.55, other: 0.2 } as const;

const NAMED =
  /(?:^|[\s_-])(?:title|name|headline|subject|summary|permalink|bookmark|entry-title)(?:$|[\s_-])/i;
const OTHER =
  /(?:^|[\s_/-])(?:tags?|labels?|categor(?:y|ies)|topics?|authors?|users?|usernames?|members?|profiles?|avatars?|compan(?:y|ies)|brands?|comments?|votes?|upvote|login|signin|share|hide|star|like|reply|stargazers|forks|sponsors?|site|from|location|licen[cs]e|external|ugc)(?:$|[\s_/?#-])/i;
const WORDS = /\p{L}{2,}/u;

export function itemLinkScore(el: Element, card: Element): number {
  if (!isAnchor(el)) return 0;
  const href = attrOf(el, 'href') ?? '';
  if (href === '' || /^\s*(?:#|javascript:|mailto:|tel:)/i.test(href)) return 0;
  if (el === card) return BY.whole;
  const heading = closestOf(el, HEADING);
  if (heading !== null && holds(card, heading)) {
    const isShorter = allIn(heading, 'a').some((other) => other !== el && isLongerLink(other));
    return isShorter ? BY.other : BY.heading;
  }
  if (firstIn(el, HEADING) !== null) return BY.heading;
  if (NAMED.test(`${el.className} ${el.rel}`)) return BY.name;
  if (OTHER.test(`${el.className} ${el.rel} ${href.replace(/^https?:\/\/[^/]+/, '')}`)) return BY.other;
  // A link that covers its card has no text of its own.
  if (!WORDS.test(el.textContent ?? '')) return isOnlyTarget(el, card) ? BY.plain : BY.other;
  return BY.plain;
}

const isOnlyTarget = (el: Element, card: Element): boolean =>
  allIn(card, 'a[href]').every((other) =>
    [attrOf(el, 'href'), '#'].includes((attrOf(other, 'href') ?? '').replace(/^javascript:.*/i, '#')),
  );

const URL_WORDS = new Set(['url', 'link', 'href', 'permalink', 'uri', 'page', 'detail', 'web', 'address']);
/** Fields for a link to something other than the item. */
const ELSEWHERE =
  /\b(?:author|user|company|brand|category|profile|pdf|doi|organizer|seller|publisher|image|comment|video|audio|download|ticket|site|homepage|website|next|source)\b/;

const withoutUrl = (name: string): string =>
  name
    .split(' ')
    .filter((word) => !URL_WORDS.has(word))
    .join(' ');

/** `ticket url` → `ticket` and its synonyms. */
function aboutOf(field: FieldPlan): FieldPlan | null {
  const [names = [], synonyms = []] = [field.names, field.synonyms].map((list) =>
    list.map(withoutUrl).filter((name) => name !== ''),
  );
  return names.length === 0 ? null : { ...field, names, synonyms };
}

const abouts = new WeakMap<FieldPlan, FieldPlan | null>();

/** {@link aboutOf}, cached, as its labels are. */
export function aboutField(field: FieldPlan): FieldPlan | null {
  return valueIn(abouts, field, () => aboutOf(valueField(field)));
}

/**
 * {@link assignLabels}, and unlabelled addresses to the places whose labels name their subject:
 * `<dt>Author</dt><dd><a href>` is an `author_url`.
 */
export function assignLinked(
  leaves: readonly Leaf[],
  labels: readonly (readonly string[])[],
): Map<Leaf, Assigned> {
  const assigned = assignLabels(leaves, labels);
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

/** The subject of a link field, if it is not the item: `ticket url` → `ticket`. */
export function linkSubject({ names }: FieldPlan): string | null {
  const subject = withoutUrl(names[0] ?? '');
  return ELSEWHERE.test(subject) ? subject : null;
}

/** In `owner / repository`, the second link leads to something within the first. */
export function isLongerLink(el: Element): boolean {
  const before = el.previousElementSibling;
  const [shorter, longer] = [attrOf(before, 'href') ?? '', attrOf(el, 'href') ?? ''];
  return (
    before?.localName === 'a' && shorter.length > 1 && longer.startsWith(`${shorter.replace(/\/$/, '')}/`)
  );
}

/** `/artists/the-harbours` → `artists`. */
export function pathName(el: Element): string | null {
  const path = (attrOf(el, 'href') ?? '').replace(/^https?:\/\/[^/]+/, '');
  if (/^\/(?:[@~][^/]+|(?:u|members?|people)\/[^/]+)\/?$|(?:^|\/)member(?:list)?\.php\?/.test(path))
    return 'user';
  return /^\/(?:[a-z]{2}\/)?([a-z-]{3,20})\/[^/]+\/?$/i.exec(path)?.[1] ?? null;
}

/** A link's text, its address and its image are three values, and a range has two ends. */
export function readingOf({ field }: Leaf): string {
  const value = valueField(field);
  const { form, bound } = value;
  const kind = isAddress(value) || form === 'email' ? form : 'text';
  return bound === null ? kind : `${kind} ${bound}`;
}
