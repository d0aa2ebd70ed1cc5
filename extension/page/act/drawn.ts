import { waitAtMost } from '../../../shared/async/wait.ts';

/** A busy machine draws a page that is shown this late. */
const SHOWN_MS = 5_000;
/** A hidden page may draw once a second, a frame out of view not at all. */
const UNSEEN_MS = 1_100;

/**
 * Waits until the document has been drawn after the call. Scroll events, frame callbacks and intersection observers of the
 * page come with a drawing, so the page has heard of whatever moved before.
 *
 * @returns false if it was not drawn in time
 */
export async function whenDrawn(document: Document): Promise<boolean> {
  const root = document.documentElement;
  if (root === null) return true;
  const isShown = document.visibilityState === 'visible' && window.top === window;
  const { port1, port2 } = new MessageChannel();
  // All observers of a document are notified in one turn, the page's possibly after this one.
  const observer = new IntersectionObserver(() => port2.postMessage(null));
  const drawn = new Promise<true>((resolve) =>
    port1.addEventListener('message', () => resolve(true), { once: true }),
  );
  port1.start();
  observer.observe(root);
  const isDrawn = await waitAtMost(drawn, isShown ? SHOWN_MS : UNSEEN_MS);
  observer.disconnect();
  port1.close();
  return isDrawn ?? false;
}
