import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import type { HandsOptions } from './hands.ts';

/** How long to wait at the end of the page for more of it, once the page knows that it is there and loads nothing. */
const END_MS = 700;
/** Between two looks at the end of the page. */
const LOOK_MS = 30;
/** How long a page that keeps growing is scrolled. */
const SCROLL_MS = 20_000;

type Options = Pick<HandsOptions, 'frames' | 'traffic' | 'pendingIds' | 'waitMs' | 'signal'>;

/**
 * Finds an element to scroll to. In a page that loads more at its end, the element may not exist yet: the page is scrolled
 * to its end until the element appears, or until nothing more is loaded.
 *
 * @throws SpillwayError `selector_not_found`, and as `ActFrames.find`
 */
export async function scrollOn(target: string, options: Options): Promise<Held> {
  const { signal } = options;
  const startedAt = performance.now();
  const loading = new Loading(options);
  for (let restedAt = Infinity; ;) {
    // What is loaded before the page is searched may not be in the page yet.
    loading.look();
    const found = await findNow(target, options);
    if (found !== null) return found;
    const moved = await toBottom(options);
    loading.look();
    const now = performance.now();
    const hasRested = !moved && !loading.take();
    const isAtEnd = hasRested && now - restedAt >= END_MS;
    if (isAtEnd || now - startedAt >= SCROLL_MS)
      throw new SpillwayError(
        'selector_not_found',
        `No element matches ${target}, even after scrolling the page ${isAtEnd ? 'to its end' : `for ${SCROLL_MS / 1_000} s`}.`,
      );
    restedAt = hasRested ? Math.min(restedAt, now) : Infinity;
    if (!moved) await delay(LOOK_MS, signal);
  }
}

/** Scrolls to the end of the page. What the page begins when it hears of that is known afterwards. */
async function toBottom({ frames, traffic, signal }: Options): Promise<boolean> {
  const since = performance.now();
  const page = await frames.page(signal);
  const { moved } = await page.ask({ do: 'scroll', held: null, how: 'to bottom' }, signal);
  // A page that has moved has been drawn since.
  if (!moved) await page.ask({ do: 'drawn' }, signal);
  // Whatever the page has sent by now is known once the browser has answered.
  await frames.page(signal);
  if (moved) traffic.claim(since);
  return moved;
}

/** What a page loads while it is scrolled. */
class Loading {
  readonly #options: Options;
  /** Requests that were pending at first: those of the page's own polling end, or are made again. */
  readonly #before: ReadonlySet<string>;
  readonly #startedAt = performance.now();
  #lookedAt = performance.now();
  #isLoading = false;

  constructor(options: Options) {
    this.#options = options;
    this.#before = new Set(options.pendingIds());
  }

  /** Notes whether something is being loaded, or was since the last look. */
  look(): void {
    const { traffic, pendingIds, waitMs } = this.#options;
    const now = performance.now();
    const isArriving = now - this.#startedAt < waitMs && pendingIds().some((id) => this.#before.has(id));
    this.#isLoading ||= isArriving || traffic.pending.length > 0 || traffic.changedAt >= this.#lookedAt;
    this.#lookedAt = now;
  }

  /** Whether anything has been noted since this was asked last. */
  take(): boolean {
    const isLoading = this.#isLoading;
    this.#isLoading = false;
    return isLoading;
  }
}

async function findNow(target: string, { frames, signal }: Options): Promise<Held | null> {
  try {
    return await frames.find(target, 0, signal);
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'selector_not_found') throw thrown;
    return null;
  }
}
