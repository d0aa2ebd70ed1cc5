import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import type { HandsOptions } from './hands.ts';

/** How long to wait at the end of the page for more of it when no request is pending. */
const END_MS = 700;
/** Between two looks at the end of the page. */
const LOOK_MS = 30;
/** How long a page that keeps growing is scrolled. */
const SCROLL_MS = 20_000;

/**
 * Finds an element to scroll to. In a page that loads more at its end, the element may not exist yet: the page is scrolled
 * to its end until the element appears, or until nothing more is loaded.
 *
 * @throws SpillwayError `selector_not_found`, and as `ActFrames.find`
 */
export async function scrollOn(
  target: string,
  { frames, isLoading, signal }: Pick<HandsOptions, 'frames' | 'isLoading' | 'signal'>,
): Promise<Held> {
  const startedAt = performance.now();
  for (let movedAt = startedAt; ;) {
    const found = await findNow(target, { frames, signal });
    if (found !== null) return found;
    const page = await frames.page(signal);
    const { moved } = await page.ask({ do: 'scroll', held: null, how: 'to bottom' }, signal);
    const now = performance.now();
    if (moved) movedAt = now;
    const isAtEnd = !isLoading() && now - movedAt >= END_MS;
    if (isAtEnd || now - startedAt >= SCROLL_MS)
      throw new SpillwayError(
        'selector_not_found',
        `No element matches ${target}, even after scrolling the page ${isAtEnd ? 'to its end' : `for ${SCROLL_MS / 1_000} s`}.`,
      );
    if (!moved) await delay(LOOK_MS, signal);
  }
}

async function findNow(
  target: string,
  { frames, signal }: Pick<HandsOptions, 'frames' | 'signal'>,
): Promise<Held | null> {
  try {
    return await frames.find(target, 0, signal);
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'selector_not_found') throw thrown;
    return null;
  }
}
