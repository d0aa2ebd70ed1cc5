import { isPlausible, readStock } from '../../../shared/libraries/values/coerce.ts';
import { MATCH_CONFIDENCE, normaliseName } from '../../../shared/libraries/values/names.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import {
  childrenOf,
  allIn,
  attrOf,
  childCount,
  firstIn,
  isAnchor,
  isElement,
  isImage,
  parentOf,
  tagOf,
  textIn,
  closestOf,
} from '../../dom/elements.ts';
import { stableClasses } from './groups.ts';
import {
  aboutField,
  HEADING,
  isAddress,
  isNumber,
  isLongerLink,
  itemLinkScore,
  linkSubject,
  pathName,
  isList,
  scoreLabel,
  valueField,
} from './match.ts';
import {
  isBeforeCount,
  isNextToPagePortrait,
  isForeignLink,
  isPerson,
  looksLike,
  isMoney,
  leafText,
  priceWorth,
} from './looks.ts';
import { loneNumber, readScalar, STARS } from './values.ts';
import type { View } from './view.ts';

export interface Evidence {
  /** 0 to 1. */
  readonly score: number;
  /** Named by an author, or only of the right kind. */
  readonly by: 'name' | 'kind';
}

const NAMING = 'itemprop property data-field data-testid data-test data-qa data-label name id'.split(' ');
const LEAF_UNITS = 80;
const DATE_UNITS = 40;
const SHORTEST_PROSE = 30;
const MAX_LINKED = 0.5;
const HEADINGS = /^h[1-6]$/;
/** Microformat classes begin with the kind of property. */
const MICROFORMAT = /^(?:p|u|dt|e)-(?=[a-z])/;
const BLOCKS = 'address,article,blockquote,div,dl,figure,form,h1,h2,h3,h4,h5,h6,li,ol,p,pre,section,table,ul';

/** Weights of evidence: an author's names are more reliable than an element's kind. */
const BY = { attribute: 0.9, label: 0.85, kind: 0.7, path: 0.65, link: 0.55 } as const;
const NONE: Evidence = { score: 0, by: 'kind' };

export function weigh(el: Element, field: FieldPlan, view: View, record: Element): Evidence {
  const item = valueField(field);
  if (isWholeRecord(el, item, record)) return NONE;
  const named = namedScore(el, field, record);
  const kind = isList(field) && item.form === 'text' ? listScore(el, record) : kindScore(el, item, record);
  const most = Math.max(named, kind);
  const score = most === 0 ? 0 : most * priceWorth(el, item, record) * textWorth(el, item);
  if (score === 0) return NONE;
  if (item.form === 'title' && !HEADINGS.test(tagOf(el)) && !/\p{L}/u.test(leafText(el))) return NONE;
  if (isList(field) && kind > named) return { score: kind, by: 'kind' };
  if (isOwnLabel(el, item)) return NONE;
  if (!isPlausible(item, readScalar(el, item, view), view.hints)) return NONE;
  const by = named > 0 ? 'name' : 'kind';
  // A single element with the field's value is more reliable than a container of many.
  return {
    score: isList(field) ? score : score * sizeWorth(el, item, view),
    by,
  };
}

/** Whether there is any evidence for an element, even if its value does not fit the field. */
export const speaksFor = (el: Element, field: FieldPlan, view: View, record: Element): boolean =>
  namedScore(el, field, record) > 0 || weigh(el, field, view, record).score > 0;

/** `<span class="by">by</span>` labels an author; it is not one. */
const isOwnLabel = (el: Element, item: FieldPlan): boolean =>
  item.form === 'text' && scoreLabel(item, leafText(el)) >= MATCH_CONFIDENCE.synonym;

/** Prose is not a line of links, nor a part with dates or buttons; an image's name is weak text. */
function textWorth(el: Element, { form }: FieldPlan): number {
  if (form === 'prose') {
    return (linkShare(el) >= MAX_LINKED && !isTeaser(el)) || firstIn(el, 'time,button') !== null ? 0.6 : 1;
  }
  return (form === 'text' || form === 'title') && textIn(el) === '' && isHolder(el) ? 0.6 : 1;
}

