import {
  allIn,
  attrOf,
  childCount,
  childrenOf,
  firstIn,
  isText,
  lookUp,
  parentOf,
  tagOf,
  textIn,
  isMatch,
  valueIn,
} from '../../dom/elements.ts';
import { linePairs, asLabel, isNumeric, SURE, type Pair, HAS_LETTER, LABEL_UNITS, paired } from './lines.ts';
import type { Root, View } from './view.ts';
import { isPlausible } from '../../../shared/libraries/values/coerce.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import { MATCH_CONFIDENCE } from '../../../shared/libraries/values/names.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { isList, isNumber, scoreLabel, valueField, type Leaf, readingOf } from './match.ts';
import { readValue } from './values.ts';

/** `<a><svg aria-label="stars"></svg> 3,112</a>`, `<li><i class="icon icon-location"></i>Porto</li>` */
function iconPair(el: Element, view: View): Pair[] {
  const icon = [el.firstElementChild, el.lastElementChild].find(
    (one) => one !== null && view.text(one) === '',
  );
  if (icon == null || childCount(el) > 2) return [];
  const text = view.text(el);
  if (text === '' || text.length > LABEL_UNITS * 2) return [];
  const label = attrOf(icon, 'aria-label') ?? attrOf(icon, 'title') ?? '';
  if (HAS_LETTER.test(label)) {
    const isFit = isNumeric(text) ? childCount(el) === 1 : childCount(el) === 2;
    return isFit ? paired('icon', label, el) : [];
  }
  return paired('loose', iconName(icon), el);
}

/** The last word of an icon's class: `fa fa-map-marker` marks a place. */
function iconName(icon: Element): string | null {
  const names = (attrOf(icon, 'class') ?? '').split(/\s+/).filter((name) => ICON.test(name));
  const word = (names.at(-1) ?? '').replace(ICON, '').replace(/-(?:o|alt|fill|outline|solid|dot)$/, '');
  return lookUp(ICON_NAMES, word) ?? (/^[a-z]{3,}$/.test(word) ? word : null);
}

const ICON = /^(?:icon|fa|bi|glyphicon|mdi|ti|la|fi|octicon|lucide|material-icons?)-+/;
const ICON_NAMES: Readonly<Record<string, string>> = {
  ...{ 'map-marker': 'location', 'map-pin': 'location', geo: 'location', pin: 'location' },
  ...{ envelope: 'email', telephone: 'phone', calendar: 'date', clock: 'duration', building: 'company' },
};

/** `<button aria-label="88 Likes. Like">88</button>`, `<div aria-label="Scored 9.2">9.2</div>` */
function spokenPair(el: Element, view: View): Pair[] {
  const spoken = attrOf(el, 'aria-label') ?? '';
  if (spoken === '' || spoken.length > LABEL_UNITS * 2) return [];
  const [, number, unit] = /^(\p{N}[\p{N}.,]*\s?[kKmM]?)\s+(\p{L}[\p{L} ]{1,20})/u.exec(spoken) ?? [];
  const text = view.text(el).replace(/^[\p{So}\p{Sk}\s\uFE0F]+/u, '');
  const value = view.inert.createElement('span');
  value.textContent = number ?? text;
  if (number !== undefined && unit !== undefined)
    return text === '' || isNumeric(text)
      ? [{ label: unit, value, at: el, kind: 'unit', sure: SURE.icon }]
      : [];
  const label = spoken.replace(text, '').replace(/[\s:]+$/, '');
  return !isNumeric(text) || asLabel(label) === null || /\p{N}/u.test(label)
    ? []
    : paired('icon', label, value, el);
}

const MAX_ELEMENTS = 6_000;
const LABEL_CLASS = /(?:^|[\s_-])(?:label|key|term|caption|heading|head|dt|lbl)(?:$|[\s_-])/i;

/** Selects parts of a page to omit. */
export type Skip = (el: Element) => boolean;

/** Every label with its value below an element, in document order. */
export function pairsWithin(root: Root | Element, view: View, skip: Skip = () => false): Pair[] {
  const pairs: Pair[] = [];
  const own = 'localName' in root ? [root] : [];
  const kindOf = rowKinds(view);
  for (const el of [...own, ...allIn(root, '*')].slice(0, MAX_ELEMENTS)) {
    if (isUnread(el) || skip(el) || (el !== root && !view.isShown(el))) continue;
    pairs.push(
      ...rowPairs(el, view, kindOf),
      ...headedList(el, view),
      ...linePairs(el, view),
      ...iconPair(el, view),
      ...spokenPair(el, view),
    );
  }
  return pairs;
}

const isUnread = ({ localName }: Element): boolean =>
  /^(?:script|style|template|noscript|select|option|svg|path|head|title|meta|link)$/.test(localName);

