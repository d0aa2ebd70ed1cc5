import {
  type FrameElement,
  CLOSED_ROOT_FULL_CHECK,
  innerDocument,
  isDocument,
  isElement,
  isFrameElement,
  isShadowRoot,
  shadowRootOf,
} from '../dom.ts';

/** What is searched: a document, or what is inside an element. */
export type Scope = Document | Element;
type Tree = Document | ShadowRoot;

/** The shadow tree of an element, or the document of a frame that its parent may look into. */
function treeOf(el: Element, thorough: boolean): Tree | null {
  return isFrameElement(el) ? innerDocument(el) : shadowRootOf(el, thorough);
}

/**
 * Elements that a selector of CSS names in a scope, in its shadow trees and in its frames of the same origin, in
 * document order: what a shadow tree or a frame holds follows its element.
 */
export function elementsIn(scope: Scope, css = '*'): Element[] {
  const found: Element[] = [];
  const own = isElement(scope) ? treeOf(scope, true) : null;
  if (own !== null) visit(own, css, found);
  visit(scope, css, found);
  return found;
}

function visit(root: Scope | Tree, css: string, found: Element[]): void {
  const matched = root.querySelectorAll(css);
  const trees = treesBelow(root);
  if (trees.size === 0) {
    for (const el of matched) found.push(el);
    return;
  }
  const isMatched = new Set(matched);
  for (const el of root.querySelectorAll('*')) {
    if (isMatched.has(el)) found.push(el);
    const tree = trees.get(el);
    if (tree !== undefined) visit(tree, css, found);
  }
}

/** The trees that begin in this one, by their elements, without those that begin in them. */
function treesBelow(root: Scope | Tree): ReadonlyMap<Element, Tree> {
  const all = root.querySelectorAll('*');
  const thorough = all.length <= CLOSED_ROOT_FULL_CHECK;
  const trees = new Map<Element, Tree>();
  for (const el of all) {
    const tree = treeOf(el, thorough);
    if (tree !== null) trees.set(el, tree);
  }
  return trees;
}

/** The documents of frames of the same origin in a scope, or of the frame that it is. */
export function documentsIn(scope: Scope): Document[] {
  const frames: Document[] = [];
  const take = (tree: Tree): void => {
    if (isDocument(tree)) frames.push(tree);
    for (const inner of treesBelow(tree).values()) take(inner);
  };
  const own = isElement(scope) ? treeOf(scope, true) : null;
  if (own !== null) take(own);
  for (const tree of treesBelow(scope).values()) take(tree);
  return frames;
}

/** One document and its shadow trees, without its frames, looked through once. */
export class DocumentTrees {
  readonly document: Document;
  readonly #roots = new Map<Element, ShadowRoot>();
  readonly frames: FrameElement[] = [];

  constructor(document: Document) {
    this.document = document;
    this.#gather(document);
  }

  #gather(root: Document | ShadowRoot): void {
    const all = root.querySelectorAll('*');
    const thorough = all.length <= CLOSED_ROOT_FULL_CHECK;
    for (const el of all) {
      if (isFrameElement(el)) this.frames.push(el);
      const shadow = shadowRootOf(el, thorough);
      if (shadow === null) continue;
      this.#roots.set(el, shadow);
      this.#gather(shadow);
    }
  }

  rootOf(el: Element): ShadowRoot | null {
    return this.#roots.get(el) ?? null;
  }

  /** What a selector of CSS names in each tree by itself. */
  all(css: string): Element[] {
    return [this.document, ...this.#roots.values()].flatMap((root) => [...root.querySelectorAll(css)]);
  }
}

/** The element around another one, out of its shadow tree where it is the outermost. */
export function parentAcross(el: Element): Element | null {
  if (el.parentElement !== null) return el.parentElement;
  const root = el.getRootNode();
  return isShadowRoot(root) ? root.host : null;
}

/** Those of a set, as they come in a document: what a shadow tree or a frame holds follows its element. */
export function inDocumentOrder(document: Document, elements: ReadonlySet<Element>): Element[] {
  const sorted: Element[] = [];
  const walk = (root: Tree): void => {
    const all = root.querySelectorAll('*');
    const thorough = all.length <= CLOSED_ROOT_FULL_CHECK;
    for (const el of all) {
      if (elements.has(el)) sorted.push(el);
      if (sorted.length === elements.size) return;
      const tree = treeOf(el, thorough);
      if (tree !== null) walk(tree);
    }
  };
  if (elements.size < 2) return [...elements];
  walk(document);
  return sorted;
}
