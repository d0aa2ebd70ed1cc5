export const TAG = {
  /** Never rendered, or not text: always omitted. */
  skip: 1,
  /** A block by the browser's own style sheet. */
  block: 2,
  /** Its children are invisible to people (controls, media, frames). */
  atom: 4,
  /** Separated from its neighbours though on the same line. */
  box: 8,
  /** May host a shadow root, in addition to custom elements (DOM standard). */
  host: 16,
  /** May contain another document. */
  frame: 32,
  /** A part of an SVG that is painted only where something refers to it. */
  undrawn: 64,
  /** Browsers may hide it without any style. */
  unshown: 128,
  /** A custom element: its name has a hyphen. */
  custom: 256,
} as const;

const table = new Map<string, number>();
const add = (flag: number, names: string): void => {
  for (const name of names.split(' ')) table.set(name, (table.get(name) ?? 0) | flag);
};

add(
  TAG.skip,
  'script style template noscript head meta link base title param source track datalist noembed noframes',
);
add(
  TAG.block,
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p ' +
    'plaintext pre search section summary table caption thead tbody tfoot tr td th colgroup col ul xmp',
);
add(TAG.atom, 'input textarea select img video audio canvas iframe frame object embed meter progress math');
add(TAG.box, 'button input textarea select meter progress');

