import { isHtml, isInput, isTextarea } from '../../dom/elements.ts';
import { shadowRootOf } from '../../dom/trees.ts';

/** Handlers that move the focus each time get no more events than this. */
const MOVES_MAX = 10;

interface FocusedElement {
  readonly el: Element;
  readonly text: string;
}

/** The element to which its document's events last gave the focus. */
const lastFocused = new WeakMap<Document, FocusedElement | null>();

const readFieldText = (el: Element): string => (isInput(el) || isTextarea(el) ? el.value : '');

function focusedIn({ activeElement, body }: Document): Element | null {
  return activeElement === null || activeElement === body ? null : focusWithin(activeElement);
}

/** Gives an element the focus, and tells its document. */
export function giveFocus(el: HTMLElement | SVGElement, how?: FocusOptions): void {
  el.focus(how);
  if (!el.ownerDocument.hasFocus()) placeCaret(el);
  tellFocus(el.ownerDocument);
}

/** Nor do browsers place a caret in such a document. */
function placeCaret(el: HTMLElement | SVGElement): void {
  const selection = el.ownerDocument.getSelection();
  if (isHtml(el) && el.isContentEditable && !el.contains(selection?.anchorNode ?? null))
    selection?.collapse(el, 0);
}

/**
 * Sends the events of a moved focus, and of a text that a left field has got: browsers send none while a document has no
 * focus itself, in a tab behind the front one.
 */
export function tellFocus(own: Document): void {
  for (let moves = 0; moves < MOVES_MAX && !own.hasFocus(); moves += 1) {
    const last = lastFocused.get(own) ?? null;
    const el = focusedIn(own);
    if (el === (last?.el ?? null)) return;
    lastFocused.set(own, el && { el, text: readFieldText(el) });
    if (last !== null) {
      if (readFieldText(last.el) !== last.text) last.el.dispatchEvent(new Event('change', { bubbles: true }));
      send(last.el, 'blur', 'focusout', el);
    }
    if (el !== null && focusedIn(own) === el) send(el, 'focus', 'focusin', last?.el ?? null);
  }
}

function send(el: Element, own: string, bubbling: string, relatedTarget: Element | null): void {
  el.dispatchEvent(new FocusEvent(own, { composed: true, relatedTarget }));
  el.dispatchEvent(new FocusEvent(bubbling, { bubbles: true, composed: true, relatedTarget }));
}

/** The focused element within another one, through open and closed shadow trees; else that one itself. */
export function focusWithin(el: Element): Element {
  let focused = el;
  for (;;) {
    const inner: Element | null = shadowRootOf(focused, true)?.activeElement ?? null;
    if (inner === null) return focused;
    focused = inner;
  }
}

/** Keys go to the page itself while nothing has the focus. */
export function hasFocus(el: Element): boolean {
  const root: Node & { readonly activeElement?: Element | null } = el.getRootNode();
  // In Firefox, no element of a tab behind the front one matches `:focus`.
  return el.matches(':focus-within,:root,body') || el.contains(root.activeElement ?? null);
}
