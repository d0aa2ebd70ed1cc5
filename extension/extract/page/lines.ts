import { allIn, isElement, tagOf, textIn, isText } from '../../dom/elements.ts';
import { type View, BLOCKS } from './view.ts';
import { ANY_COLUMN } from '../../../shared/libraries/values/columns.ts';
import { readDate } from '../../../shared/libraries/values/dates.ts';

export const SURE = {
  list: 1,
  colon: 0.95,
  rows: 0.95,
  icon: 0.9,
  loose: 0.85,
  byline: 0.85,
  unit: 0.8,
  prefix: 0.8,
} as const;

export interface Pair {
  readonly kind: keyof typeof SURE;
  readonly label: string;
  /** An element of the page, or a copy of the nodes after the label on its line. */
  readonly value: Element;
  /** The page's element that contains it. */
  readonly at: Element;
  /** Certainty that this is a label with its value, 0 to 1. */
  readonly sure: number;
}

export const LABEL_UNITS = 40;
export const HAS_LETTER = /\p{L}/u;

/** Returns the text if it can be a label: short, without a price or a sentence. */
export function asLabel(text: string): string | null {
  const bare = text.replace(/\s*[:：]\s*$/, '');
  if (bare.length < 2 || bare.length > LABEL_UNITS || !HAS_LETTER.test(bare)) return null;
  return /\p{Sc}|[.!?]\s|https?$|@/u.test(bare) || bare.split(' ').length > 6 ? null : bare;
}

export const isNumeric = (text: string): boolean => /^[\p{Sc}#~≈±+-]?\s*\p{N}/u.test(text);

/** The pair of a label and its value; none without a label. */
export const paired = (
  kind: Pair['kind'],
  label: string | null,
  value: Element,
  at: Element = value,
): Pair[] => (label === null ? [] : [{ label, value, at, kind, sure: SURE[kind] }]);

/** A copy without controls: their values are read only from the page, where secrets are known. */
function copyOf(el: Element, view: View): Node {
  const copy = view.inert.importNode(el, true);
  if (!isElement(copy)) return copy;
  for (const control of allIn(copy, 'input,textarea,select,script,style')) control.remove();
  return /^(?:input|textarea|select)$/.test(tagOf(copy)) ? view.inert.createTextNode('') : copy;
}

const LINE_UNITS = 400;

/** The lines of an element with text of its own. */
export function linePairs(el: Element, view: View): Pair[] {
  if (!saysSomething(el)) return [];
  return groupNodes(el, view).flatMap((nodes) => lineOf(nodes, el, view));
}

/** Whether it has text of its own, or only inline elements. */
function saysSomething(el: Element): boolean {
  if (el.firstElementChild === null) return textIn(el) !== '';
  for (let node = el.firstChild; node !== null; node = node.nextSibling)
    if (isText(node) && node.data.trim() !== '') return true;
  return false;
}

/** `Brand: <b>Norda</b>` has its label before the bold part. */
const ENDS_IN_LABEL = /^\s*\p{L}[^:：]{1,40}[:：]\s*$/u;

/** Child nodes, split at line breaks, blocks, dots and bars, and before bold labels. A label may be above its value. */
function groupNodes(el: Element, view: View): Node[][] {
  const lines: Node[][] = [[]];
  const push = (node: Node): void => void lines.at(-1)?.push(node);
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node)) {
      if (BLOCKS.has(tagOf(node))) lines.push([]);
      else if (view.isShown(node)) {
        const before = lines.at(-1) ?? [];
        const isBlock = view.hasOwnLines(node);
        const text = before.map(({ textContent }) => textContent).join('');
        const endsLine = isBlock && /[:：]\s*\S/.test(text);
        const isLabel = /^(?:b|strong)$/.test(tagOf(node)) && !ENDS_IN_LABEL.test(text);
        if (endsLine || (isLabel && before.length > 0)) lines.push([]);
        push(copyOf(node, view));
        if (isBlock) lines.push([]);
      }
    } else if (isText(node)) {
      node.data.split(/\s[·•|—]\s|\s[·•|—]$|^[·•|—]\s/).forEach((part, index) => {
        const isNext = ENDS_IN_LABEL.test(part) && (lines.at(-1) ?? []).some(isElement);
        if (index > 0 || isNext) lines.push([]);
        if (part !== '') push(view.inert.createTextNode(part));
      });
    }
  }
  return lines.filter((nodes) => nodes.length > 0);
}

function lineOf(nodes: readonly Node[], el: Element, view: View): Pair[] {
  const line = view.inert.createElement('span');
  line.append(...nodes);
  const text = textIn(line);
  if (text.length < 3 || text.length > LINE_UNITS) return [];
  const colon = /^([^:：]{2,40}?)\s*[:：](?!\/\/)\s*(?=\S)/.exec(text);
  if (colon !== null) {
    const label = asLabel(colon[1] ?? '');
    // `12:30` is a time.
    if (label === null || (/\d$/.test(label) && /^\d/.test(text.slice(colon[0].length)))) return [];
    return paired('colon', label, dropLabel(line), el);
  }
  return [
    ...ratingPairs(text, line, el),
    ...numberPair(text, line, el),
    ...versionPairs(text, line, el, view),
    ...bylines(line, el),
    ...unitPair(text, line, el),
    ...prefixPair(text, line, el, view),
    ...selfSaid(text, line, el),
  ];
}

