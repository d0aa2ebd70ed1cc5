import { isFrameElement } from '../../../extension/dom/elements.ts';
import { innerDocument } from '../../../extension/dom/trees.ts';
import { locateAll } from '../../../extension/find/page/locate/locate.ts';
import { PageError } from '../../../extension/dom/doorway.ts';
import { LAB } from './lab-name.ts';
import { show } from './show.ts';

const MARK = 'data-mark';

function* elementsOf(root: Document | ShadowRoot): Generator<Element> {
  for (const el of root.querySelectorAll('*')) {
    yield el;
    if (el.shadowRoot !== null) yield* elementsOf(el.shadowRoot);
    const inner = isFrameElement(el) ? innerDocument(el) : null;
    if (inner !== null) yield* elementsOf(inner);
  }
}

const functions = {
  /** Shows a case and marks each of its elements with its position. Returns its texts and roles. */
  async show(html: string): Promise<{ words: string[]; elements: number }> {
    await show(html);
    let mark = 0;
    for (const el of elementsOf(document)) el.setAttribute(MARK, `${(mark += 1)} ${el.localName}`);
    const words = new Set(document.body.textContent.match(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?/gu));
    return { words: [...words], elements: mark };
  },
  /** The marks of a selector's matches, or the error. `isTop` omits the frames. */
  locate(selector: string, isTop = false): string[] | string {
    try {
      return locateAll(document, selector)
        .filter((el) => !isTop || el.ownerDocument === document)
        .map((el) => el.getAttribute(MARK) ?? el.localName);
    } catch (thrown) {
      return thrown instanceof PageError ? `${thrown.code}: ${thrown.message}` : String(thrown);
    }
  },
  /** The same for many selectors, without the frames. */
  locateEach: (selectors: readonly string[]): (string[] | string)[] =>
    selectors.map((selector) => functions.locate(selector, true)),
};

export type LocateFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
