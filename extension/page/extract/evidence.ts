import { isPlausible, readStock } from '../../../shared/extract/coerce.ts';
import { MATCH_CONFIDENCE } from '../../../shared/extract/names.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { isAnchor, isElement, isImage, squash } from '../dom.ts';
import { stableClasses } from './groups.ts';
import { isLongerLink, itemLinkScore, linkSubject, pathName } from './links.ts';
import { isBeforeCount, looksLike } from './looks.ts';
import { isList, scoreLabel, valueField } from './match.ts';
import { loneNumber, readScalar, STARS } from './values.ts';
import type { View } from './view.ts';

/** What speaks for an element being a field's. */
export interface Evidence {
  /** 0 to 1. */
  readonly score: number;
  /** An author named it, or it only looks like it. */
  readonly by: 'name' | 'kind';
}

const NAMING = [
  'itemprop',
  'property',
  'data-field',
  'data-testid',
  'data-test',
  'data-qa',
  'data-label',
  'name',
  'id',
];
const LEAF_UNITS = 80;
const DATE_UNITS = 40;
const SHORTEST_PROSE = 30;
const MOST_LINKED = 0.5;
const OLD = /\b(?:old|was|original|list|regular|strike|striked|before|previous|msrp|rrp)\b/i;
const WAS = /^(?:was|rrp|msrp|instead of|statt|uvp|(?:list|original|regular|old) price|before)\b/i;
const HEADINGS = /^h[1-6]$/;
/** Classes of microformats begin with what kind of property they are. */
const MICROFORMAT = /^(?:p|u|dt|e)-(?=[a-z])/;
const BLOCKS = 'address,article,blockquote,div,dl,figure,form,h1,h2,h3,h4,h5,h6,li,ol,p,pre,section,table,ul';

/** Weights of each kind of evidence: what an author named is surer than what an element is. */
const BY = { attribute: 0.9, label: 0.85, kind: 0.7, path: 0.65, link: 0.55 } as const;
const NONE: Evidence = { score: 0, by: 'kind' };

/** What speaks for an element of a record being a field's, by names first, then by what it is. */
export function weigh(el: Element, field: FieldPlan, view: View, record: Element): Evidence {
  const item = valueField(field);
  if (isWholeRecord(el, item, record)) return NONE;
  const named = namedScore(el, field, record);
  const kind = isList(field) && item.form === 'text' ? listScore(el, record) : kindScore(el, item, record);
  const score = Math.max(named, kind) * priceWorth(el, item, record) * textWorth(el, item);
  if (score === 0) return NONE;
  if (item.form === 'title' && !HEADINGS.test(el.localName) && !/\p{L}/u.test(leafText(el))) return NONE;
  if (isList(field) && kind > named) return { score: kind, by: 'kind' };
  // `<span class="by">by</span>` is the label of an author, and not an author.
  if (item.form === 'text' && scoreLabel(item, leafText(el)) >= MATCH_CONFIDENCE.synonym) return NONE;
  if (!isPlausible(item, readScalar(el, item, view), { lang: view.lang, isMachine: false })) return NONE;
  const by = named > 0 ? 'name' : 'kind';
  // A single element that says a field is surer than a container of many things.
  return {
    score: isList(field) ? score * listWorth(el, field, record) : score * sizeWorth(el, item, view),
    by,
  };
}

/** Prose is not a line of links, nor a part with dates or buttons; the name of a picture is a weak text. */
function textWorth(el: Element, { form }: FieldPlan): number {
  if (form === 'prose')
    return linkShare(el) >= MOST_LINKED || el.querySelector('time,button') !== null ? 0.6 : 1;
  return (form === 'text' || form === 'title') && (el.textContent ?? '').trim() === '' && isHolder(el)
    ? 0.6
    : 1;
}

const isHolder = (el: Element): boolean => isAnchor(el) || el.querySelector('img,a') !== null;

/** The whole text of a record is not the value of a field, unless the record is a single text or link. */
function isWholeRecord(el: Element, item: FieldPlan, record: Element): boolean {
  if (el !== record || el.childElementCount === 0) return false;
  return item.form !== 'url' || !isAnchor(el);
}

/** What an author called an element. */
export function namedScore(el: Element, field: FieldPlan, record: Element): number {
  if (/^(?:input|select|textarea|button|option|form)$/.test(el.localName)) return 0;
  const classes = stableClasses(el).map((name) => name.replace(MICROFORMAT, ''));
  const names = [...(isLabelOfNext(el) ? [] : classes), ...attributeNames(el)];
  if (el.localName === 'address') names.push('address');
  if (isUrl(field)) return namedLink(el, field, names, record);
  const best = bestLabel(names, field);
  if (best > 0) return best;
  if (field.form === 'title') return linkInTitle(el, field, record);
  // `/artists/the-harbours` leads to an artist.
  const path = isAnchor(el) && field.form === 'text' ? pathName(el) : null;
  return path === null || scoreLabel(field, path) < MATCH_CONFIDENCE.synonym ? 0 : BY.path;
}