/** A long paragraph that is one link: `<p><a>The beginning of an article …</a></p>`. */
const isTeaser = (el: Element): boolean =>
  tagOf(el) === 'p' &&
  childCount(el) === 1 &&
  textIn(el).length > LEAF_UNITS &&
  /(?:[.!?…]|\[…\])$/.test(textIn(el));

const isHolder = (el: Element): boolean => isAnchor(el) || firstIn(el, 'img,a') !== null;

/** A record's whole text is not a field's value, unless the record is a single text or link. */
function isWholeRecord(el: Element, item: FieldPlan, record: Element): boolean {
  if (el !== record || childCount(el) === 0) return false;
  return item.form !== 'url' || !isAnchor(el);
}

export function namedScore(el: Element, field: FieldPlan, record: Element): number {
  if (/^(?:input|select|textarea|button|option|form)$/.test(tagOf(el))) return 0;
  const classes = stableClasses(el).flatMap((name) => namesIn(name, record));
  const names = [...(isLabelOfNext(el) ? [] : classes), ...attributeNames(el)];
  if (tagOf(el) === 'address') names.push('address');
  if (valueField(field).form === 'url') return namedLink(el, field, names, record);
  const best = bestLabel(names, field);
  if (best > 0) return best;
  if (field.form === 'title') return linkInTitle(el, field, record);
  // `/artists/the-harbours` leads to an artist.
  const path = isAnchor(el) && field.form === 'text' ? pathName(el) : null;
  return path === null || scoreLabel(field, path) < MATCH_CONFIDENCE.synonym ? 0 : BY.path;
}

/** Class-name parts that say nothing about content. */
const PARTS = /^[-_]*(?:items?|labels?|wrapper|inner|body|text|content|details|info)$/;

/** A class and its name relative to the block or card: `card__price`; in `.shop-card`, `shop-card-price`. */
function namesIn(name: string, record: Element): string[] {
  const bare = name.replace(MICROFORMAT, '');
  const block = [...record.classList].find((one) => name.startsWith(`${one}-`) || name.startsWith(`${one}_`));
  const inner = block === undefined ? /__([A-Za-z-]+)$/.exec(name)?.[1] : name.slice(block.length);
  return inner === undefined || PARTS.test(inner) ? [bare] : [bare, inner];
}

const bestLabel = (names: readonly string[], field: FieldPlan): number =>
  names.reduce((best, name) => Math.max(best, nameScore(field, name) * BY.attribute), 0);

/** `author-pane-rank` is something in an author's pane: a name that merely contains a synonym must end with it. */
function nameScore(field: FieldPlan, name: string): number {
  const score = scoreLabel(field, name);
  if (score !== MATCH_CONFIDENCE.partOfSynonym) return score;
  const words = ` ${normaliseName(name)}`.replace(HOLDER, '');
  return field.synonyms.some((synonym) => words.endsWith(` ${synonym}`)) ? score : 0;
}

const HOLDER = /(?: (?:wrapper|inner|text|content|value|field|container|link|item|info|block|name))+$/;

/** `<span class="label">Total time</span><span>35 minutes</span>`: a label is not a value. */
const isLabelOfNext = (el: Element): boolean =>
  el.nextElementSibling !== null &&
  parentOf(el)?.childElementCount === 2 &&
  /(?:^|[\s_-])(?:label|lbl|key|term)(?:$|[\s_-])/i.test(el.className);

/** An address needs a single link: the item's, or the one that the field names. */
function namedLink(el: Element, field: FieldPlan, names: readonly string[], record: Element): number {
  const isElsewhere = linkSubject(valueField(field)) !== null;
  const own = !isElsewhere && isAnchor(el) && bestLabel(names, field) > 0 ? itemLinkScore(el, record) : 0;
  const about = aboutField(field);
  if (about === null || (!isAnchor(el) && allIn(el, 'a[href]').length !== 1)) return own;
  const path = isAnchor(el) ? pathName(el) : null;
  const texts = [textIn(el).slice(0, LEAF_UNITS), ...(isElsewhere && path !== null ? [path] : [])];
  if (!isElsewhere) return texts.reduce((best, name) => Math.max(best, callScore(about, name)), own);
  return [...names, ...texts].reduce(
    (best, name) => Math.max(best, scoreLabel(about, name) * BY.label),
    bestLabel(names, field),
  );
}

