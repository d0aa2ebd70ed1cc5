import { isElement, isText, squash } from '../dom.ts';
import type { Root, View } from './view.ts';

/** How sure each way of writing a label is. */
const SURE = { list: 1, colon: 0.95, rows: 0.95, icon: 0.9, byline: 0.85, unit: 0.8, prefix: 0.8 } as const;

/** A label and what it labels. */
export interface Pair {
  /** How the label is written. */
  readonly kind: keyof typeof SURE;
  readonly label: string;
  /** An element of the page, or a copy of the nodes that follow the label on its line. */
  readonly value: Element;
  /** The element of the page that says it. */
  readonly at: Element;
  /** How sure it is that this is a label with its value, 0 to 1. */
  readonly sure: number;
}

const LABEL_UNITS = 40;
const LINE_UNITS = 400;
/** Of a value after a label without a colon. */
const LED_UNITS = 100;
const MOST_ELEMENTS = 6_000;
const BLOCK =
  /^(?:address|article|aside|blockquote|div|dl|dt|dd|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const LABEL_CLASS = /(?:^|[\s_-])(?:label|key|term|caption|heading|head|dt|lbl)(?:$|[\s_-])/i;
const HAS_LETTER = /\p{L}/u;

/** Says which parts of a page to leave out. */
export type Skip = (el: Element) => boolean;

/** Every label with its value below an element, in document order. */
export function pairsWithin(root: Root | Element, view: View, skip: Skip = () => false): Pair[] {
  const pairs: Pair[] = [];
  const own = 'localName' in root ? [root] : [];
  const rows = new Rows(view);
  let left = MOST_ELEMENTS;
  for (const el of [...own, ...root.querySelectorAll('*')]) {
    if ((left -= 1) < 0) break;
    if (isUnread(el) || skip(el) || (el !== root && !view.isShown(el))) continue;
    pairs.push(
      ...rowPairs(el, view, rows),
      ...headedList(el, view),
      ...linePairs(el, view),
      ...iconPair(el, view),
      ...ledPair(el, view, rows),
    );
  }
  return pairs;
}

const isUnread = ({ localName }: Element): boolean =>
  /^(?:script|style|template|noscript|select|option|svg|path|head|title|meta|link)$/.test(localName);

/** A text that can be a label: short words without a price or a sentence. */
function asLabel(text: string): string | null {
  const bare = text.replace(/\s*[:：]\s*$/, '');
  if (bare.length < 2 || bare.length > LABEL_UNITS || !HAS_LETTER.test(bare)) return null;
  return /\p{Sc}|[.!?]\s|https?$|@/u.test(bare) || bare.split(' ').length > 6 ? null : bare;
}

const isNumeric = (text: string): boolean => /^[\p{Sc}#~≈±+-]?\s*\p{N}/u.test(text);

/** One of several rows of two parts: `<div><span>Year</span><span>2017</span></div>`, in either order. */
function rowPairs(el: Element, view: View, rows: Rows): Pair[] {
  if (el.localName === 'dl' || el.localName === 'tr') return [];
  if (el.localName === 'dt') return termPair(el, view);
  const parts = partsOf(el);
  if (parts === null || parts.some((part) => !view.isShown(part) || view.text(part) === '')) return [];
  const [first, second] = parts;
  const { isRow, isReversed } = rows.kindOf(el);
  const [labelPart, value] = isReversed ? [second, first] : [first, second];
  const label = asLabel(view.text(labelPart));
  if (label === null || !isLabelPart(labelPart, isRow)) return [];
  return [{ label, value, at: value, kind: 'rows', sure: SURE.rows }];
}

const isValueFirst = ([first, second]: readonly [Element, Element], view: View): boolean =>
  isNumeric(view.text(first)) && !/\p{N}/u.test(view.text(second));

/** What is called a label, or is where other rows have one. */
function isLabelPart(el: Element, isRow: boolean): boolean {
  if (el.querySelector('img,input,button,ul,table') !== null) return false;
  return LABEL_CLASS.test(el.className) || el.localName === 'label' || (isRow && !isLink(el));
}

const isLink = (el: Element): boolean => el.localName === 'a' || el.querySelector('a[href]') !== null;

function termPair(term: Element, view: View): Pair[] {
  const value = term.nextElementSibling;
  const label = asLabel(view.text(term));
  if (label === null || value?.localName !== 'dd' || !view.isShown(value)) return [];
  return [{ label, value, at: value, kind: 'list', sure: SURE.list }];
}

/** The two elements that are all that an element says. */
function partsOf(el: Element): readonly [Element, Element] | null {
  const [first, second] = el.children;
  if (first === undefined || second === undefined || el.childElementCount > 2) return null;
  if (isUnread(first) || isUnread(second)) return null;
  for (let node = el.firstChild; node !== null; node = node.nextSibling)
    if (isText(node) && !/^[\s:：–-]*$/.test(node.data)) return null;
  return [first, second];
}

/** The first child that has text, if it is an element. */
function firstSaid(el: Element): Element | null {
  const first = [...el.childNodes].find((node) => (node.textContent ?? '').trim() !== '');
  return first !== undefined && isElement(first) ? first : null;
}

interface RowKind {
  /** There are several. */
  readonly isRow: boolean;
  /** All of them have the value first. */
  readonly isReversed: boolean;
  /** There are several that begin with an element and go on with text. */
  readonly isLed: boolean;
}

/** The siblings that are made like a row. They are looked at once, as lists of thousands are not rare. */
class Rows {
  readonly #view: View;
  readonly #kinds = new WeakMap<Element, Map<string, RowKind>>();

  constructor(view: View) {
    this.#view = view;
  }

  kindOf(el: Element): RowKind {
    const parent = el.parentElement;
    if (parent === null) return { isRow: false, isReversed: false, isLed: false };
    const known = this.#kinds.get(parent) ?? new Map<string, RowKind>();
    this.#kinds.set(parent, known);
    const key = `${el.localName} ${el.className}`;
    const kind = known.get(key) ?? this.#look(parent, el);
    known.set(key, kind);
    return kind;
  }

  #look(parent: Element, el: Element): RowKind {
    const alike = [...parent.children].filter(
      (other) => other.localName === el.localName && other.className === el.className,
    );
    const rows = alike.map(partsOf).filter((row) => row !== null);
    const led = alike.filter((other) => /^(?:span|em|small)$/.test(firstSaid(other)?.localName ?? ''));
    const isRow = rows.length > 1;
    return {
      isRow,
      isReversed: isRow && rows.every((row) => isValueFirst(row, this.#view)),
      isLed: led.length > 1 && led.length === alike.length,
    };
  }
}

function onlyList(el: Element): Element | undefined {
  if (/^(?:ul|ol)$/.test(el.localName)) return el;
  const lists = el.querySelectorAll('ul,ol');
  return lists.length === 1 ? lists[0] : undefined;
}

/** The paragraph that is all of its part of the page: the next heading follows, or nothing. */
const wholePart = (el: Element): Element | undefined =>
  el.localName === 'p' && /^(?:h[1-6])?$/.test(el.nextElementSibling?.localName ?? '') ? el : undefined;

/** `<h3>Ingredients</h3><ul>…</ul>` */
function headedList(el: Element, view: View): Pair[] {
  if (!/^(?:h[1-6]|p|strong|b|dt|summary|div|span)$/.test(el.localName) || el.childElementCount > 1)
    return [];
  const isHeading = /^h[1-6]$/.test(el.localName);
  const next = el.nextElementSibling;
  if (next === null || !/^(?:ul|ol|div|p)$/.test(next.localName) || !view.isShown(next)) return [];
  const text = view.text(el);
  const endsInColon = /[:：]$/.test(text);
  if (!isHeading && !endsInColon) return [];
  const value = endsInColon ? (onlyList(next) ?? next) : (onlyList(next) ?? wholePart(next));
  const label = asLabel(text);
  return label === null || value === undefined
    ? []
    : [{ label, value, at: value, kind: 'colon', sure: SURE.colon }];
}

/** `<a><svg aria-label="stars"></svg> 3,112</a>` */
function iconPair(el: Element, view: View): Pair[] {
  const icon = el.childElementCount === 1 ? el.firstElementChild : null;
  const label = icon?.getAttribute('aria-label') ?? icon?.getAttribute('title') ?? '';
  if (icon === null || !HAS_LETTER.test(label) || view.text(icon) !== '') return [];
  const text = view.text(el);
  return isNumeric(text) && text.length < LABEL_UNITS
    ? [{ label, value: el, at: el, kind: 'icon', sure: SURE.icon }]
    : [];
}

/** `<li><svg></svg><span>Venue</span> <a>The Old Mill</a>, 2nd floor</li>`, of several such or with a bold label. */
function ledPair(el: Element, view: View, rows: Rows): Pair[] {
  if (!/^(?:li|p|div|dd)$/.test(el.localName) || partsOf(el) !== null) return [];
  const nodes = [...el.childNodes].filter((node) => squash(node.textContent ?? '') !== '');
  const [first, ...rest] = nodes;
  if (first === undefined || rest.length === 0 || !isElement(first) || !view.isShown(first)) return [];
  if (!/^(?:span|b|strong|em|small|label)$/.test(first.localName) || isLink(first)) return [];
  const label = asLabel(view.text(first));
  const isMarked = /^(?:b|strong|label)$/.test(first.localName) || LABEL_CLASS.test(first.className);
  if (label === null || !(isMarked || rows.kindOf(el).isLed)) return [];
  if (rest.some((node) => isElement(node) && (BLOCK.test(node.localName) || !view.isShown(node)))) return [];
  return besidePair(
    label,
    rest.map((node) => (isElement(node) ? copyOf(node, view) : node.cloneNode())),
    el,
    view,
  );
}

/** A label without a colon, and the short text that follows it. */
function besidePair(label: string | null, nodes: readonly Node[], at: Element, view: View): Pair[] {
  const value = view.inert.createElement('span');
  value.append(...nodes);
  const { length } = squash(value.textContent ?? '');
  return label === null || length === 0 || length > LED_UNITS
    ? []
    : [{ label, value, at, kind: 'rows', sure: SURE.icon }];
}

/** The lines of an element that says something itself. */
function linePairs(el: Element, view: View): Pair[] {
  if (!saysSomething(el)) return [];
  const lines = linesOf(el, view);
  return [
    ...lines.flatMap((nodes, at) => boldLine(nodes, lines[at + 1], el, view)),
    ...lines.flatMap((nodes) => lineOf(nodes, el, view)),
  ];
}

/** `<strong>Due date</strong><br>13 April 2024` */
function boldLine(
  nodes: readonly Node[],
  next: readonly Node[] | undefined,
  at: Element,
  view: View,
): Pair[] {
  const filled = nodes.filter((node) => squash(node.textContent ?? '') !== '');
  const [only] = filled;
  if (next === undefined || filled.length !== 1 || only === undefined || !isBold(only)) return [];
  if (next.some(isBold)) return [];
  return besidePair(
    asLabel(squash(only.textContent ?? '')),
    next.map((node) => node.cloneNode(true)),
    at,
    view,
  );
}

const isBold = (node: Node): boolean => isElement(node) && /^(?:b|strong)$/.test(node.localName);

/** Text of its own, or inline elements alone. */
function saysSomething(el: Element): boolean {
  if (el.firstElementChild === null) return (el.textContent ?? '').trim() !== '';
  for (let node = el.firstChild; node !== null; node = node.nextSibling)
    if (isText(node) && node.data.trim() !== '') return true;
  return false;
}

/** Child nodes, parted at line breaks, blocks, dots and bars, and before bold labels. */
function linesOf(el: Element, view: View): Node[][] {
  const lines: Node[][] = [[]];
  const push = (node: Node): void => void lines.at(-1)?.push(node);
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node)) {
      if (node.localName === 'br' || BLOCK.test(node.localName)) lines.push([]);
      else if (view.isShown(node)) {
        if (/^(?:b|strong)$/.test(node.localName) && (lines.at(-1)?.length ?? 0) > 0) lines.push([]);
        push(copyOf(node, view));
      }
    } else if (isText(node)) {
      node.data.split(/\s[·•|]\s|\s[·•|]$|^[·•|]\s/).forEach((part, index) => {
        if (index > 0) lines.push([]);
        if (part !== '') push(view.inert.createTextNode(part));
      });
    }
  }
  return lines.filter((nodes) => nodes.length > 0);
}

