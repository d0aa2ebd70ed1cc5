import { delay } from '../../../shared/async/wait.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ScrollMove, ScrollState } from '../../page/protocol.ts';
import type { TabRequests } from '../navigation/tab-requests.ts';
import { askPage } from './ask-page.ts';
import type { PageChannel } from './channel.ts';
import type { PageChannels } from './channels.ts';
import type { FocusEmulation } from './focus-emulation.ts';
import { explainLost } from './read-tab.ts';
import { getReadableTab } from './targets.ts';

/** Between two looks at a page that was scrolled: about a frame. */
const LOOK_MS = 16;
/** A window that has looked the same this often, with no request pending, is complete. */
const RESTED_LOOKS = 2;
/** The same for a page that loads by requests: these may start a moment after the scrolling. */
const FED_LOOKS = 10;
/** The tab made a request this recently. */
const FED_MS = 2_000;
/** The same for a window that has not changed at all: the page may not have noticed yet. */
const UNCHANGED_LOOKS = 6;
/** Content that is still being fetched is waited for at most this long. */
const FETCH_MS = 3_000;
/** A busy machine draws this late. A page that does not draw by then is not waited for again. */
const DRAWN_MS = 8_000;
/** A page that always changes counts as complete after this time without requests. */
const RESTLESS_MS = 400;
/** At an end, more may come that no request announced yet: hidden pages run their timers once a second. */
const END_LOOKS = 90;
/** The same for a part that fits into its window: nothing in it waits for being scrolled. */
const FITTING_END_LOOKS = 24;
/** What is fetched at an end is waited for at most this long. */
const END_FETCH_MS = 10_000;
/** Away from the end and back again, with time in between for the page to notice. */
const NUDGES: Readonly<Record<number, ScrollMove>> = { 12: 'away', 20: 'back' };

export interface TabScroll extends MethodParams<'page.scroll'> {
  readonly channels: PageChannels;
  readonly requests: TabRequests;
  readonly focus: FocusEmulation;
  readonly signal: AbortSignal;
}

/**
 * Scrolls a tab's page: to the start, on by one window, or back to where it was. After a step it waits
 * until the window has come to rest. At the end of a part it waits for more, and then goes to the next
 * part that scrolls. Focus is emulated meanwhile, so that a tab in the background loads as one in front does.
 *
 * @throws SpillwayError as `readTab` does
 */
export async function scrollTab(scroll: TabScroll): Promise<MethodResult<'page.scroll'>> {
  const { tab_id: tabId, channels, requests, focus, signal } = scroll;
  const { url = '' } = await getReadableTab(tabId);
  const stopFollowing = requests.hold();
  const release = await focus.acquire(tabId, signal).catch((thrown: unknown) => {
    signal.throwIfAborted();
    return { code: toSpillwayError(thrown).code };
  });
  const isFocused = typeof release === 'function';
  try {
    const timeoutMs = LIMITS.pageResponseTimeoutMs;
    const channel = await channels.connect({ tabId, frameId: 0, url }, { timeoutMs, signal });
    const moves = new Moves(scroll, channel);
    const state = await moves.run();
    return {
      is_over: state.isOver,
      is_lossy: state.isLossy,
      is_stuck: state.isStuck,
      has_grown: moves.hasGrown,
      missing_rows: state.missingRows,
      unfocused: isFocused ? null : release.code,
    };
  } catch (thrown) {
    signal.throwIfAborted();
    throw await explainLost(toSpillwayError(thrown), tabId);
  } finally {
    if (isFocused) release();
    stopFollowing();
  }
}

/** The moves of one call. */
class Moves {
  readonly #scroll: TabScroll;
  readonly #channel: PageChannel;
  /** Requests that were pending before: waited for already, or of no interest. */
  readonly #pending: ReadonlySet<string>;
  /** The part that was scrolled has loaded more. */
  hasGrown = false;
  #movedAt = 0;
  #drawsNever = false;

