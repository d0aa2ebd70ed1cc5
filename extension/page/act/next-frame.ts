import { delay } from '../../../shared/async/wait.ts';

/** How long to wait for a frame. A page that draws none does nothing by frames. */
const LATE_MS = 60;

/** Waits until the page's callbacks of the next frame have run: those that it had asked for come before ours. */
export async function nextFrame(): Promise<void> {
  const drawn = new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.race([drawn, delay(LATE_MS)]);
}
