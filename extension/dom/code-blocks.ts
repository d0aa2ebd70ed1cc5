import { isElement, isText, isTextarea, textsIn, valueIn } from './elements.ts';
import { mayBeShown } from './drawn.ts';
import type { Level, TreeStyles } from './level.ts';
import { STYLE, KEEPS_LINES, MONOSPACED } from './style-flags.ts';

/** An element's part in code shown by style or next to line numbers: all of it, line numbers, or an empty line. */
export type CodePart = 'block' | 'gutter' | 'line';

export interface CodeView {
  /** Whether text directly inside the element looks like code: monospaced, on lines of its own. */
  isCode(el: Element): boolean;
  keepsBlanks(el: Element): boolean;
  isSeen(el: Element): boolean;
  isUnselectable(el: Element): boolean;
  isBlock(el: Element): boolean;
  /** The upper edge in CSS pixels; zero without layout. */
  topOf(el: Element): number;
  /** In CSS pixels; one without layout. */
  heightOf(el: Element): number;
  /** Whether one text follows another on the next line, ignoring text between them. */
  isNextLine(upper: Text, lower: Text, between: readonly Element[]): boolean;
}

/** Not shown as text. */
const UNREAD = /^(?:(?:no)?script|style|template|option|title)$/;
/** Code does not start in these, though it may include them: asking for each one's style is slow. */
const NO_CODE =
  'a,b,i,em,strong,h1,h2,h3,h4,h5,h6,button,label,th,:is(p,section,article,main,li,dd,dt,blockquote):not([class],[id],[style]),script,noscript,style,template,option,title';
const STRUCTURE =
  'h1,h2,h3,h4,h5,h6,[role="heading"],input,select,textarea,button,[role="button"],iframe,meter,img[alt]:not([alt=""])';
/** A table with column names contains data. */
const HEADS = 'th,caption,[role="columnheader"]';
const GUTTER_NAME = /line-?_?n(?:o|um|r|br)|lines-num|gutter|blob-num|(?:^|\s)(?:ln|lnt|lno|lnum)(?:\s|$)/i;
/** Names of elements that show code. */
const CODE_NAME = /code|highlight|editor|source|hljs|prism|shiki|language-/i;
/** A code listing may be a table as a whole. */
const TABLE_PARTS = /^t(?:head|body|foot|r|d)$/;
/** Anything but spaces and zero-width characters. */
const SHOWN = /[^\s\u200b\ufeff]/;
const MIN_LINE_PX = 4;
const NUMBERS = /^(?:\s*\d+[.:]?)+\s*$/;
const MAX_COMPARED = 60;

type Verdict = 'nothing' | 'gutter' | 'code' | 'other';

/** The outermost element around a code text that shows only code and line numbers. */
class Region {
  root: Element;
  readonly #gutters = new Set<Element>();
  readonly #lines = new Set<Element>();
  readonly #view: CodeView;
  readonly #start: Element;
  readonly #verdicts = new Map<Element, Verdict>();

  constructor(start: Element, view: CodeView) {
    this.#view = view;
    this.#start = start;
    this.root = start;
    if (this.#judgeChildren(start) === 'other') return;
    for (let up = start.parentElement; up !== null && this.#isCode(up); up = up.parentElement) this.root = up;
  }

  #isCode(up: Element): boolean {
    if (up.localName === 'body' || up.localName === 'html' || up.matches(STRUCTURE)) return false;
    if (up.localName === 'table' && up.querySelector(HEADS) !== null) return false;
    return this.#judgeChildren(up) === 'code';
  }

  #judgeChildren(up: Element): Verdict {
    let verdict: Verdict = 'nothing';
    const codes: Element[] = [];
    const rest: Element[] = [];
    for (let node = up.firstChild; node !== null; node = node.nextSibling) {
      const own = this.#judge(node, up);
      if (own === 'other') return 'other';
      if (isElement(node)) (own === 'code' ? codes : rest).push(node);
      if (own === 'code' || verdict === 'nothing') verdict = own;
    }
    return codes.length < 2 || this.#areLines(up, codes, rest) ? verdict : 'other';
  }

