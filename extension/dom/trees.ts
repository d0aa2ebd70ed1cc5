import { shadowRootOpener } from './doorway.ts';
import {
  type FrameElement,
  isDocument,
  isElement,
  isFrameElement,
  isHtml,
  isShadowRoot,
  isSlot,
  TAG,
  tagBits,
  valueIn,
} from './elements.ts';

/** In larger documents, native elements are asked for a closed root only on suspicion. */
export const CLOSED_ROOT_FULL_CHECK = 10_000;

const openRoot = shadowRootOpener();

/**
 * The open or closed shadow root of an element that may host one. Asking for a closed one costs about 1 µs, so in a
 * large document (`thorough` false) only empty or unrendered native elements are asked: a closed root hides both.
 */
export function shadowRootOf(
  el: Element,
  thorough: boolean,
  bits = tagBits(el.localName),
): ShadowRoot | null {
  const open = el.shadowRoot;
  if (open !== null || openRoot === null) return open;
  if ((bits & TAG.host) === 0) return null;
  if (!thorough && (bits & TAG.custom) === 0) {
    const child = el.firstElementChild;
    if (child === null ? el.hasChildNodes() : child.checkVisibility()) return null;
  }
  return isHtml(el) ? openRoot(el) : null;
}

/** The parent in the flattened tree, through open roots. */
export function flatParent(el: Element): Element | null {
  const up = el.assignedSlot ?? el.parentElement;
  if (up !== null) return up;
  const root = el.getRootNode();
  return isShadowRoot(root) ? root.host : null;
}

/** The parent of an element, or its shadow host. */
export function parentAcross(el: Element): Element | null {
  if (el.parentElement !== null) return el.parentElement;
  const root = el.getRootNode();
  return isShadowRoot(root) ? root.host : null;
}

/** The nodes assigned to a slot; null for another element, and for a slot that shows its own content. */
export function slottedIn(el: Element): readonly Node[] | null {
  const assigned = isSlot(el) ? el.assignedNodes() : [];
  return assigned.length > 0 ? assigned : null;
}

/** The slot of a child of a host, in a closed root too. */
export const slotOf = (node: Element | Text, root: ShadowRoot): HTMLSlotElement | null =>
  node.assignedSlot ??
  [...root.querySelectorAll('slot')].find((each) => each.assignedNodes().includes(node)) ??
  null;

/** The child nodes in the flattened tree; `thorough` as for {@link shadowRootOf}. */
export const flatChildren = (el: Element, thorough: boolean): Iterable<Node> =>
  shadowRootOf(el, thorough)?.childNodes ?? slottedIn(el) ?? el.childNodes;

/** An element and its ancestors in the flattened tree, or by another way up; innermost first. */
export function lineageOf(el: Element | null, parentOf = flatParent): Element[] {
  const lineage: Element[] = [];
  for (let up = el; up !== null; up = parentOf(up)) lineage.push(up);
  return lineage;
}

export function commonAncestor(one: Element, other: Element, parentOf = flatParent): Element | null {
  if (one === other) return one;
  const around = new Set(lineageOf(other, parentOf));
  return lineageOf(one, parentOf).find((at) => around.has(at)) ?? null;
}

/** An element and its ancestors, through shadow trees and same-origin frames; outermost first. */
export function wayTo(el: Element): Element[] {
  const way: Element[] = [];
  for (
    let up: Element | null = el;
    up !== null;
    up = flatParent(up) ?? up.ownerDocument.defaultView?.frameElement ?? null
  )
    way.unshift(up);
  return way;
}

/** The document inside a frame, if this one may access it; else null. */
export function innerDocument(el: FrameElement): Document | null {
  try {
    return el.contentDocument;
  } catch {
    return null;
  }
}

/** A document, or the inside of an element. */
export type Scope = Document | Element;
export type Tree = Document | ShadowRoot;

interface Below {
  /** Shadow trees, and documents of accessible frames, by their elements. */
  readonly trees: ReadonlyMap<Element, Tree>;
  readonly frames: readonly FrameElement[];
}

function lookBelow(root: Scope | Tree): Below {
  const all = root.querySelectorAll('*');
  const thorough = all.length <= CLOSED_ROOT_FULL_CHECK;
  const trees = new Map<Element, Tree>();
  const frames: FrameElement[] = [];
  for (const el of all) {
    const isFrame = isFrameElement(el);
    if (isFrame) frames.push(el);
    const tree = isFrame ? innerDocument(el) : shadowRootOf(el, thorough);
    if (tree !== null) trees.set(el, tree);
  }
  return { trees, frames };
}

const knownBelow = new Map<Scope | Tree, Below>();

/** One question searches several times, and each search visits all elements: cached for the current task. */
function below(root: Scope | Tree): Below {
  if (isElement(root)) return lookBelow(root);
  if (knownBelow.size === 0) queueMicrotask(() => knownBelow.clear());
  return valueIn(knownBelow, root, lookBelow);
}

/** The shadow trees, open or closed, and the documents of same-origin frames directly in a tree, by their elements. */
export const treesIn = (root: Scope | Tree): ReadonlyMap<Element, Tree> => below(root).trees;

/** The frames directly in a tree. */
export const framesIn = (root: Scope | Tree): readonly FrameElement[] => below(root).frames;

const treeOf = (el: Element): Tree | null =>
  isFrameElement(el) ? innerDocument(el) : shadowRootOf(el, true);

export const hasTrees = (document: Document): boolean => below(document).trees.size > 0;

/**
 * Elements that match a CSS selector in a scope, its shadow trees and its same-origin frames, in document order: the
 * contents of a shadow tree or frame follow its element.
 */
export function elementsIn(scope: Scope, css = '*'): Element[] {
  const found: Element[] = [];
  const own = isElement(scope) ? treeOf(scope) : null;
  if (own !== null) visit(own, css, found);
  visit(scope, css, found);
  return found;
}

function visit(root: Scope | Tree, css: string, found: Element[]): void {
  const matched = root.querySelectorAll(css);
  const { trees } = below(root);
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

/** The documents of same-origin frames in a scope, or of the frame itself. */
export function documentsIn(scope: Scope): Document[] {
  const frames: Document[] = [];
  const take = (tree: Tree): void => {
    if (isDocument(tree)) frames.push(tree);
    for (const inner of below(tree).trees.values()) take(inner);
  };
  const own = isElement(scope) ? treeOf(scope) : null;
  if (own !== null) take(own);
  for (const tree of below(scope).trees.values()) take(tree);
  return frames;
}

/** One document and its shadow trees, without its frames, traversed once. */
export class DocumentTrees {
  readonly #roots = new Map<Element, ShadowRoot>();
  readonly frames: FrameElement[] = [];

  constructor(readonly document: Document) {
    this.#gather(document);
  }

  #gather(root: Tree): void {
    const { trees, frames } = below(root);
    this.frames.push(...frames);
    for (const [el, tree] of trees) {
      if (isDocument(tree)) continue;
      this.#roots.set(el, tree);
      this.#gather(tree);
    }
  }

  rootOf(el: Element): ShadowRoot | null {
    return this.#roots.get(el) ?? null;
  }

  all(css: string): Element[] {
    return [this.document, ...this.#roots.values()].flatMap((root) => [...root.querySelectorAll(css)]);
  }
}

/** Sorts in document order: the contents of a shadow tree or frame follow its element. */
export const inDocumentOrder = (document: Document, elements: ReadonlySet<Element>): Element[] =>
  elements.size < 2 ? [...elements] : elementsIn(document).filter((el) => elements.has(el));
