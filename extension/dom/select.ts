import { PageError } from './doorway.ts';
import { holds } from './elements.ts';
import { treesIn, type Tree } from './trees.ts';

/**
 * The outermost matches of a CSS selector, in document order. If the document itself has none, its shadow trees and
 * same-origin frames are searched.
 * @throws PageError `selector_invalid`, `selector_not_found`
 */
export function selectRoots(document: Document, selector: string): [Element, ...Element[]] {
  const found = query(document, selector);
  const [first, ...more] = outermost(found.length > 0 ? found : searchDeeper(document, selector));
  if (first === undefined)
    throw new PageError('selector_not_found', `No element of ${document.URL} matches selector ${selector}.`);
  return [first, ...more];
}

/** In document order an element's container precedes it. */
function outermost(roots: readonly Element[]): Element[] {
  const kept: Element[] = [];
  for (const el of roots) if (!kept.slice(-1).some((outer) => holds(outer, el))) kept.push(el);
  return kept;
}

/** Browsers match selectors recursively: a deep one kills the page's process. */
const MAX_NESTED = 100;

/** Whether parentheses and brackets of a CSS selector or an XPath are nested deeper than people write them. */
export function isTooDeep(selector: string): boolean {
  let depth = 0;
  for (const char of selector) {
    if (char === '(' || char === '[') depth += 1;
    // Those in a string close nothing, and do not make up for others.
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTED) return true;
  }
  return false;
}

function query(root: ParentNode, selector: string): Element[] {
  if (isTooDeep(selector))
    throw new PageError('selector_invalid', `selector ${selector.slice(0, 80)}… is nested too deep.`);
  try {
    return [...root.querySelectorAll(selector)];
  } catch {
    throw new PageError('selector_invalid', `selector ${selector} is not a valid CSS selector.`);
  }
}

function searchDeeper(root: Tree, selector: string): Element[] {
  const found: Element[] = [];
  for (const inner of treesIn(root).values()) {
    const here = query(inner, selector);
    for (const match of here.length > 0 ? here : searchDeeper(inner, selector)) found.push(match);
  }
  return found;
}
