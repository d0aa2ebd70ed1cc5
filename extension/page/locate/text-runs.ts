import { isDocument, isElement, isText } from '../dom.ts';
import { faceOfInput, isUnsaid } from './matcher.ts';
import type { Scope } from './trees.ts';

const BLANKS = /[ \t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]+/g;
const HAS_BLANKS = /[\t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]| {2}/;
const UNREAD = /[\u200b\u00ad]/g;
const HAS_UNREAD = /[\u200b\u00ad]/;
/** Other than plain words with single blanks between them, as nearly all text is. */
const NOT_PLAIN = /[^!-~ ]| {2}/;

/** How the text of a scope is put together. */
export interface RunsOptions {
  /** Makes text comparable; called with parts of it, and with the whole. Keeps the length of ASCII. */
  readonly fold: (text: string) => string;
  /** Whether what an element holds belongs to other words than those around it. */
  readonly isApart?: (el: Element) => boolean;
  readonly rootOf: (el: Element) => ShadowRoot | null;
  /** Elements whose places are asked for. */
  readonly placed?: ReadonlySet<Element>;
}

/**
 * The text of a scope and its shadow trees as one string, with white space collapsed, and whose each part is. What
 * a text runs over several elements is found in it with one search.
 */
export class TextRuns {
  readonly text: string;
  /** Where the text of elements begins and ends. */
  readonly places = new Map<Element, readonly [number, number]>();
  readonly #starts: number[] = [];
  readonly #owners: Element[] = [];
  readonly #pieces: string[] = [];
  readonly #options: RunsOptions;
  #length = 0;
  #endsBlank = true;
  /** What follows belongs to another word. */
  #isApart = false;

  constructor(scope: Scope, options: RunsOptions) {
    this.#options = options;
    if (!isDocument(scope)) this.#enter(scope);
    else if (scope.documentElement !== null) this.#enter(scope.documentElement);
    // Parts in plain ASCII are folded here, all at once: most of a page is.
    this.text = options.fold(this.#pieces.join(''));
    this.#pieces.length = 0;
  }

  #enter(el: Element): void {
    if (isUnsaid(el)) return;
    const { isApart, rootOf, placed } = this.#options;
    const parts = isApart?.(el) === true;
    if (parts) this.#isApart = true;
    const from = this.#length;
    const face = faceOfInput(el);
    if (face !== null) this.#add(face, el);
    else this.#children(el, el);
    const root = rootOf(el);
    if (root !== null) this.#children(root, el);
    if (placed?.has(el) === true) this.places.set(el, [from, this.#length]);
    if (parts) this.#isApart = true;
  }

  #children(of: Element | ShadowRoot, owner: Element): void {
    for (let child = of.firstChild; child !== null; child = child.nextSibling) {
      if (isText(child)) this.#add(child.data, owner);
      else if (isElement(child)) this.#enter(child);
    }
  }

  #add(data: string, owner: Element): void {
    const isPlain = !NOT_PLAIN.test(data);
    let text = data;
    if (!isPlain && HAS_UNREAD.test(text)) text = text.replace(UNREAD, '');
    if (!isPlain && HAS_BLANKS.test(text)) text = text.replace(BLANKS, ' ');
    if (this.#endsBlank && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    if (this.#isApart && !this.#endsBlank && !text.startsWith(' ')) text = ` ${text}`;
    this.#isApart = false;
    if (!isPlain) text = this.#options.fold(text);
    this.#endsBlank = text.endsWith(' ');
    this.#starts.push(this.#length);
    this.#owners.push(owner);
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** The element whose text is at a position. */
  ownerAt(at: number): Element {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const owner = this.#owners[low];
    if (owner === undefined) throw new RangeError(`No text is at ${at}.`);
    return owner;
  }
}