add(TAG.frame, 'iframe frame object');
add(TAG.undrawn, 'defs symbol clipPath mask pattern marker metadata desc');
add(TAG.unshown, 'dialog audio area rp slot object details');
add(TAG.host, 'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** Bits of {@link TAG}. */
export function tagBits(name: string): number {
  return table.get(name) ?? (name.includes('-') ? TAG.host | TAG.custom : 0);
}

/** Type guards by name, since an element of another frame is not an instance of this one's classes. */
const XHTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

export const isElement = (node: Node): node is Element => node.nodeType === 1;
export const isText = (node: Node): node is Text => node.nodeType === 3;
export const isShadowRoot = (node: Node): node is ShadowRoot => node.nodeType === 11 && 'host' in node;
export const isDocument = (node: Node): node is Document => node.nodeType === 9;
export const isSvg = (el: Element): boolean => el.namespaceURI === SVG;
export const isHtml = (el: Element): el is HTMLElement => el.namespaceURI === XHTML;

const named =
  <E extends HTMLElement>(...names: readonly string[]) =>
  (el: Element): el is E =>
    names.includes(el.localName) && el.namespaceURI === XHTML;

export const isInput = named<HTMLInputElement>('input');
export const isCheckable = (el: Element): el is HTMLInputElement =>
  isInput(el) && (el.type === 'checkbox' || el.type === 'radio');
export const isTextarea = named<HTMLTextAreaElement>('textarea');
export const isSelect = named<HTMLSelectElement>('select');
export const isOption = named<HTMLOptionElement>('option');
export const isAnchor = named<HTMLAnchorElement>('a');
export const isArea = named<HTMLAreaElement>('area');
export const isMedia = named<HTMLMediaElement>('video', 'audio');
export const isVideo = named<HTMLVideoElement>('video');
export const isImage = named<HTMLImageElement>('img');
export const isSlot = named<HTMLSlotElement>('slot');
export const isDetails = named<HTMLDetailsElement>('details');
export const isObject = named<HTMLObjectElement>('object');
export const isCell = named<HTMLTableCellElement>('td', 'th');
export const isLabel = named<HTMLLabelElement>('label');
export const isButton = named<HTMLButtonElement>('button');
export const isOrderedList = named<HTMLOListElement>('ol');
export const isListItem = named<HTMLLIElement>('li');
export const isMeter = named<HTMLMeterElement | HTMLProgressElement>('meter', 'progress');
export const isLabelable = named<
  HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement | HTMLMeterElement
>('input', 'textarea', 'select', 'button', 'meter', 'progress', 'output');

/** The labels of a control. Only the labels tell which custom element is theirs: its own list is in its internals. */
export function labelsOf(el: Element): HTMLLabelElement[] {
  if (isLabelable(el)) return [...(el.labels ?? [])];
  // These match form-associated elements alone.
  if (!el.localName.includes('-') || !el.matches(':enabled,:disabled')) return [];
  const named = el.id === '' ? [] : [...treeOf(el).querySelectorAll(`label[for="${CSS.escape(el.id)}"]`)];
  const around = el.closest('label');
  return [...named, ...(around === null || named.includes(around) ? [] : [around])].filter(
    (label): label is HTMLLabelElement => isLabel(label) && label.control === el,
  );
}

/** The ids in `aria-labelledby`, or in the misspelling that Chromium accepts; null without either. */
export const labelIdsOf = (el: Element): string | null =>
  el.getAttribute('aria-labelledby') ?? el.getAttribute('aria-labeledby');

export type FrameElement = HTMLIFrameElement | HTMLFrameElement | HTMLObjectElement;
export const isFrameElement = named<FrameElement>('iframe', 'frame', 'object');

/** The distance from an item's number to the next. */
export function stepAt(item: Element): number {
  const parent = item.parentElement;
  return parent !== null && isOrderedList(parent) && parent.reversed ? -1 : 1;
}

export function firstNumber(list: HTMLOListElement): number {
  if (list.hasAttribute('start') || !list.reversed) return list.start;
  return list.querySelectorAll(':scope > li').length;
}

export const summaryOf = (details: ParentNode | null): Element | null =>
  (details === null ? [] : childrenOf(details)).find(({ localName }) => localName === 'summary') ?? null;

/** Whether a `<details>` shows its summary alone: style may show the content of one that is closed. */
export function isFolded(el: Element): boolean {
  if (!isDetails(el) || el.open) return false;
  const summary = summaryOf(el);
  let inner = el.firstElementChild;
  if (inner === summary) inner = inner?.nextElementSibling ?? null;
  return inner?.checkVisibility() !== true;
}

/** The tree of an element, for lookups by id and by place. */
export function treeOf(el: Element): Document | ShadowRoot {
  const root = el.getRootNode();
  return isShadowRoot(root) ? root : el.ownerDocument;
}

export { lookUp } from '../../shared/base/json.ts';

/** The words of a text. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const LAZY = ['data-src', 'data-lazy-src', 'data-original'];

/** Addresses of an image, best first; a page may put a placeholder in `src` until the image is loaded. */
export function imageAddresses(image: Element): string[] {
  const candidates =
    attrOf(image, 'srcset') ?? attrOf(image, 'data-srcset') ?? attrOf(image, 'data-lazy-srcset') ?? '';
  return [
    ...['src', ...LAZY].map((name) => attrOf(image, name) ?? ''),
    // An address may contain commas, but not end with one.
    /[^\s,](?:\S*[^\s,])?/.exec(candidates)?.[0] ?? '',
  ].filter((address) => address !== '');
}

/** Icon fonts put their glyphs here; they are not readable text. */
export const PRIVATE_USE = /[\u{e000}-\u{f8ff}\u{f0000}-\u{10ffff}]/gu;

/** Removes the glyphs of icon fonts, and the marks of places where a word may break. */
export const withoutIcons = (text: string): string =>
  HAS_ICONS.test(text) ? text.replace(PRIVATE_USE, '').replace(BREAKS, '') : text;

const HAS_ICONS = /[\u00ad\u200b\ue000-\uf8ff\udb80-\udbff]/;
const BREAKS = /[\u00ad\u200b]/g;

/** Collapses and trims white space. */
export function squash(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The text of a node, white space collapsed, hidden text included. */
export const textIn = (node: Node): string => squash(node.textContent ?? '');

/** The text nodes in an element, in document order. */
export function* textsIn(el: Element): Generator<Text> {
  const walker = el.ownerDocument.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (isText(node)) yield node;
}

export const parentOf = (node: Node): Element | null => node.parentElement;

export const tagOf = (el: Element): string => el.localName;

export const attrOf = (el: Element | null | undefined, name: string): string | null =>
  el?.getAttribute(name) ?? null;

export const allIn = (within: ParentNode, selector: string): Element[] => [
  ...within.querySelectorAll(selector),
];

export const firstIn = (within: ParentNode, selector: string): Element | null =>
  within.querySelector(selector);

/** Not `children`: a form's own fields shadow its members, and a field for `children` is common. */
export function childrenOf(within: ParentNode): Element[] {
  const children: Element[] = [];
  for (let child = within.firstElementChild; child !== null; child = child.nextElementSibling)
    children.push(child);
  return children;
}

/** Not `attributes`, which a form's own field may shadow. */
export const attributesOf = (el: Element): [string, string][] =>
  el.getAttributeNames().map((name) => [name, el.getAttribute(name) ?? '']);

/** Not `contains`, which a form's own field may shadow. */
export const holds = (outer: Node, inner: Node | null): boolean => Node.prototype.contains.call(outer, inner);

/** Not `closest`, which a form's own field may shadow. */
export const closestOf = (el: Element, selector: string): Element | null =>
  Element.prototype.closest.call(el, selector);

/** Not `matches`, which a form's own field may shadow. */
export const isMatch = (el: Element, selector: string): boolean =>
  Element.prototype.matches.call(el, selector);

/** The level of a heading by its attribute or its tag; 2 without either, as in Chromium. */
export function headingLevel(heading: Element): number {
  const given = Number(heading.getAttribute('aria-level'));
  if (Number.isInteger(given) && given >= 1 && given <= 9) return given;
  return Number(/^h([1-6])$/.exec(heading.localName)?.[1] ?? 2);
}

export const childCount = (within: ParentNode): number => within.childElementCount;

/** Null in a document that its page has emptied. */
export const rootElement = ({ documentElement }: Document): Element | null => documentElement;

/** Binary search: how many of `length` ordered items come before a place. */
export function countBefore(length: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export { addTo, valueIn } from '../../shared/base/maps.ts';

/** The first things of a sequence, which makes no more than these. */
export function firstOf<T>(things: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const thing of things) if (first.push(thing) === most) break;
  return first;
}

export function countEach<T>(things: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
}

/** Fast path: most texts begin with a letter. */
export const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 32) && !/[^ \n\t\r\f]/.test(text);

/** A frame of at most one pixel is a beacon. */
export const isTiny = (el: FrameElement): boolean => el.clientWidth <= 1 || el.clientHeight <= 1;

/** Whether typed text follows the last character of an editable element, or of its last line if that is empty. */
export function isCaretAtEnd(el: Element): boolean {
  const selection = el.ownerDocument.getSelection();
  const { focusNode } = selection ?? {};
  if (selection?.isCollapsed !== true || focusNode == null || !el.contains(focusNode)) return false;
  const after = el.ownerDocument.createRange();
  after.selectNodeContents(el);
  after.setStart(focusNode, selection.focusOffset);
  return after.toString() === '' && after.cloneContents().querySelector('br, hr, img, input') === null;
}

/** Selects the text of an editable element, or puts the caret at its end. */
export function selectIn(el: Element, select: 'all' | 'end'): void {
  const selection = el.ownerDocument.getSelection();
  if (isInput(el) || isTextarea(el)) {
    if (select === 'all') el.select();
    else if (el.selectionEnd !== null) el.setSelectionRange(el.value.length, el.value.length);
    // Fields for a number or an address by mail do not tell their selection.
    else selection?.modify('move', 'forward', 'documentboundary');
    return;
  }
  // Moving the caret, even to its place, drops the bold or the link that was switched on for the next text.
  if (select === 'end' && isCaretAtEnd(el)) return;
  selection?.selectAllChildren(el);
  if (select === 'end') selection?.collapseToEnd();
}
