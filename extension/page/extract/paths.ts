import { childCount, isDocument, isShadowRoot, parentOf, tagOf } from '../dom.ts';

const PLAIN_ID = /^[A-Za-z][\w-]*$/;

/**
 * CSS selectors of elements. Siblings that are asked for in order cost one step each, so that a
 * table of a hundred thousand rows is not counted a hundred thousand times.
 */
export class Paths {
  readonly #known = new WeakMap<Element, string>();
  readonly #last = new WeakMap<Node, { readonly el: Element; readonly index: number }>();

  readonly #isAsked: boolean;

  /** @param isAsked false returns empty paths, which are not needed */
  constructor(isAsked: boolean) {
    this.#isAsked = isAsked;
  }

  /** From the nearest element with an id of its own, or from the root. */
  of(el: Element): string {
    if (!this.#isAsked) return '';
    const known = this.#known.get(el);
    if (known !== undefined) return known;
    const path = this.#make(el);
    // Rows and cells are asked for once: only what has children of interest is remembered.
    if (childCount(el) > 0) this.#known.set(el, path);
    return path;
  }

  #make(el: Element): string {
    if (PLAIN_ID.test(el.id) && isFirstOfId(el)) return `#${el.id}`;
    const parent = parentOf(el);
    if (parent === null || tagOf(el) === 'body') return tagOf(el);
    return `${this.of(parent)} > ${el.localName}:nth-child(${this.#indexOf(el, parent)})`;
  }

  #indexOf(el: Element, parent: Element): number {
    const last = this.#last.get(parent);
    let index = 1;
    for (let at = el.previousElementSibling; at !== null; at = at.previousElementSibling) {
      if (last?.el === at) {
        index += last.index;
        break;
      }
      index += 1;
    }
    this.#last.set(parent, { el, index });
    return index;
  }
}

function isFirstOfId(el: Element): boolean {
  const root = el.getRootNode();
  return (isDocument(root) || isShadowRoot(root)) && root.getElementById(el.id) === el;
}
