import { delay, waitAtMost } from '../../../shared/async/wait.ts';

/** A busy machine draws a page that is shown this late. */
const SHOWN_MS = 5_000;
/** A hidden page may draw once a second, a frame out of view not at all. */
const UNSEEN_MS = 1_100;

/**
 * Waits until the document has been drawn after the call, but not for long. Scroll events, frame callbacks
 * and intersection observers of the page come with a drawing, so the page has heard of whatever moved before.
 */
export async function whenDrawn(document: Document): Promise<void> {
  const root = document.documentElement;
  if (root === null) return;
  let notify: () => void = () => undefined;
  const notified = new Promise<void>((resolve) => (notify = resolve));
  const observer = new IntersectionObserver(() => notify());
  observer.observe(root);
  const isShown = document.visibilityState === 'visible' && window.top === window;
  // All observers of a document are notified in one turn, the page's possibly after this one.
  const drawn = notified.then(() => delay(0));
  await waitAtMost(drawn, isShown ? SHOWN_MS : UNSEEN_MS);
  observer.disconnect();
}
