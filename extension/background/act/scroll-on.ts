import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import type { HandsOptions } from './hands.ts';

/** How long more may take to come at an end without a request that announces it. */
const END_MS = 700;
/** Between two looks there. */
const LOOK_MS = 30;
/** A page without an end is not scrolled for longer. */
const SCROLL_MS = 20_000;

/**
 * Finds an element to scroll to. It may be further down in a page that loads more at its end: the page is scrolled there
 * until the element comes, or nothing more does.
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