/** A copy without controls: what they hold is read from the page alone, where secrets are known. */
function copyOf(el: Element, view: View): Node {
  const copy = view.inert.importNode(el, true);
  if (!isElement(copy)) return copy;
  for (const control of copy.querySelectorAll('input,textarea,select,script,style')) control.remove();
  return /^(?:input|textarea|select)$/.test(copy.localName) ? view.inert.createTextNode('') : copy;
}

function lineOf(nodes: readonly Node[], el: Element, view: View): Pair[] {
  const line = view.inert.createElement('span');
  line.append(...nodes);
  const text = squash(line.textContent ?? '');
  if (text.length < 3 || text.length > LINE_UNITS) return [];
  const colon = /^([^:：]{2,40}?)\s*[:：](?!\/\/)\s*(?=\S)/.exec(text);
  if (colon !== null) {
    const label = asLabel(colon[1] ?? '');
    // `12:30` is a time.
    if (label === null || (/\d$/.test(label) && /^\d/.test(text.slice(colon[0].length)))) return [];
    return [{ label, value: dropLabel(line), at: el, kind: 'colon', sure: SURE.colon }];
  }
  return [...bylines(line, el), ...unitPair(text, line, el), ...prefixPair(text, line, el, view)];
}

/** Removes what comes before the first colon, and the colon. */
function dropLabel(line: Element): Element {
  const walker = line.ownerDocument.createTreeWalker(line, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!isText(node)) continue;
    const at = node.data.search(/[:：]/);
    if (at >= 0) {
      node.data = node.data.slice(at + 1);
      break;
    }
    node.data = '';
  }
  return line;
}

