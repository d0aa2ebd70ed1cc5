import browser from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import { onMessage, type ConsoleEvent, type RemoteObject } from '../../platform/chromium/console.ts';
import type { DebuggerLease, DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import { Lingering, type FocusEmulation } from '../../platform/chromium/debugger/focus.ts';
import { FrameSessions } from '../../platform/chromium/frame-sessions.ts';
import { onAnyDownload } from '../../platform/chromium/downloads.ts';
import { reportCrashes } from '../../platform/chromium/loading.ts';
import type { TabDownloads, WatchDownloads } from '../../files/worker/download-watch.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { cut } from '../../../shared/base/cut.ts';
import { isIcon } from '../../core/navigation/browser-events.ts';

/** How long a tab stays attached after an act: the next one starts at once, and the banner does not flicker. */
const LINGER_MS = 10_000;

/** By then the banner has appeared. */
const BANNER_MS = 300;
/** Interval between checks of a tab's size. */
const LOOK_MS = 15;

async function heightOf(tabId: number): Promise<number | null> {
  const { active, height = null } = await browser.tabs.get(tabId);
  return active ? height : null;
}

/** Waits until the browser's banner has reduced the front tab's height. False if it does not. */
async function whenBannered(tabId: number, before: number | null): Promise<boolean> {
  if (before === null) return false;
  const until = performance.now() + BANNER_MS;
  for (let last = before; performance.now() < until;) {
    await delay(LOOK_MS);
    const height: number = (await heightOf(tabId)) ?? before;
    // It slides in.
    if (height === last && height !== before) return true;
    last = height;
  }
  return false;
}

export interface ActDebugger {
  readonly lease: DebuggerLease;
  readonly frames: FrameSessions;
  /** The tab has become smaller, which its page may not have noticed yet. */
  readonly isResized: boolean;
}

/** The debugger over several acts on a tab: focused, and listening for dialogs. */
export class ActDebuggers {
  readonly #kept: Lingering<Omit<ActDebugger, 'isResized'> & { readonly unfocus: () => void }>;
  /** By the first act's lease. */
  readonly #resized = new Set<DebuggerLease>();

  constructor(
    private readonly debuggers: DebuggerSessions,
    focus: FocusEmulation,
    downloads: TabDownloads,
  ) {
    this.#kept = new Lingering({
      lingerMs: LINGER_MS,
      open: async (tabId, signal) => {
        // The browser shows one banner for all tabs.
        const height = debuggers.isInUse ? null : await heightOf(tabId).catch(() => null);
        const lease = await debuggers.acquire(tabId, signal);
        try {
          const bannered = whenBannered(tabId, height).catch(() => false);
          // Otherwise a click that opens a dialog would not return.
          await lease.keepDialogs();
          downloads.follow(lease);
          // Commands to a crashing page are never answered.
          reportCrashes(lease);
          const { release: unfocus } = await focus.acquire(tabId, signal);
          if (await bannered) this.#resized.add(lease);
          return { lease, frames: new FrameSessions(lease), unfocus };
        } catch (thrown) {
          await lease.release();
          throw thrown;
        }
      },
      close: ({ lease, unfocus }) => {
        unfocus();
        void lease.release();
      },
      // The browser reports a download only to a debugger that was attached when it began.
      isPending: (tabId) => downloads.isPending(tabId),
    });
  }

  /** @throws SpillwayError for a refused attachment: see `DebuggerSessions.acquire` */
  async acquire(tabId: number, signal: AbortSignal): Promise<ActDebugger & { release(): void }> {
    const kept = await this.#kept.acquire(tabId, signal);
    try {
      // A separate lease, whose listeners end with the act.
      const lease = await this.debuggers.acquire(tabId, signal);
      const release = (): void => {
        void lease.release();
        kept.release();
      };
      return { lease, frames: kept.frames, isResized: this.#resized.delete(kept.lease), release };
    } catch (thrown) {
      kept.release();
      throw thrown;
    }
  }
}

/** Creates the function that watches a tab's downloads. Errors are those of {@link ActDebuggers.acquire}. */
export const createWatchDownloads =
  (acting: ActDebuggers, downloads: TabDownloads): WatchDownloads =>
  async (tabId, session, signal) => {
    const since = downloads.lastAct(tabId, session);
    const release =
      onAnyDownload === null ? (await acting.acquire(tabId, signal)).release : downloads.hold(tabId);
    return { list: () => downloads.of(tabId, since), release };
  };

const ERRORS_KEPT = 3;
const TEXT_UNITS = 150;
/** More than the browser keeps of a page's messages. */
const KEYS_KEPT = 2_000;

/** The errors that a tab's page reports during an act. */
export class ConsoleErrors {
  readonly #since = Date.now();
  readonly #texts: string[] = [];
  /** The browser repeats a message when another call enables its domain. */
  readonly #reported = new BoundedMap<string, true>(KEYS_KEPT);
  #count = 0;

  /** Stops listening: the lease outlives the act. */
  readonly stop: () => void;

  /** Starts listening. Earlier messages are omitted. */
  constructor(lease: DebuggerLease) {
    this.stop = onMessage(lease, (event) => this.#take(event));
  }

  /** The first errors, followed by the number of others. */
  get lines(): readonly string[] {
    const more = this.#count - this.#texts.length;
    return more > 0 ? [...this.#texts, `${more} more errors`] : this.#texts;
  }

  #take(event: ConsoleEvent): void {
    const message = errorIn(event);
    if (message === null || message.at < this.#since) return;
    const key = `${message.at} ${message.text}`;
    if (this.#reported.has(key)) return;
    this.#reported.set(key, true);
    this.#count += 1;
    if (this.#texts.length < ERRORS_KEPT) this.#texts.push(cut(message.text, TEXT_UNITS).toWellFormed());
  }
}

/** An error of the page, and when it was reported. */
function errorIn(event: ConsoleEvent): { readonly at: number; readonly text: string } | null {
  if (event.kind === 'exception') {
    const { timestamp: at, exceptionDetails } = event.thrown;
    return { at, text: firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text) };
  }
  if (event.kind === 'call') {
    const { type, timestamp: at, args } = event.call;
    return type === 'error' ? { at, text: firstLine(args.map(formatRemoteObject).join(' ')) } : null;
  }
  const { level, timestamp: at, text, url } = event.log.entry;
  if (level !== 'error' || (url !== undefined && isIcon(url))) return null;
  return { at, text: url === undefined ? text : `${text} ${url}` };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const formatRemoteObject = ({ value, description }: RemoteObject): string =>
  typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? '');
