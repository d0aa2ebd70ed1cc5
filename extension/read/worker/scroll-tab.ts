import { delay } from '../../../shared/base/async.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { ScrollMove, ScrollState } from '../../core/page/protocol.ts';
import type { TabRequests } from '../../core/navigation/tab-requests.ts';
import type { FocusEmulation } from '../../platform/chromium/debugger/focus.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { explaining } from './read-tab.ts';
import type { ScrollTurns } from '../../core/pages/tab-turns.ts';
import { getReadableTab } from '../../core/pages/targets.ts';

/** Interval between checks of a page without frames. */
const LOOK_MS = 16;
/** Looks without a change at a page that loads by requests: these may start a moment after scrolling. */
const FED_LOOKS = 10;
/** The tab made a request this recently. */
const FED_MS = 2_000;
/** Longest wait for content that is still being fetched. */
const FETCH_MS = 3_000;
/** A constantly changing page counts as complete after this many looks without requests. */
const RESTLESS_LOOKS = 24;
/** At an end, more may come that no request has announced yet. */
const END_LOOKS = 45;
/** The same for a page without frames, which runs its timers once a second. */
const HIDDEN_END_LOOKS = 120;
/** The same for a part that fits into its window: nothing in it waits for being scrolled. */
const FITTING_END_LOOKS = 24;
const END_FETCH_MS = 10_000;
/** Away from the end and back, with time in between for the page to notice. */
const NUDGES: Readonly<Record<number, ScrollMove>> = { 12: 'away', 20: 'back' };

export interface TabScroll extends MethodParams<'page.scroll'> {
  readonly channels: PageChannels;
  readonly requests: TabRequests;
  readonly focus: FocusEmulation;
  readonly turns: ScrollTurns;
  /** Aborted when the caller's channel closes. */
  readonly closed: AbortSignal;
  readonly signal: AbortSignal;
}

/**
 * Scrolls a tab's page: to the start, on by one window, or back to where it was. After a step it waits until the window
 * has come to rest. At the end of a part it waits for more, and then goes to the next scrollable part. Focus emulation
 * makes a background tab load like a front one.
 * @throws SpillwayError as `readTab` does; `tab_busy` while another call scrolls the tab
 */
export async function scrollTab(scroll: TabScroll): Promise<MethodResult<'page.scroll'>> {
  const { tab_id: tabId, action, turns, call, wait_ms: waitMs, signal, closed } = scroll;
  await turns.take(tabId, { call, waitMs, signal, closed });
  try {
    return await moveTab(scroll);
  } finally {
    if (action === 'end') turns.release(tabId, call);
  }
}

async function moveTab(scroll: TabScroll): Promise<MethodResult<'page.scroll'>> {
  const { tab_id: tabId, channels, requests, focus, signal } = scroll;
  const { url = '' } = await getReadableTab(tabId);
  const stopFollowing = requests.hold();
  const focused = await focus.acquire(tabId, signal).catch((thrown: unknown) => {
    signal.throwIfAborted();
    return { code: toSpillwayError(thrown).code };
  });
  const moved = explaining(tabId, signal, async () => {
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
      unfocused: 'code' in focused ? focused.code : null,
    };
  });
  return moved.finally(() => {
    if ('release' in focused) focused.release();
    stopFollowing();
  });
}

class Moves {
  /** Requests already pending: waited for before, or irrelevant. */
  readonly #pending: ReadonlySet<string>;
  /** The scrolled part has loaded more. */
  hasGrown = false;

  constructor(
    private readonly scroll: TabScroll,
    private readonly channel: PageChannel,
  ) {
    this.#pending = new Set(this.#requests.urls);
  }

  get #requests(): ReturnType<TabRequests['of']> {
    return this.scroll.requests.of(this.scroll.tab_id);
  }

  get #isFetching(): boolean {
    return this.#requests.urls.some((url) => !this.#pending.has(url));
  }

  async run(): Promise<ScrollState> {
    const { action } = this.scroll;
    if (action !== 'step') return this.#rest(await this.#move(action === 'end' ? 'restore' : action));
    const stepped = await this.#move('step');
    if (stepped.isOver) return stepped;
    const rested = await this.#rest(stepped);
    this.hasGrown = rested.grownPx > 0;
    if (rested.isStuck) return { ...(await this.#move('skip')), isStuck: true };
    return rested.isAtEnd ? this.#end(rested) : rested;
  }

  /** Waits until a window has come to rest, which a constantly changing page never does. */
  async #rest(first: ScrollState): Promise<ScrollState> {
    const deadline = performance.now() + FETCH_MS;
    let last = first;
    let [looks, rested] = [0, 0];
    for (;;) {
      const isFetching = this.#isFetching && performance.now() < deadline;
      const needed = this.#looksToRest(last);
      if (!isFetching && (rested >= needed || looks > Math.max(RESTLESS_LOOKS, 2 * needed))) return last;
      const seen = await this.#look(isFetching ? 'wait' : 'look');
      if (!isFetching) looks += 1;
      rested = seen.fingerprint === last.fingerprint && !isFetching ? rested + 1 : 0;
      last = seen;
    }
  }

  #looksToRest({ looksToRest, isAtEnd, end }: ScrollState): number {
    if (isAtEnd && end === 'known') return 0;
    return this.#requests.quietMs < FED_MS ? Math.max(looksToRest, FED_LOOKS) : looksToRest;
  }

  /** More may follow at an end; otherwise the next part is scrolled. */
  async #end(first: ScrollState): Promise<ScrollState> {
    const deadline = performance.now() + END_FETCH_MS;
    const looks = looksAtEnd(first);
    for (let look = 0; look < looks || (this.#isFetching && performance.now() < deadline);) {
      look += 1;
      const nudge = NUDGES[look];
      const last = nudge === undefined ? await this.#look() : await this.#move(nudge);
      // A virtual list changes with each nudge, and does not grow.
      if (last.height > first.height) {
        this.hasGrown = true;
        return this.#rest(last);
      }
    }
    const next = await this.#move('skip');
    return next.isOver ? next : this.#rest(next);
  }

  async #look(move: ScrollMove = 'look'): Promise<ScrollState> {
    const state = await this.#move(move);
    if (!state.isPaced) await delay(LOOK_MS, this.scroll.signal);
    return state;
  }

  async #move(move: ScrollMove): Promise<ScrollState> {
    const { signal, tab_id: tabId } = this.scroll;
    const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal, name: `Tab ${tabId}` };
    return (await this.channel.ask((id) => ({ type: 'scroll', id, move }), 'scrolled', waiting)).state;
  }
}

function looksAtEnd({ end, isPaced }: ScrollState): number {
  if (end === 'known') return 0;
  if (end === 'fitting') return FITTING_END_LOOKS;
  return isPaced ? END_LOOKS : HIDDEN_END_LOOKS;
}