/** `by Ada`, `By <a>Ada</a>`, `3 points by <a>ada</a>` */
function bylines(line: Element, at: Element): Pair[] {
  const parts = [...line.childNodes];
  return parts.flatMap((node, index): Pair[] => {
    if (!isText(node)) return [];
    const next = parts[index + 1];
    if (/(?:^|\s)by\s*$/i.test(node.data) && next !== undefined && isElement(next))
      return [{ label: 'by', value: next, at, kind: 'byline', sure: SURE.byline }];
    const own = index === 0 ? /^\s*(?:\p{L}+ )?by\s+(\p{Lu}[^,·|]{1,60})$/u.exec(node.data)?.[1] : undefined;
    return own === undefined
      ? []
      : [{ label: 'by', value: textElement(line, own), at, kind: 'byline', sure: SURE.byline }];
  });
}

const textElement = (near: Element, text: string): Element => {
  const el = near.ownerDocument.createElement('span');
  el.textContent = text.trim();
  return el;
};

/** `128 reviews`, `based on 7 ratings` */
function unitPair(text: string, line: Element, at: Element): Pair[] {
  const [said, number, label] =
    /(?:^|[\s(])(\p{N}[\p{N}.,]*\s?[kKM]?\+?)\s+(\p{L}[\p{L} -]{1,30})\)?$/u.exec(text) ?? [];
  return said === undefined || number === undefined || label === undefined
    ? []
    : [{ label, value: textElement(line, said.replace(/[()]/g, '')), at, kind: 'unit', sure: SURE.unit }];
}

/** `Item no. 30-441`, `Serves 6`: a label without a colon, before a value with a digit. */
function prefixPair(text: string, line: Element, at: Element, view: View): Pair[] {
  if (text.length > LABEL_UNITS || view.text(at) === '') return [];
  const [, label, value] = /^(\p{L}[\p{L}. ]{1,24}?)[.\s]\s*([#\p{Sc}]?\S*\p{N}\S*)$/u.exec(text) ?? [];
  return label === undefined || value === undefined
    ? []
    : [{ label, value: textElement(line, value), at, kind: 'prefix', sure: SURE.prefix }];
}