const bestLabel = (names: readonly string[], field: FieldPlan): number =>
  names.reduce((best, name) => Math.max(best, scoreLabel(field, name) * BY.attribute), 0);

/** `<span class="label">Total time</span><span>35 minutes</span>`: a label says nothing itself. */
const isLabelOfNext = (el: Element): boolean =>
  el.nextElementSibling !== null &&
  el.parentElement?.childElementCount === 2 &&
  /(?:^|[\s_-])(?:label|lbl|key|term)(?:$|[\s_-])/i.test(el.className);

/** An address has to be of one link: that of the item, or the one that the field names. */
function namedLink(el: Element, field: FieldPlan, names: readonly string[], record: Element): number {
  const subject = linkSubject(valueField(field));
  if (subject === null) return isAnchor(el) && bestLabel(names, field) > 0 ? itemLinkScore(el, record) : 0;
  if (!isAnchor(el) && el.querySelectorAll('a[href]').length !== 1) return 0;
  const text = squash(el.textContent ?? '').slice(0, LEAF_UNITS);
  const about = { ...field, names: [subject] };
  return [...names, text].reduce(
    (best, name) => Math.max(best, scoreLabel(about, name) * BY.label),
    bestLabel(names, field),
  );
}

/** The link in an element that an author named as the title says it without what is next to it. */
function linkInTitle(el: Element, field: FieldPlan, record: Element): number {
  const parent = el.parentElement;
  if (parent === null || parent === record || itemLinkScore(el, record) < BY.link) return 0;
  const named = namedScore(parent, field, record);
  return named === 0 ? 0 : Math.min(1, named + 0.02);
}

const isUrl = (field: FieldPlan): boolean => valueField(field).form === 'url';

function attributeNames(el: Element): string[] {
  if (!el.hasAttributes()) return [];
  const names: string[] = [];
  for (const attribute of NAMING) {
    const value = el.getAttribute(attribute);
    if (value !== null && value.length < LEAF_UNITS && !/\d/.test(value)) names.push(value);
  }
  const label = /^[uo]l$/.test(el.localName) ? el.getAttribute('aria-label') : null;
  if (label !== null) names.push(label);
  if (isAnchor(el) && el.rel !== '') names.push(...el.rel.split(/\s+/));
  return names;
}

type Kind = (el: Element, field: FieldPlan, record: Element) => number;

const leadsTo =
  (scheme: RegExp): Kind =>
  (el) =>
    scheme.test(el.getAttribute('href') ?? '') ? BY.kind : 0;

/** A paragraph that is long or ends as a sentence does, or another element that says sentences itself. */
function isProse(el: Element): boolean {
  const text = (el.textContent ?? '').trim();
  const isSentence = /[.!?。]$/.test(text);
  if (el.localName === 'p') return text.length >= SHORTEST_PROSE || isSentence;
  if (!/^(?:div|span|blockquote|dd)$/.test(el.localName) || text.length < SHORTEST_PROSE) return false;
  return isSentence && el.querySelector(BLOCKS) === null && linkShare(el) < MOST_LINKED;
}

/** How much of a text is links and dates. */
function linkShare(el: Element): number {
  const { length } = squash(el.textContent ?? '');
  let linked = 0;
  for (const part of el.querySelectorAll('a,time,button')) linked += squash(part.textContent ?? '').length;
  return length === 0 ? 0 : linked / length;
}

/** What the kind of an element tells, by the form of a field. */
const KINDS: Readonly<Partial<Record<FieldPlan['form'], Kind>>> = {
  title: (el, field, record) => titleScore(el, field, record),
  url: (el, field, record) => (linkSubject(field) === null ? itemLinkScore(el, record) : 0),
  image: (el) => (isImage(el) ? BY.kind : 0),
  date: (el, field) => dateScore(el, field),
  prose: (el) => (isProse(el) ? BY.link : 0),
  money: (el) => (isMoney(el) ? BY.kind : isLeaf(el) && /^free$/i.test(leafText(el)) ? BY.link : 0),
  rating: (el) => (isBeforeCount(el) || STARS.test(ratingText(el)) ? BY.kind : 0),
  email: leadsTo(/^mailto:/i),
  phone: leadsTo(/^tel:/i),
  stock: (el) => (isLeaf(el) && readStock(leafText(el)) !== null ? BY.kind : 0),
};

const kindScore: Kind = (el, field, record) =>
  KINDS[field.form]?.(el, field, record) ?? (isNumberOf(el, field) || looksLike(el, field) ? BY.kind : 0);

/** `#4410` is the number of a ticket. */
const isNumberOf = (el: Element, { names }: FieldPlan): boolean =>
  /(?:^| )(?:id|number|no)$/.test(names[0] ?? '') && isLeaf(el) && /^#\d[\w-]*$/.test(leafText(el));

/** The only list of a record is what a field that holds a list asks for. */
function listScore(el: Element, record: Element): number {
  if (el.localName !== 'ul' && el.localName !== 'ol') return 0;
  return record.querySelectorAll('ul,ol').length === 1 && el.querySelector('a,img') === null
    ? BY.link * 0.9
    : 0;
}

