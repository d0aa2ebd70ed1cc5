import { delay } from '../../../shared/async/wait.ts';

/** How late a busy machine draws a page that is shown. */
const SHOWN_MS = 250;
/** How long to wait for the frame of another page: it may draw none, and does nothing by frames then. */
const UNSEEN_MS = 60;

/** Waits until the page's callbacks of the next frame have run: those that it had asked for come before ours. */
export async function nextFrame(): Promise<void> {
  const isShown = document.visibilityState === 'visible' && window.top === window;
  const drawn = new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.race([drawn, delay(isShown ? SHOWN_MS : UNSEEN_MS)]);
}