/** `Apply` and, less certainly, `Apply now` lead to an `apply_url`. */
function callScore(about: FieldPlan, text: string): number {
  const score = scoreLabel(about, text);
  if (score === 1) return BY.label;
  const isLed = text.split(' ').length < 4 && text.toLowerCase().startsWith(`${about.names[0]} `);
  return isLed && score >= MATCH_CONFIDENCE.within ? BY.path : 0;
}

/** The link in a title element is the title without its surroundings. */
function linkInTitle(el: Element, field: FieldPlan, record: Element): number {
  const parent = parentOf(el);
  if (parent === null || parent === record || itemLinkScore(el, record) < BY.link) return 0;
  const named = namedScore(parent, field, record);
  return named === 0 ? 0 : Math.min(1, named + 0.02);
}

function attributeNames(el: Element): string[] {
  if (!el.hasAttributes()) return [];
  const names: string[] = [];
  for (const attribute of NAMING) {
    const value = attrOf(el, attribute);
    if (value !== null && value.length < LEAF_UNITS && !/\d/.test(value)) names.push(value);
  }
  const label = /^[uo]l$/.test(tagOf(el)) ? attrOf(el, 'aria-label') : null;
  if (label !== null) names.push(label);
  if (isAnchor(el) && el.rel !== '') names.push(...el.rel.split(/\s+/));
  return names;
}

type Kind = (el: Element, field: FieldPlan, record: Element) => number;

const leadsTo =
  (scheme: RegExp): Kind =>
  (el) =>
    scheme.test(attrOf(el, 'href') ?? '') ? BY.kind : 0;

/** A paragraph that is long or ends like a sentence, or another element with sentences of its own. */
function isProse(el: Element): boolean {
  const text = textIn(el);
  const isSentence = /[.!?。]$/.test(text);
  if (tagOf(el) === 'p') return (text.length >= SHORTEST_PROSE && !isFact(text)) || isSentence;
  if (!/^(?:div|span|blockquote|dd)$/.test(tagOf(el)) || text.length < SHORTEST_PROSE) return false;
  const isFlat = firstIn(el, BLOCKS) === null || isAllProse(el);
  return isSentence && isFlat && linkShare(el) < MAX_LINKED;
}

/** A line of parts: `Saturday, June 8 · 7:30 PM`, `Odeon Hall, 12 Basin Street`. */
const isFact = (text: string): boolean =>
  text.length < LEAF_UNITS && (/ [·•|] /.test(text) || /\b\d{4}\b|\d{1,2}:\d\d|, \d/.test(text));

/** Several paragraphs and nothing else. */
const isAllProse = (el: Element): boolean =>
  childCount(el) > 1 && childrenOf(el).every(({ localName }) => /^(?:p|ul|ol|br)$/.test(localName));

function linkShare(el: Element): number {
  const { length } = textIn(el);
  const linked = allIn(el, 'a,time,button').reduce((sum, part) => sum + textIn(part).length, 0);
  return length === 0 ? 0 : linked / length;
}