function titleScore(el: Element, field: FieldPlan, record: Element): number {
  // `<h3><span class="name">Micke</span> <span>Desk, white</span></h3>`
  if (HEADINGS.test(el.localName) && el.childElementCount > 1 && holdsNamed(el, field)) return BY.link;
  if (HEADINGS.test(el.localName))
    return [...el.querySelectorAll('a')].some(isLongerLink) ? BY.link : BY.kind;
  if (isLongestPart(el)) return BY.link;
  const link = isGlued(el) ? 0 : itemLinkScore(el, record);
  const isHeaded = record.querySelector('h1,h2,h3,h4,h5,h6') !== null;
  if (link > 0) return isLongerLink(el) ? BY.kind : Math.min(link, BY.link) * (isHeaded ? 0.7 : 1);
  const isBold = el.localName === 'strong' || el.localName === 'b';
  return isBold && !isHeaded ? BY.link * 0.9 : 0;
}

const COMMENT = 8;

/** `<a><span>Merrell</span><span>Moab 3</span></a>` says two things, which style alone parts. */
function isGlued(el: Element): boolean {
  // Without comments and empty elements; white space between two parts does part them.
  const nodes = [...el.childNodes].filter(
    (node) => node.nodeType !== COMMENT && !(isElement(node) && (node.textContent ?? '').trim() === ''),
  );
  const filled = nodes.filter((node) => (node.textContent ?? '').trim() !== '');
  const [only] = filled;
  if (filled.length === 1 && only !== undefined && isElement(only)) return isGlued(only);
  const isNext = filled.some(
    (node, index) => index > 0 && nodes[nodes.indexOf(node) - 1] === filled[index - 1],
  );
  return filled.length > 1 && filled.every(isElement) && isNext && el.querySelector(BLOCKS) === null;
}

/** Of such parts of a link the longest one is the title. */
function isLongestPart(el: Element): boolean {
  const parent = el.parentElement;
  if (parent === null || parent.closest('a') === null || !isGlued(parent) || isGlued(el)) return false;
  const { length } = el.textContent ?? '';
  return [...parent.children].every((part) => part === el || (part.textContent ?? '').length < length);
}

const holdsNamed = (el: Element, field: FieldPlan): boolean =>
  [...el.querySelectorAll('*')].some((part) => bestLabel(stableClasses(part), field) > 0);

/** Any short text may be a date; the caller checks whether it is one. */
function dateScore(el: Element, { format }: FieldPlan): number {
  if (el.localName === 'time' || el.localName === 'relative-time') return BY.kind;
  return format !== null && isLeaf(el) && leafText(el).length <= DATE_UNITS ? BY.link : 0;
}

const saysMoney = (el: Element): boolean => isLeaf(el) && /\p{Sc}\s*\d|\d\s*\p{Sc}/u.test(leafText(el));
/** The innermost element that says a price: the title next to it is not part of it. */
export const isMoney = (el: Element): boolean =>
  saysMoney(el) && ![...el.children].some(saysMoney) && !WAS.test(leafText(el));

const ratingText = (el: Element): string =>
  `${el.getAttribute('aria-label') ?? ''} ${isLeaf(el) && el.localName !== 'a' ? leafText(el) : ''}`;

const isLeaf = (el: Element): boolean => el.childElementCount <= 2;
const leafText = (el: Element): string => squash(el.textContent ?? '').slice(0, LEAF_UNITS + 1);

/** What is struck through, or named as what it was, is not today's price. */
export function priceWorth(el: Element, field: FieldPlan, record: Element): number {
  if (field.form !== 'money' || OLD.test(field.names.join(' '))) return 1;
  if (isVisualCopy(el)) return 0;
  const struck = el.closest('del,s,strike');
  if (struck !== null && record.contains(struck)) return 0.3;
  if (WAS.test(leafText(el))) return 0.3;
  return OLD.test([...el.classList].join(' ').replaceAll(/[-_]+/g, ' ')) ? 0.3 : 1;
}

/** What is drawn next to a text for everyone else: `<span class="offscreen">$21.99</span><span aria-hidden="true">…` */
function isVisualCopy(el: Element): boolean {
  const hidden = el.closest('[aria-hidden="true"]');
  const before = hidden?.previousElementSibling ?? null;
  return before !== null && saysMoney(before);
}

/** Fields of one line are not said by whole sections. */
function sizeWorth(el: Element, field: FieldPlan, view: View): number {
  if (field.form === 'prose' || field.form === 'html' || field.form === 'url' || field.form === 'image')
    return 1;
  if (HEADINGS.test(el.localName) || el.childElementCount === 0) return 1;
  if (/^(?:number|integer)$/.test(field.types[0] ?? '') && loneNumber(el, view) !== null) return 0.8;
  const blocks = el.querySelectorAll(BLOCKS).length;
  return blocks <= 1 ? 1 / Math.max(1, el.childElementCount - 2) : 1 / (blocks + 1);
}

/** Of a list, the items are surer than what holds them. */
function listWorth(el: Element, field: FieldPlan, record: Element): number {
  const inner = [...el.children].some((child) => namedScore(child, field, record) > 0);
  return inner ? 0.4 : 1;
}
