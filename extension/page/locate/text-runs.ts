import { isDocument, isElement, isText } from '../dom.ts';
import { childrenAcross, faceOfInput, isUnsaid } from './matcher.ts';
import type { Scope } from './trees.ts';

const BLANKS = /[ \t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]+/g;
const HAS_BLANKS = /[\t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]| {2}/;
const UNREAD = /[\u200b\u00ad]/g;
const HAS_UNREAD = /[\u200b\u00ad]/;

/**
 * The text of a scope and its shadow trees as one string, with white space collapsed, and whose each part is. What
 * a text runs over several elements is found in it with one search.
 */
export class TextRuns {
  readonly text: string;
  readonly #starts: number[] = [];
  readonly #owners: Element[] = [];
  readonly #pieces: string[] = [];
  readonly #fold: (text: string) => string;
  #length = 0;
  #endsBlank = true;

  /** @param fold makes text comparable; called with parts of it */
  constructor(scope: Scope, fold: (text: string) => string) {
    this.#fold = fold;
    if (!isDocument(scope)) this.#enter(scope);
    else if (scope.documentElement !== null) this.#enter(scope.documentElement);
    this.text = this.#pieces.join('');
    this.#pieces.length = 0;
  }

  #enter(el: Element): void {
    if (isUnsaid(el)) return;
    const face = faceOfInput(el);
    if (face !== null) return this.#add(face, el);
    for (const child of childrenAcross(el)) {
      if (isText(child)) this.#add(child.data, el);
      else if (isElement(child)) this.#enter(child);
    }
  }

  #add(data: string, owner: Element): void {
    let text = HAS_UNREAD.test(data) ? data.replace(UNREAD, '') : data;
    if (HAS_BLANKS.test(text)) text = text.replace(BLANKS, ' ');
    if (this.#endsBlank && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    text = this.#fold(text);
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
