import { isFrameElement, isShadowRoot } from './dom.ts';

/** The element of this document that an element is in: the host or the frame around it. */
function inDocument(el: Element): Element {
  let at = el;
  for (;;) {
    const root = at.getRootNode();
    if (isShadowRoot(root)) at = root.host;
    else if (at.ownerDocument !== document) {
      const frame = at.ownerDocument.defaultView?.frameElement ?? null;
      if (frame === null || !isFrameElement(frame)) return document.documentElement;
      at = frame;
    } else return at;
  }
}

/** Which share of the elements of this document comes before one of them. */
export function shareBefore(el: Element): number {
  const all = document.getElementsByTagName('*');
  const target = inDocument(el);
  let at = 0;
  while (at < all.length && all.item(at) !== target) at += 1;
  return all.length === 0 ? 0 : at / all.length;
}