/** One of several rows of two parts: `<div><span>Year</span><span>2017</span></div>`, in either order. */
function rowPairs(el: Element, view: View, kindOf: (el: Element) => RowKind): Pair[] {
  if (tagOf(el) === 'dl') return [];
  if (tagOf(el) === 'tr') return cellPairs(el, view);
  if (tagOf(el) === 'dt') return termPair(el, view);
  const parts = findPair(el);
  if (parts === null || parts.some((part) => !view.isShown(part) || view.text(part) === '')) return [];
  const [first, second] = parts;
  const { isRow, isReversed } = kindOf(el);
  const [labelPart, value] = isReversed || isValueFirst(parts, view) ? [second, first] : [first, second];
  const label = asLabel(view.text(labelPart));
  if (label === null || !mayBeLabel(labelPart) || (isLink(labelPart) && !isMarked(labelPart))) return [];
  const kind = isMarked(labelPart) || isRow ? 'rows' : 'loose';
  return paired(kind, label, value);
}

const isValueFirst = ([first, second]: readonly [Element, Element], view: View): boolean =>
  isNumeric(view.text(first)) && !/\p{N}/u.test(view.text(second));

const mayBeLabel = (el: Element): boolean => firstIn(el, 'img,input,button,ul,table') === null;

const isMarked = (el: Element): boolean =>
  LABEL_CLASS.test(el.className) || tagOf(el) === 'label' || tagOf(el) === 'summary';

const isLink = (el: Element): boolean => tagOf(el) === 'a' || firstIn(el, 'a[href]') !== null;

/** `<tr><td><b>Product:</b></td><td>Sketchpad</td><td><b>Version:</b></td><td>2.8</td></tr>` */
function cellPairs(row: Element, view: View): Pair[] {
  return childrenOf(row).flatMap((cell): Pair[] => {
    const value = cell.nextElementSibling;
    if (value === null || !/[:：]$/.test(textIn(cell)) || !view.isShown(value) || view.text(value) === '')
      return [];
    return /[:：]$/.test(textIn(value)) ? [] : paired('rows', asLabel(view.text(cell)), value);
  });
}

function termPair(term: Element, view: View): Pair[] {
  const value = term.nextElementSibling;
  if (value?.localName !== 'dd' || !view.isShown(value)) return [];
  return paired('list', asLabel(view.text(term)), value);
}

/** The two elements that, with an icon, are an element's whole content. */
function findPair(el: Element): readonly [Element, Element] | null {
  if (childCount(el) > MAX_PARTS) return null;
  const [first, second, third] = childCount(el) < 3 ? childrenOf(el) : childrenOf(el).filter(isSaid);
  if (first === undefined || second === undefined || third !== undefined) return null;
  if (isUnread(first) || isUnread(second)) return null;
  for (let node = el.firstChild; node !== null; node = node.nextSibling)
    if (isText(node) && !/^[\s:：–-]*$/.test(node.data)) return null;
  return [first, second];
}

const MAX_PARTS = 4;

const isSaid = (el: Element): boolean =>
  !isUnread(el) &&
  (textIn(el) !== '' || isMatch(el, 'img,input,select,textarea') || firstIn(el, 'img') !== null);

interface RowKind {
  /** Several siblings have this form. */
  readonly isRow: boolean;
  /** All of them have the value first. */
  readonly isReversed: boolean;
}

/** Siblings that are built like a row. Each list is examined once: lists of thousands are not rare. */
function rowKinds(view: View): (el: Element) => RowKind {
  const kinds = new WeakMap<Element, Map<string, RowKind>>();
  return (el) => {
    const parent = parentOf(el);
    if (parent === null) return { isRow: false, isReversed: false };
    const known = valueIn(kinds, parent, () => new Map<string, RowKind>());
    return valueIn(known, `${el.localName} ${el.className}`, () => rowKind(parent, el, view));
  };
}

function rowKind(parent: Element, el: Element, view: View): RowKind {
  const alike = childrenOf(parent).filter(
    (other) => tagOf(other) === tagOf(el) && other.className === el.className,
  );
  const rows = alike.map(findPair).filter((row) => row !== null);
  const isRow = rows.length > 1;
  return { isRow, isReversed: isRow && rows.every((row) => isValueFirst(row, view)) };
}

function onlyList(el: Element): Element | undefined {
  if (/^[uo]l$/.test(tagOf(el))) return el;
  const lists = allIn(el, 'ul,ol');
  return lists.length === 1 ? lists[0] : undefined;
}

/** By its tag or, before a list, by its class: `<div class="block-heading">Ingredients</div>`. */
const isHeadingOf = (el: Element, next: Element): boolean =>
  /^h[1-6]$/.test(tagOf(el)) || (isMarked(el) && onlyList(next) !== undefined);

