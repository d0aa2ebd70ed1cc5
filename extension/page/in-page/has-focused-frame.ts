/**
 * Whether keys may go to a frame: the page's focus lies on one, or, in a frame, the document has it.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function hasFocusedFrame(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isFrame = focused !== null && /^(?:iframe|frame|object|embed|fencedframe)$/i.test(focused.localName);
  return isFrame || (window.top !== window.self && document.hasFocus());
}