const KINDS: Readonly<Partial<Record<FieldPlan['form'], Kind>>> = {
  // A heading without a question mark is hardly a question.
  title: (el, field, record) =>
    field.names[0] === 'question' && !/\?$/.test(leafText(el)) ? 0 : titleScore(el, record),
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
  KINDS[field.form]?.(el, field, record) ??
  (isChoice(el, field) ||
  isPerson(el, field) ||
  isNextToPagePortrait(el, field, record) ||
  isForeignLink(el, field, record)
    ? BY.link
    : isNumberOf(el, field) || looksLike(el, field, record)
      ? BY.kind
      : 0);

const isChoice = (el: Element, { choices }: FieldPlan): boolean =>
  choices.length > 1 && childCount(el) === 0 && choices.includes(leafText(el));

/** `#4410` is the number of a ticket. */
const isNumberOf = (el: Element, { names }: FieldPlan): boolean =>
  /(?:^| )(?:id|number|no)$/.test(names[0] ?? '') && isLeaf(el) && /^#\d[\w-]*$/.test(leafText(el));

/** The only list of a record is the best match for a list field. */
function listScore(el: Element, record: Element): number {
  if (!/^[uo]l$/.test(tagOf(el))) return 0;
  return allIn(record, 'ul,ol').length === 1 && firstIn(el, 'a,img') === null ? BY.link * 0.9 : 0;
}

function titleScore(el: Element, record: Element): number {
  if (HEADINGS.test(tagOf(el))) return allIn(el, 'a').some(isLongerLink) ? BY.link : BY.kind;
  if (isLongestPart(el)) return BY.link;
  const link = isGlued(el) || CALL.test(leafText(el)) ? 0 : itemLinkScore(el, record);
  const isHeaded = firstIn(record, HEADING) !== null;
  if (link > 0) return isLongerLink(el) ? BY.kind : Math.min(link, BY.link) * (isHeaded ? 0.7 : 1);
  const isBold = /^(?:strong|b)$/.test(tagOf(el)) || isTerm(el);
  return isBold && !isHeaded ? BY.link * 0.9 : 0;
}

const CALL = /^(?:view|see|show|read|open|visit|shop|play|learn|discover|go to)\b/i;

/** A term of a list, or the beginning of one: `<dt><code>limit</code> <span>integer</span></dt>`. */
function isTerm(el: Element): boolean {
  const parent = parentOf(el);
  return (
    (tagOf(el) === 'dt' && childCount(el) === 0) ||
    (parent?.localName === 'dt' && parent.firstElementChild === el && isLeaf(el))
  );
}

const COMMENT = 8;

/** `<a><span>Merrell</span><span>Moab 3</span></a>` has two texts, separated only by style. */
function isGlued(el: Element): boolean {
  // Ignores comments and empty elements; white space between two parts does separate them.
  const nodes = [...el.childNodes].filter(
    (node) => node.nodeType !== COMMENT && !(isElement(node) && textIn(node) === ''),
  );
  const filled = nodes.filter((node) => textIn(node) !== '');
  const [only] = filled;
  if (filled.length === 1 && only !== undefined && isElement(only)) return isGlued(only);
  const isNext = filled.some(
    (node, index) => index > 0 && nodes[nodes.indexOf(node) - 1] === filled[index - 1],
  );
  return filled.length > 1 && filled.every(isElement) && isNext && firstIn(el, BLOCKS) === null;
}

function isLongestPart(el: Element): boolean {
  const parent = parentOf(el);
  if (parent === null || closestOf(parent, 'a') === null || !isGlued(parent) || isGlued(el)) return false;
  const { length } = el.textContent ?? '';
  return childrenOf(parent).every((part) => part === el || textIn(part).length < length);
}

/** Any short text may be a date; the caller parses it. */
function dateScore(el: Element, { format }: FieldPlan): number {
  if (/^(?:relative-)?time$/.test(tagOf(el))) return BY.kind;
  return format !== null && isLeaf(el) && leafText(el).length <= DATE_UNITS ? BY.link : 0;
}

const ratingText = (el: Element): string =>
  `${attrOf(el, 'aria-label') ?? ''} ${isLeaf(el) && tagOf(el) !== 'a' ? leafText(el) : ''}`;

const isLeaf = (el: Element): boolean => childCount(el) <= 2;

/** A whole section is not the value of a one-line field. */
function sizeWorth(el: Element, field: FieldPlan, view: View): number {
  if (isAddress(field) || /^(?:prose|html)$/.test(field.form)) return 1;
  if (HEADINGS.test(tagOf(el)) || childCount(el) === 0) return 1;
  if (isNumber(field) && loneNumber(el, view) !== null) return 0.8;
  const blocks = allIn(el, BLOCKS).length;
  // `<div><a>Ada</a> (staff)</div>`: the link alone is the name.
  if (blocks <= 1 && !isAnchor(el) && allIn(el, 'a').length === 1) return 0.97;
  return blocks <= 1 ? 1 / Math.max(1, childCount(el) - 2) : 1 / (blocks + 1);
}
