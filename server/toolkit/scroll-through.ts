import { randomUUID } from 'node:crypto';
import type { MethodParams, MethodResult } from '../../shared/bridge/methods.ts';
import { deadlineSignal } from '../../shared/async/wait.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import { onTab, type TabTarget } from '../core/targets.ts';

/** One step waits in the page; the bridge waits longer. */
const STEP_TIMEOUT_MS = 25_000;
/** Steps of one call that names no bound. */
const MAX_SCROLLS = 1_000;
/** One request waits for this long while another call scrolls the tab; then it is made again. */
const TURN_WAIT_MS = 10_000;
/** Merged reads are kept in memory. */
const MOST_UNITS = 32 * 1024 * 1024;

export interface ScrollOptions {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly maxScrolls: number | undefined;
  /** The first content and the times that the page may load more: `max_pages` of `paginate`. */
  readonly maxPages?: number;
  /** Reads the window of a page that holds only the rows in view. Returns how many UTF-16 code units it added. */
  readonly readWindow: () => Promise<number>;
  readonly context: CallContext;
}

export interface ScrolledThrough {
  /** The windows were read: the page does not hold everything at once. */
  readonly isLossy: boolean;
  /** What was not loaded, and why. */
  readonly notes: readonly string[];
}

type Action = MethodParams<'page.scroll'>['action'];
type Scrolled = MethodResult<'page.scroll'>;

/** Scrolls a tab's page. Its positions are restored by {@link Scrolling.restore}, or when the call has ended. */
export class Scrolling {
  readonly #options: ScrollOptions;
  readonly #notes: string[] = [];
  #scrolls = 0;
  #pages = 1;
  #units = 0;
  #isMoved = false;
  #deadlineMs = Infinity;
  readonly #call = randomUUID();

  constructor(options: ScrollOptions) {
    this.#options = options;
  }

  /**
   * Scrolls the page to its end, window by window, so that it loads everything. A page that holds only
   * the rows in view is scrolled through once more, and read at each window.
   *
   * @throws SpillwayError `tab_busy` when another call scrolls the tab until the time of this one is over; of
   * the tab or the page: what was read before is kept instead where windows were read
   */
  async run(): Promise<ScrolledThrough> {
    const { clock, syncWaitMs } = this.#options.context;
    this.#deadlineMs = clock.monotonic() + syncWaitMs;
    this.#isMoved = true;
    this.#options.context.registerAfterCompletion(() => this.restore());
    this.#options.context.keepState(() => ({ scrolls: this.#scrolls }));
    const state = await this.#through(false);
    if (!state.is_lossy) return { isLossy: false, notes: this.#notes };
    this.#scrolls = 0;
    this.#pages = 1;
    this.#notes.length = 0;
    try {
      const { missing_rows: rows } = await this.#through(true);
      if (rows !== null) this.#notes.push(`virtual_list: ${rows.seen} of ${rows.total} rows were seen.`);
    } catch (thrown) {
      if (this.#units === 0 || this.#options.context.signal.aborted || !(thrown instanceof SpillwayError))
        throw thrown;
      this.#notes.push(`scroll_stopped: ${thrown.code}: ${thrown.message}`);
    }
    const windows = `${this.#scrolls + 1} windows`;
    this.#notes.push(`scrolled: the page holds only the rows in view; this is put together from ${windows}.`);
    return { isLossy: true, notes: this.#notes };
  }

  /** Scrolls back to where the page was. Never fails. */
  async restore(): Promise<void> {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    const { signal } = new AbortController();
    await this.#move('end', signal).catch(() => undefined);
  }

  /** Goes to the start, as soon as no other call scrolls the tab. */
  async #begin(): Promise<Scrolled> {
    const { clock, signal } = this.#options.context;
    for (;;) {
      const leftMs = Math.max(0, Math.floor(this.#deadlineMs - clock.monotonic()));
      try {
        return await this.#move('begin', signal, Math.min(TURN_WAIT_MS, leftMs));
      } catch (thrown) {
        const isBusy = thrown instanceof SpillwayError && thrown.code === 'tab_busy';
        if (!isBusy || clock.monotonic() >= this.#deadlineMs) throw thrown;
      }
    }
  }

  #move(action: Action, signal: AbortSignal, waitMs = 0): Promise<Scrolled> {
    const { bridge, target, context } = this.#options;
    const params = { tab_id: target.tabId, action, call: this.#call, wait_ms: waitMs };
    return onTab(target, context, () =>
      bridge.request(target.browser, 'page.scroll', params, {
        call: context.call,
        signal,
        idleTimeoutMs: STEP_TIMEOUT_MS,
      }),
    );
  }

  /** From the start to the end, or where nothing is read, to where content is lost. */
  async #through(isRead: boolean): Promise<Scrolled> {
    const { context, readWindow } = this.#options;
    let state = await this.#begin();
    if (state.unfocused !== null)
      this.#notes.push(
        `background_tab: focus could not be emulated (${state.unfocused}): a background tab may not load more content.`,
      );
    for (;;) {
      if (isRead) this.#units += await readWindow();
      if (state.is_stuck)
        this.#notes.push('scroll_stopped: a part of the page scrolls itself back; there may be more in it.');
      if (state.is_over || (!isRead && state.is_lossy)) return state;
      const bound = this.#findBound();
      const next = bound === null ? await this.#step() : null;
      if (next === null) {
        const late = `scrolling took longer than ${context.syncWaitMs / 1_000} s (--sync-wait-ms)`;
        this.#notes.push(`scroll_stopped: ${bound ?? late}; there may be more below.`);
        return state;
      }
      this.#scrolls += 1;
      if (next.has_grown) this.#pages += 1;
      context.progress({ done: this.#scrolls, message: `${this.#scrolls} windows scrolled` });
      state = next;
    }
  }

  /** One window on. Null when the time of the call is over first: a window may wait long for its content. */
  async #step(): Promise<Scrolled | null> {
    const { signal, clock } = this.#options.context;
    const leftMs = this.#deadlineMs - clock.monotonic();
    if (leftMs <= 0) return null;
    const late = new SpillwayError('timeout', 'The time of the call is over.');
    const deadline = deadlineSignal(leftMs, () => late, signal);
    try {
      return await this.#move('step', deadline.signal);
    } catch (thrown) {
      if (deadline.signal.reason === late) return null;
      throw thrown;
    } finally {
      deadline.release();
    }
  }

  #findBound(): string | null {
    const { maxScrolls = MAX_SCROLLS, maxPages = Infinity } = this.#options;
    if (this.#pages > maxPages) return `max_pages is ${maxPages}`;
    if (this.#scrolls >= maxScrolls) return `max_scrolls is ${maxScrolls}`;
    return this.#units > MOST_UNITS ? 'the text is larger than 32 MiB' : null;
  }
}