  #judge(node: Node, parent: Element): Verdict {
    if (isText(node))
      return /\S/.test(node.data) ? (this.#view.isCode(parent) ? 'code' : 'other') : 'nothing';
    if (!isElement(node)) return 'nothing';
    if (node === this.root) return 'code';
    return valueIn(this.#verdicts, node, (el) => this.#judgeElement(el));
  }

  #judgeElement(el: Element): Verdict {
    if (UNREAD.test(el.localName) || !this.#view.isSeen(el)) return 'nothing';
    const text = el.textContent.trim();
    if (text === '' && GUTTER_NAME.test(joinClassAndId(el))) return 'nothing';
    if (NUMBERS.test(text) && isAtLineStart(el) && this.#isGutter(el, text)) {
      this.#gutters.add(el);
      return 'gutter';
    }
    return el.matches(STRUCTURE) ? 'other' : this.#judgeChildren(el);
  }

  /** Line numbers are recognised by name, because they cannot be selected, or because they count up. */
  #isGutter(el: Element, text: string): boolean {
    if (el.getAttribute('data-line-number') === text || GUTTER_NAME.test(joinClassAndId(el))) return true;
    if (el.getAttribute('aria-hidden') === 'true') return true;
    if (this.#view.isUnselectable(el) && !this.#view.isUnselectable(this.#start)) return true;
    return (el.localName === 'td' || this.#view.isBlock(el)) && isCounting(el);
  }

  /** Whether an element's children are lines of one text, not two listings or cells. */
  #areLines(up: Element, codes: readonly Element[], rest: readonly Element[]): boolean {
    if (up.localName === 'tr' || up.getAttribute('role') === 'row') return false;
    const blocks = codes.filter((el) => this.#view.isBlock(el));
    const [first] = blocks;
    // A `pre` is one text, however its lines are separated.
    if (first === undefined || blocks.length === 1 || up.closest('pre') !== null) return true;
    if (blocks.some((el) => el.localName === 'pre' && el.textContent.trim().includes('\n'))) return false;
    const isEmpty = (el: Element): boolean =>
      el.localName === first.localName &&
      !SHOWN.test(el.textContent) &&
      this.#view.heightOf(el) >= MIN_LINE_PX;
    const isNumberAlone = (el: Element): boolean =>
      el.localName === first.localName && this.#verdicts.get(el) === 'gutter' && !this.#gutters.has(el);
    const empty = [...codes, ...rest].filter((el) => isEmpty(el) || isNumberAlone(el));
    for (const el of empty) this.#lines.add(el);
    return this.#areConsecutive(blocks, new Set(empty));
  }

  #areConsecutive(blocks: readonly Element[], empty: ReadonlySet<Element>): boolean {
    const tops = new Map([...blocks, ...empty].map((el) => [el, this.#view.topOf(el)]));
    const ordered = [...tops].sort(([, a], [, b]) => a - b).slice(0, MAX_COMPARED);
    let last: Text | null = null;
    let between: Element[] = [];
    for (const [el] of ordered) {
      const first = empty.has(el) ? null : this.#edgeText(el, false);
      if (first === null) {
        between.push(el);
        continue;
      }
      if (last !== null && !this.#view.isNextLine(last, first, between)) return false;
      last = this.#edgeText(el, true);
      between = [];
    }
    return true;
  }

  /** The first or last code text in an element. */
  #edgeText(el: Element, isLast: boolean): Text | null {
    let found: Text | null = null;
    for (const node of textsIn(el)) {
      const parent = node.parentElement;
      if (parent === null || !/\S/.test(node.data) || this.#isNumber(parent, el)) continue;
      found = node;
      if (!isLast) break;
    }
    return found;
  }

  #isNumber(el: Element, within: Element): boolean {
    for (let up: Element | null = el; up !== null && up !== within; up = up.parentElement)
      if (this.#gutters.has(up)) return true;
    return false;
  }

  /** The region with its line numbers and empty lines; for elements that are code by tag, only line numbers. */
  get parts(): readonly (readonly [Element, CodePart])[] {
    const { root } = this;
    const gutters = [...this.#gutters].filter((el) => root.contains(el));
    const numbers = gutters.map((el) => [el, 'gutter'] as const);
    if (root.closest('pre') !== null) return numbers;
    if (!this.#isBlock(gutters.length > 0)) return [];
    const lines = [...this.#lines].filter((el) => root.contains(el));
    return [[root, 'block'], ...lines.map((el) => [el, 'line'] as const), ...numbers];
  }

  #isBlock(isNumbered: boolean): boolean {
    const { root } = this;
    if (!this.#view.isBlock(root) || TABLE_PARTS.test(root.localName)) return false;
    if (isNumbered) return true;
    if (root.querySelectorAll('pre').length === 1) return false;
    // An editor that never wraps lines writes no-break spaces.
    if (!this.#view.keepsBlanks(this.#start) && !root.textContent.includes('\u00a0')) return false;
    const isNamed = root.matches('code,[role="code"]') || root.querySelector('code') !== null;
    // A code block would lose the targets of its links.
    if (!isNamed && !CODE_NAME.test(joinClassAndId(root)) && root.querySelector('a[href]') !== null)
      return false;
    return isNamed || this.#hasLines();
  }

  #hasLines(): boolean {
    const { root } = this;
    if (root.textContent.trim().includes('\n') || root.querySelector('br') !== null) return true;
    return [...root.querySelectorAll('*')].some(
      (el) => el.nextElementSibling !== null && el.textContent !== '' && this.#view.isBlock(el),
    );
  }
}

const joinClassAndId = (el: Element): string => `${el.getAttribute('class') ?? ''} ${el.id}`;

function isAtLineStart(el: Element): boolean {
  for (let node = el.previousSibling; node !== null; node = node.previousSibling) {
    if (node.nodeName.toLowerCase() === 'br') return true;
    const text = node.textContent ?? '';
    if (text.endsWith('\n')) return true;
    if (/[^\s\d]/.test(text)) return false;
  }
  return true;
}

function isCounting(el: Element): boolean {
  const numbers = [...textsIn(el)].flatMap(({ data }) => data.match(/\d+/g) ?? []).map(Number);
  const [first = 0] = numbers;
  if (numbers.length > 1) return numbers.every((number, at) => number === first + at);
  const row = el.parentElement;
  const at = row === null ? -1 : [...row.children].indexOf(el);
  const before = [el.previousElementSibling, row?.previousElementSibling?.children[at]];
  const after = [el.nextElementSibling, row?.nextElementSibling?.children[at]];
  const says = (other: Element | null | undefined, number: number): boolean =>
    other?.textContent.trim() === String(number);
  return before.some((other) => says(other, first - 1)) || after.some((other) => says(other, first + 1));
}

/**
 * Finds code shown by style rather than by `<pre>`, and code with line numbers.
 * @param within where code may be: the document or shadow root, or its preformatted elements
 */
function findCode(within: Iterable<ParentNode>, view: CodeView, parts: Map<Element, CodePart>): void {
  const regions: Element[] = [];
  for (const root of within)
    for (const el of textParents(root)) {
      if (regions.at(-1)?.contains(el) === true || !view.isCode(el) || !view.isSeen(el)) continue;
      const region = new Region(el, view);
      regions.push(region.root);
      for (const [part, kind] of region.parts) parts.set(part, kind);
    }
}

/** Elements with text other than numbers. */
function* textParents(root: ParentNode): Generator<Element> {
  if (isElement(root) && !root.matches(NO_CODE) && holdsText(root)) yield root;
  for (const el of root.querySelectorAll(`:not(${NO_CODE})`)) if (holdsText(el)) yield el;
}

/** Children that are searched for text. */
const MAX_CHILDREN = 200;

function holdsText(el: Element): boolean {
  for (
    let node = el.firstChild, left = MAX_CHILDREN;
    node !== null && left > 0;
    node = node.nextSibling, left -= 1
  )
    if (isText(node) && /[^\s\d]/.test(node.data)) return true;
  return false;
}

/** Where code may be in a document whose style sheets preserve no white space, or have no monospaced font. */
const PREFORMATTED = ['pre', 'listing', 'xmp', '[style*="white-space"]'];
const MONOSPACED_PARTS = 'pre,listing,xmp,code,samp,kbd,tt,[style*="font"]';

/** The code blocks of one walk. Trees are searched only if a writer asks: not every format has code blocks. */
export class CodeSearch {
  readonly #parts = new Map<Element, CodePart>();
  readonly #unsearched: { readonly root: Document | ShadowRoot; readonly styles: TreeStyles }[] = [];

  constructor(
    private readonly view: CodeView,
    /** Only a part of the page is read, which may begin inside a block. */
    private readonly isPartial: boolean,
  ) {}

  add(root: Document | ShadowRoot, styles: TreeStyles): void {
    this.#unsearched.push({ root, styles });
  }

  /** Also records in the level that it is inside one. */
  partAt(level: Level): CodePart | null {
    if (this.#unsearched.length > 0)
      for (const { root, styles } of this.#unsearched.splice(0)) this.#search(root, styles);
    if (this.#parts.size === 0 || level.el === null) return null;
    const part = this.#parts.get(level.el) ?? (this.#isInside(level.el, level) ? 'block' : null);
    if (part === 'block') level.isCode = true;
    return part;
  }

  #search(root: Document | ShadowRoot, { all, monospaced }: TreeStyles): void {
    const keepsSpace = (all & STYLE.space) !== 0;
    // A list of selectors takes longer than each of them.
    if (!keepsSpace && PREFORMATTED.every((one) => root.querySelector(one) === null)) return;
    const somewhere = keepsSpace ? [MONOSPACED_PARTS, ...(monospaced ?? [])] : PREFORMATTED;
    const isAnywhere = keepsSpace && monospaced === null;
    findCode(isAnywhere ? [root] : root.querySelectorAll(somewhere.join()), this.view, this.#parts);
  }

  #isInside(el: Element, { isCode }: Level): boolean {
    if (isCode || !this.isPartial) return false;
    return [...this.#parts].some(([block, part]) => part === 'block' && block.contains(el));
  }
}

/** Whether preformatted text is code rather than prose with line breaks. */
export const isWithinCode = (el: Element | null, view: CodeView): boolean =>
  el !== null && (el.closest('pre') !== null || view.isCode(el));

/** Whether a block before code in a listing is its header: a file's name, a language, a button that copies. */
export function isCodeHead(el: Element, listing: Element): boolean {
  const next = el.nextElementSibling;
  const isLine = next?.localName === el.localName && next.className === el.className;
  if (isLine || el.querySelector('pre,code') !== null) return false;
  if (listing.textContent.trim() === el.textContent.trim()) return false;
  if (el.matches('header,figcaption,:has(button,[role="button"],summary)')) return true;
  const codes = listing.querySelectorAll('code');
  if (codes.length === 1 && codes[0]?.contains(el) === false) return true;
  if (el.ownerDocument.defaultView === null) return false;
  const [own, around] = [getComputedStyle(el), getComputedStyle(listing)];
  if (own.userSelect === 'none' && around.userSelect !== 'none') return true;
  return MONOSPACED.test(around.fontFamily) && !MONOSPACED.test(own.fontFamily);
}

const BLOCK = /^(?:block|flex|grid|table|list-item|flow-root|table-row|table-row-group)$/;
/** An editor's hidden field is not larger. */
const MAX_HIDDEN_PX = 3;
const LINE_TOLERANCE = 0.4;

/** Code in a rendered document. */
export function layoutCodeView(includeHidden: boolean): CodeView {
  /** The results of one search. */
  const judged = new WeakMap<Element, boolean>();
  return {
    isCode: (of) =>
      valueIn(judged, of, (el) => {
        const { whiteSpace, fontFamily } = getComputedStyle(el);
        return (KEEPS_LINES.test(whiteSpace) || whiteSpace === 'nowrap') && MONOSPACED.test(fontFamily);
      }),
    keepsBlanks: (el) => KEEPS_LINES.test(getComputedStyle(el).whiteSpace),
    isSeen: (el) => includeHidden || isSeen(el),
    isUnselectable: (el) => getComputedStyle(el).userSelect === 'none',
    isBlock: (el) => BLOCK.test(getComputedStyle(el).display),
    topOf: (el) => el.getBoundingClientRect().top,
    heightOf: (el) => el.getBoundingClientRect().height,
    isNextLine(upper, lower, between) {
      const from = boxOfChar(upper, upper.data.trimEnd().length - 1);
      const to = boxOfChar(lower, lower.data.search(/\S/));
      const parent = upper.parentElement;
      const height = parent === null ? 0 : Number.parseFloat(getComputedStyle(parent).lineHeight);
      const pitch = Math.max(Number.isNaN(height) ? 0 : height, from.height);
      const gap = to.top - from.bottom;
      let most = pitch - (1 - LINE_TOLERANCE) * from.height;
      for (const el of between) most += el.getBoundingClientRect().height + LINE_TOLERANCE * from.height;
      return gap >= -from.height / 2 && gap <= most;
    },
  };
}

function boxOfChar(text: Text, at: number): DOMRect {
  const range = text.ownerDocument.createRange();
  range.setStart(text, Math.max(0, at));
  range.setEnd(text, Math.max(0, at) + 1);
  return range.getBoundingClientRect();
}

function isSeen(el: Element): boolean {
  if (!mayBeShown(el)) return false;
  if (!isTextarea(el)) return true;
  // Editors take keys in a field that shows nothing.
  const boxes = [el, el.parentElement ?? el].map((part) => part.getBoundingClientRect());
  if (boxes.some(({ width, height }) => width <= MAX_HIDDEN_PX || height <= MAX_HIDDEN_PX)) return false;
  return !/^rgba\(.*, 0\)$/.test(getComputedStyle(el).color);
}