/** `<h3>Ingredients</h3><ul>…</ul>` */
function headedList(el: Element, view: View): Pair[] {
  if (!/^(?:h[1-6]|p|strong|b|dt|summary|div|span)$/.test(tagOf(el)) || childCount(el) > 1) return [];
  const next = el.nextElementSibling;
  if (next === null || !/^(?:ul|ol|div|p)$/.test(tagOf(next)) || !view.isShown(next)) return [];
  const text = view.text(el);
  const endsInColon = /[:：]$/.test(text);
  if (!endsInColon && !isHeadingOf(el, next)) return [];
  const value = onlyList(next) ?? (endsInColon ? next : undefined);
  return value === undefined ? [] : paired('colon', asLabel(text), value);
}

/** A pair whose label names a field, and whose value fits it. */
interface FittingPair {
  readonly pair: Pair;
  readonly value: JsonValue;
  readonly score: number;
}

export function scorePair({ field }: Leaf, { label, kind, sure, value }: Pair): number {
  const own = Math.max(
    scoreLabel(field, label),
    isNumbered(field, label, value) ? MATCH_CONFIDENCE.synonym : 0,
  );
  // A number before its unit is only a number, and a label without a colon must match exactly.
  const item = valueField(field);
  const isCount = isNumber(item);
  // `Posts: 190` and `128 reviews` are counts; a rating of 4.4 is not.
  const score =
    isCount && !DECIMAL.test(textIn(value)) ? Math.max(own, scoreLabel(field, `${label} count`)) : own;
  if (kind === 'unit' && !isCount) return 0;
  // `2,318 ratings` is a count.
  if (kind === 'unit' && item.form === 'rating' && !isScore(label, value)) return 0;
  const isVague = kind === 'prefix' || kind === 'loose' || (kind === 'colon' && isSentence(value));
  if (isVague && score < MATCH_CONFIDENCE.synonym) return 0;
  return score * sure;
}

const DECIMAL = /^\d{1,2}[.,]\d{1,2}(?:\s?\(.*)?$/;

/** `Episode 48` is an `episode_number`; `Posts 12` is a count. */
function isNumbered(field: FieldPlan, label: string, value: Element): boolean {
  const [, thing] = /^(.+) (?:number|no|id)$/.exec(field.names[0] ?? '') ?? [];
  return label.toLowerCase() === thing && /^#?\S*\d\S*$/.test(textIn(value));
}

/** `Security release: please update.` is part of a text. */
const isSentence = (value: Element): boolean => / .*[.!?]$/s.test(textIn(value));

/** `4.34 avg rating` is a score, not a count. */
const isScore = (label: string, value: Element): boolean =>
  /(?:rating|score)$/i.test(label) && /^\d{1,2}[.,]\d+(?:\s\D*)?$/.test(textIn(value));

export function readPair({ value }: Pair, { field }: Leaf, view: View): JsonValue {
  const read = readValue(value, field, view);
  return typeof read === 'string' ? read.replace(/\s+[-–—|·,]+$/u, '') : read;
}

/** The pairs that fit a field, best first. */
function fittingPairs(leaf: Leaf, pairs: readonly Pair[], view: View): FittingPair[] {
  if (isList(leaf.field) && valueField(leaf.field).types[0] === 'object') return [];
  return pairs
    .map((pair) => ({ pair, score: scorePair(leaf, pair) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .flatMap(({ pair, score }): FittingPair[] => {
      const value = readPair(pair, leaf, view);
      const isFit = isPlausible(leaf.field, value, view.hints);
      return isFit ? [{ pair, value, score }] : [];
    });
}

/**
 * Assigns each field the pair that names it best. Two different values under equally good labels prove nothing: they
 * belong to different things.
 */
export function assignPairs(
  leaves: readonly Leaf[],
  pairs: readonly Pair[],
  view: View,
): Map<Leaf, FittingPair> {
  const assigned = new Map<Leaf, FittingPair>();
  const owners = new Map<Pair, Leaf>();
  const wishes = leaves.flatMap((leaf) => {
    const fitting = fittingPairs(leaf, pairs, view);
    const [best] = fitting;
    if (best === undefined) return [];
    const isUnclear = fitting.some(
      ({ score, value }) => score === best.score && JSON.stringify(value) !== JSON.stringify(best.value),
    );
    return isUnclear ? [] : [{ leaf, fitting }];
  });
  wishes.sort((a, b) => (b.fitting[0]?.score ?? 0) - (a.fitting[0]?.score ?? 0));
  for (const { leaf, fitting } of wishes) {
    const free = fitting.find(({ pair }) => {
      const owner = owners.get(pair);
      // Two fields may read different parts of one place: text and address, or both ends of a range.
      return owner === undefined || readingOf(owner) !== readingOf(leaf);
    });
    if (free === undefined) continue;
    owners.set(free.pair, leaf);
    assigned.set(leaf, free);
  }
  return assigned;
}