/** Texts that identify themselves by their form. */
const SELF_SAID: readonly (readonly [RegExp, string])[] = [
  [
    /^\d+(?:[.,]\d+)?\s?(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|days?|weeks?|months?)\.?(?:[\s,]+\d+\s?(?:m|mins?|minutes?|s|secs?|seconds?))?(?: long)?$/i,
    'duration',
  ],
  [/^\d+\s?min(?:ute)?s?\.? read$/i, 'reading time'],
  [
    /^(?:full|part)[- ]time$|^(?:contract(?:or)?|temporary|internship|freelance|permanent)$/i,
    'employment type',
  ],
  [/^v?\d+\.\d+(?:\.\d+)+(?:-[\w.]+)?$|^v\d+(?:\.\d+)+$/i, 'version'],
];

function selfSaid(text: string, line: Element, at: Element): Pair[] {
  const free = /^free (?<what>\p{L}+)$/iu.exec(text)?.groups?.['what'];
  if (free !== undefined) return paired('prefix', free, textElement(line, 'Free'), at);
  return SELF_SAID.filter(([form]) => form.test(text)).flatMap(([, label]) =>
    paired('prefix', label, textElement(line, text), at),
  );
}

/** Removes everything up to the first colon. */
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
  const saidBy = (verb: string, who: Element): Pair[] =>
    [...new Set([`${verb}by`, 'by'])].flatMap((label) => paired('byline', label, who, at));
  return parts.flatMap((node, index): Pair[] => {
    if (!isText(node)) return [];
    const next = parts[index + 1];
    const [led, verb = ''] = /(?:^|\s)(?:(\p{L}+(?:ed|en|ld|de) )?)by\s*$/iu.exec(node.data) ?? [];
    if (led !== undefined && next !== undefined && isElement(next)) return saidBy(verb, next);
    const [, done = '', own] =
      (index === 0 ? /^\s*(\p{L}+ )?by\s+(\p{Lu}[^,·|]{1,60})$/u.exec(node.data) : null) ?? [];
    return own === undefined ? [] : saidBy(done, textElement(line, own));
  });
}

const textElement = (near: Element, text: string): Element => {
  const el = near.ownerDocument.createElement('span');
  el.textContent = text.trim();
  return el;
};

/** `4.4 (88)` */
function ratingPairs(text: string, line: Element, at: Element): Pair[] {
  const [, rating, count] = /^(\d(?:[.,]\d{1,2})?) ?\((\d[\d.,]*\s?[kK]?)\)$/.exec(text) ?? [];
  if (rating === undefined || count === undefined) return [];
  return [
    ...paired('prefix', 'rating', textElement(line, rating), at),
    ...paired('prefix', 'review count', textElement(line, count), at),
  ];
}

/** `2.1.0 - 2024-03-05`, `[2.1.0] (March 5, 2024)` */
function versionPairs(text: string, line: Element, at: Element, view: View): Pair[] {
  const [, version, date] =
    /^(?:\p{L}+\s)?\[?(v?\d+(?:\.\d+)+(?:-[\w.]+)?)\]?\s+(?:[-–—/|·]\s+|\()?(\S.*?)\)?$/u.exec(text) ?? [];
  if (
    version === undefined ||
    date === undefined ||
    !readDate(date, { ...view.hints, column: ANY_COLUMN }).ok
  )
    return [];
  return [
    ...paired('prefix', 'version', textElement(line, version), at),
    ...paired('prefix', 'date', textElement(line, date), at),
  ];
}

/** `#8123 opened by Ada`, `#2 | Link` */
function numberPair(text: string, line: Element, at: Element): Pair[] {
  const number = /^#\s?\d{1,9}(?= |$)/.exec(text)?.[0];
  return number === undefined ? [] : paired('prefix', 'number', textElement(line, number), at);
}

/** `128 reviews`, `based on 7 ratings` */
function unitPair(text: string, line: Element, at: Element): Pair[] {
  const [said, number, label] =
    /(?:^|[\s(])(\p{Sc}?\p{N}(?:[.,]?\p{N})*\s?[kKM]?\+?)\s+(\p{L}[\p{L} -]{1,30})\)?$/u.exec(text) ?? [];
  return said === undefined || number === undefined || label === undefined
    ? []
    : paired('unit', label, textElement(line, said.replace(/[()]/g, '')), at);
}

/** `Item no. 30-441`, `Serves 6`: a label without a colon, before a value with a digit. */
function prefixPair(text: string, line: Element, at: Element, view: View): Pair[] {
  if (text.length > LABEL_UNITS || view.text(at) === '') return [];
  const [, label, value] =
    /^(\p{L}[\p{L}. ]{1,24}?)[.\s]\s*(?:#\s+)?([#\p{Sc}]?\S*\p{N}\S*)$/u.exec(text) ?? [];
  return label === undefined || value === undefined
    ? []
    : paired('prefix', label, textElement(line, value), at);
}
