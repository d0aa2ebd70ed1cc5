import { PageError } from './page-error.ts';
import { isHtml, shadowRootOf, squash } from './dom.ts';
import type { WaitTarget } from './protocol.ts';

type Root = Document | ShadowRoot;

/**
 * Whether text and element can be seen in a document or in its shadow trees. Text is compared without
 * case and with white space collapsed, and may run over several elements.
 *
 * @throws PageError `selector_invalid`
 */
export function lookFor(
  document: Document,
  { text, selector }: WaitTarget,
): { readonly text: boolean; readonly selector: boolean } {
  const roots = [...rootsOf(document)];
  const wanted = text === null ? '' : normalise(text);
  return {
    text: text !== null && roots.some((root) => [...root.children].some((el) => showsText(el, wanted))),
    selector: selector !== null && roots.some((root) => showsElement(root, selector)),
  };
}

function* rootsOf(root: Root): Generator<Root> {
  yield root;
  for (const el of root.querySelectorAll('*')) {
    const shadow = shadowRootOf(el, false);
    if (shadow !== null) yield* rootsOf(shadow);
  }
}

const normalise = (text: string): string => squash(text).toLowerCase();

const isVisible = (el: Element): boolean => el.checkVisibility({ visibilityProperty: true });

/** Goes down to the smallest elements that hold the text, so that a hidden copy of it does not count. */
function showsText(el: Element, wanted: string): boolean {
  if (!normalise(el.textContent ?? '').includes(wanted)) return false;
  if ([...el.children].some((child) => showsText(child, wanted))) return true;
  if (!isVisible(el)) return false;
  return normalise(isHtml(el) ? el.innerText : (el.textContent ?? '')).includes(wanted);
}

function showsElement(root: Root, selector: string): boolean {
  try {
    return [...root.querySelectorAll(selector)].some(isVisible);
  } catch {
    throw new PageError('selector_invalid', `selector ${selector} is not a valid CSS selector.`);
  }
}