  constructor(scroll: TabScroll, channel: PageChannel) {
    this.#scroll = scroll;
    this.#channel = channel;
    this.#pending = new Set(this.#requests.urls);
  }

  get #requests(): ReturnType<TabRequests['of']> {
    return this.#scroll.requests.of(this.#scroll.tab_id);
  }

  get #isFetching(): boolean {
    return this.#requests.urls.some((url) => !this.#pending.has(url));
  }

  /** Whether the page has yet to draw the last move: it has not noticed it before. */
  #isDrawing({ isDrawn }: ScrollState): boolean {
    if (isDrawn || this.#drawsNever) return false;
    this.#drawsNever = performance.now() - this.#movedAt > DRAWN_MS;
    return !this.#drawsNever;
  }

  async run(): Promise<ScrollState> {
    const { action } = this.#scroll;
    if (action === 'end') return this.#rest(await this.#move('restore'));
    if (action === 'begin') return this.#rest(await this.#move('begin'));
    const before = await this.#move('look');
    if (before.isOver) return before;
    const after = await this.#rest(await this.#move('step'), before);
    this.hasGrown = after.height > before.height;
    if (after.isStuck) return { ...(await this.#move('skip')), isStuck: true };
    if (!after.isAtEnd) return after;
    return this.#end(after, before.isAtEnd ? FITTING_END_LOOKS : END_LOOKS);
  }

  /** Waits until a window has come to rest. A page that never rests gets {@link RESTLESS_MS}. */
  async #rest(first: ScrollState, before: ScrollState | null = null): Promise<ScrollState> {
    let [drawnAt, quietAt] = [performance.now(), performance.now()];
    let last = first;
    for (let rested = 0; rested < this.#looksToRest(last, before);) {
      const now = performance.now();
      const isDrawing = this.#isDrawing(last);
      if (isDrawing) drawnAt = now;
      if (isDrawing || this.#isFetching) quietAt = now;
      if (now - drawnAt > FETCH_MS || now - quietAt > RESTLESS_MS) break;
      await delay(LOOK_MS, this.#scroll.signal);
      const seen = await this.#move('look');
      const isSame = seen.fingerprint === last.fingerprint && !isDrawing && !this.#isFetching;
      rested = isSame ? rested + 1 : 0;
      last = seen;
    }
    return last;
  }

  #looksToRest(last: ScrollState, before: ScrollState | null): number {
    if (this.#requests.quietMs < FED_MS) return FED_LOOKS;
    return last.fingerprint === before?.fingerprint ? UNCHANGED_LOOKS : RESTED_LOOKS;
  }

  /** More may follow at an end; when nothing does, the next part is scrolled. */
  async #end(first: ScrollState, looks: number): Promise<ScrollState> {
    const deadline = performance.now() + END_FETCH_MS;
    let last = first;
    for (let look = 0; look < looks || (this.#isFetching && performance.now() < deadline);) {
      await delay(LOOK_MS, this.#scroll.signal);
      const isDrawing = this.#isDrawing(last);
      if (!isDrawing) look += 1;
      last = await this.#move((isDrawing ? undefined : NUDGES[look]) ?? 'look');
      // A list that holds only the rows in view changes with each nudge, and does not grow.
      if (last.height > first.height) {
        this.hasGrown = true;
        return this.#rest(last);
      }
    }
    const next = await this.#move('skip');
    return next.isOver ? next : this.#rest(next);
  }

  async #move(move: ScrollMove): Promise<ScrollState> {
    if (move !== 'look') this.#movedAt = performance.now();
    const { channels, signal, tab_id: tabId } = this.#scroll;
    const asking = {
      channels,
      channel: this.#channel,
      timeoutMs: LIMITS.pageResponseTimeoutMs,
      signal,
      name: `Tab ${tabId}`,
    };
    return (await askPage(asking, (id) => ({ type: 'scroll', id, move }), 'scrolled')).state;
  }
}
