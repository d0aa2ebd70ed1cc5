import {
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
export function treeOf(el: Element, thorough: boolean): Tree | null {
  return isFrameElement(el) ? innerDocument(el) : shadowRootOf(el, thorough);
}

/** Elements that a selector of CSS names in a scope, in its shadow trees and in its frames of the same origin. */
export function elementsIn(scope: Scope, css = '*'): Element[] {
  const found: Element[] = [];
  const own = isElement(scope) ? treeOf(scope, true) : null;
  visit(scope, css, found);
  if (own !== null) visit(own, css, found);
  return found;
}

function visit(root: Scope | Tree, css: string, found: Element[]): void {
  for (const el of root.querySelectorAll(css)) found.push(el);
  for (const tree of treesBelow(root)) visit(tree, css, found);
}

/** The trees that begin in this one, without those that begin in them. */
export function treesBelow(root: Scope | Tree): Tree[] {
  const all = root.querySelectorAll('*');
  const thorough = all.length <= CLOSED_ROOT_FULL_CHECK;
  const trees: Tree[] = [];
  for (const el of all) {
    const tree = treeOf(el, thorough);
    if (tree !== null) trees.push(tree);
  }
  return trees;
}

/** The documents of frames of the same origin in a scope, or of the frame that it is. */
export function documentsIn(scope: Scope): Document[] {
  const frames: Document[] = [];
  const take = (tree: Tree): void => {
    if (isDocument(tree)) frames.push(tree);
    treesBelow(tree).forEach(take);
  };
  const own = isElement(scope) ? treeOf(scope, true) : null;
  if (own !== null) take(own);
  treesBelow(scope).forEach(take);
  return frames;
}

/** The element around another one, out of its shadow tree where it is the outermost. */
export function parentAcross(el: Element): Element | null {
  if (el.parentElement !== null) return el.parentElement;
  const root = el.getRootNode();
  return isShadowRoot(root) ? root.host : null;
}

/** The elements through which one is reached from the outermost document: hosts and frames, itself last. */
function pathTo(el: Element): Element[] {
  const path = [el];
  for (let at: Element | null = el; at !== null;) {
    const root: Node = at.getRootNode();
    at = isShadowRoot(root) ? root.host : isDocument(root) ? frameOf(root) : null;
    if (at !== null) path.unshift(at);
  }
  return path;
}

function frameOf(document: Document): Element | null {
  try {
    return document.defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** Sorted as they come in the page; a shadow tree or a frame is where its element is, before what that holds. */
export function inDocumentOrder(elements: Iterable<Element>): Element[] {
  const paths = new Map([...elements].map((el) => [el, pathTo(el)]));
  const compare = (a: readonly Element[], b: readonly Element[]): number => {
    const depth = a.findIndex((el, index) => el !== b[index]);
    const one = a[depth];
    const other = b[depth];
    if (depth === -1) return a.length - b.length;
    if (one === undefined || other === undefined) return a.length - b.length;
    const position = one.compareDocumentPosition(other);
    // What an element holds comes after its shadow tree.
    return (position & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1;
  };
  return [...paths].toSorted(([, a], [, b]) => compare(a, b)).map(([el]) => el);
}
