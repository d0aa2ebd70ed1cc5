import { delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { PageAnswers } from '../../core/ports/page-answers.ts';
import type { Held } from './act-page.ts';
import type { Acting } from './acting.ts';

/** How long to wait for more content at the end of a page that has noticed the end and loads nothing. */
const END_MS = 700;
/** Interval between checks of the page's end. */
const LOOK_MS = 30;
/**
 * After this long at the end, the page is scrolled away and back. A page that loads more when its end becomes visible
 * does not notice an end that was already visible.
 */
const NUDGE_MS = 300;
const AWAY = 'up 3000';
const SCROLL_MS = 20_000;

type Options = Pick<Acting, 'frames' | 'traffic' | 'pendingIds' | 'waitMs' | 'signal'>;

/**
 * Finds an element to scroll to. In a page that loads more at its end, the element may not exist yet: the
 * page is scrolled to its end until the element appears, or until nothing more is loaded.
 *
 * @throws SpillwayError `selector_not_found`, and as `ActFrames.find`
 */
export async function scrollOn(target: string, options: Options): Promise<Held> {
  const { signal } = options;
  const startedAt = performance.now();
  const loading = new Loading(options);
  const last = await findAtEnds(target, options);
  if (last !== null) return last;
  let restedAt = Infinity;
  let isNudged = false;
  for (let end: number | null = null; ;) {
    // Content that loads before the search may not be in the page yet.
    loading.look();
    const found = await findNow(target, options);
    if (found !== null) return found;
    if (!isNudged && performance.now() - restedAt >= NUDGE_MS) {
      await scroll(AWAY, options);
      isNudged = true;
      restedAt = Infinity;
    }
    const { top } = await scroll('on', options);
    loading.look();
    const now = performance.now();
    const hasGrown = top !== end;
    end = top;
    if (hasGrown) isNudged = false;
    restedAt = loading.take() || hasGrown ? Infinity : Math.min(restedAt, now);
    const isAtEnd = now - restedAt >= END_MS;
    if (isAtEnd || now - startedAt >= SCROLL_MS)
      throw new SpillwayError(
        'selector_not_found',
        `No element matches ${target}, even after scrolling the page ${isAtEnd ? 'to its end' : `for ${SCROLL_MS / 1_000} s`}.`,
      );
    if (!hasGrown) await delay(LOOK_MS, signal);
  }
}

/** Of a virtual list of thousands of rows, the last ones are often wanted: its other views are passed later. */
async function findAtEnds(target: string, options: Options): Promise<Held | null> {
  const found = await findNow(target, options);
  if (found !== null || !(await scroll('ends', options)).moved) return found;
  const last = await findNow(target, options);
  if (last === null) await scroll('starts', options);
  return last;
}

/** Scrolls the page. Returns once work that its listeners start is known. */
async function scroll(how: string, { frames, traffic, signal }: Options): Promise<PageAnswers['scroll']> {
  const since = performance.now();
  const page = await frames.page(signal);
  const scrolled = await page.change({ do: 'scroll', held: null, how }, signal);
  // A page that has moved has been drawn since.
  if (!scrolled.moved) await page.ask({ do: 'rest', until: 'drawn' }, signal);
  await frames.answered();
  if (scrolled.moved) traffic.claim(since);
  return scrolled;
}

class Loading {
  /** Requests already pending: the page's own polling, which ends or repeats. */
  readonly #before: ReadonlySet<string>;
  readonly #startedAt = performance.now();
  #lookedAt = performance.now();
  #isLoading = false;

  constructor(private readonly options: Options) {
    this.#before = new Set(options.pendingIds());
  }

  /** Records whether something is being loaded, or was since the last check. */
  look(): void {
    const { traffic, pendingIds, waitMs } = this.options;
    const now = performance.now();
    const isArriving = now - this.#startedAt < waitMs && pendingIds().some((id) => this.#before.has(id));
    this.#isLoading ||= isArriving || traffic.pending.length > 0 || traffic.changedAt >= this.#lookedAt;
    this.#lookedAt = now;
  }

  /** Whether anything was loading since the last call. */
  take(): boolean {
    const isLoading = this.#isLoading;
    this.#isLoading = false;
    return isLoading;
  }
}

async function findNow(target: string, { frames, signal }: Options): Promise<Held | null> {
  try {
    return await frames.find(target, { waitMs: 0, signal });
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'selector_not_found') throw thrown;
    return null;
  }
}
