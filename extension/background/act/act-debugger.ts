import * as z from 'zod/mini';
import browser from 'webextension-polyfill';
import { delay } from '../../../shared/async.ts';
import { onMessage, type ConsoleEvent, type RemoteObject } from '../chromium/console.ts';
import type { DebuggerLease, DebuggerSessions, DebuggerEvent } from '../chromium/debugger/sessions.ts';
import { Lingering, type FocusEmulation } from '../chromium/debugger/focus.ts';
import type { TabDownloads, WatchDownloads } from './downloads.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { cut } from '../../../shared/cut.ts';
import { isIcon } from '../navigation/browser-events.ts';

const Evaluated = z.object({ result: z.object({ value: z.optional(z.unknown()) }) });

const Attached = z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) });

/** The session of a frame that an event announces, or null. */
export function frameSession({ method, params }: DebuggerEvent): string | null {
  if (method !== 'Target.attachedToTarget') return null;
  const { data } = Attached.safeParse(params);
  return data?.targetInfo.type === 'iframe' ? data.sessionId : null;
}

/** The name of our script in a document. */
const OWN_ID = `Reflect.get(globalThis, Symbol.for('spillway.page'))?.id`;
const AUTO_ATTACH = {
  autoAttach: true,
  waitForDebuggerOnStart: false,
  flatten: true,
  filter: [{ type: 'iframe', exclude: false }],
};
const ANSWER_MS = 3_000;

/**
 * The debugger's sessions of a tab's frames. A frame that another process draws has its own, and input to the
 * tab's session may be lost on its way there. The id of our script in a document identifies it, since the
 * debugger and the extension API have no other document id in common.
 */
class FrameSessions {
  /** By the id of our script. */
  readonly #known = new Map<string, string>();
  /** Sessions that do not draw a script's document. A document never moves to another session. */
  readonly #others = new Map<string, Set<string>>();

  constructor(private readonly lease: DebuggerLease) {}

  /** The session that draws the document of a script; null is the tab's own. */
  async of(scriptId: string): Promise<string | null> {
    const known = this.#known.get(scriptId);
    if (known !== undefined && this.lease.sessions().includes(known)) return known;
    if (!this.lease.autoAttaches(null)) await this.lease.send('Target.setAutoAttach', AUTO_ATTACH);
    const others = this.#others.get(scriptId) ?? new Set();
    this.#others.set(scriptId, others);
    for (const session of this.#frames()) {
      if (others.has(session)) continue;
      const isSeen = await this.#look(session);
      const found = this.#known.get(scriptId);
      if (found !== undefined) return found;
      if (isSeen) others.add(session);
    }
    return null;
  }

  /** Every responsive renderer, the tab's own first. Resolves once our script's contexts in them are known. */
  async all(): Promise<readonly (string | null)[]> {
    if (!this.lease.autoAttaches(null)) await this.lease.send('Target.setAutoAttach', AUTO_ATTACH);
    await this.lease.send('Runtime.enable');
    const all: (string | null)[] = [null];
    for (const session of this.#frames()) if (await this.#look(session)) all.push(session);
    return all;
  }

  /** Those of frames; examining one may add those within it. */
  *#frames(): Generator<string> {
    const seen = new Set<string>();
    for (let more = true; more;) {
      more = false;
      for (const event of this.lease.announcements()) {
        const sessionId = frameSession(event);
        if (sessionId === null || seen.has(sessionId)) continue;
        seen.add(sessionId);
        more = true;
        yield sessionId;
      }
    }
  }

  /**
   * Learns which documents a session draws.
   * @returns false if a frame does not answer, or disappears meanwhile
   */
  async #look(sessionId: string): Promise<boolean> {
    const options = { sessionId, timeoutMs: ANSWER_MS };
    const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
      this.lease.send(method, params, options);
    try {
      if (!this.lease.autoAttaches(sessionId)) await send('Target.setAutoAttach', AUTO_ATTACH);
      // Needed for downloads that a frame begins.
      send('Page.enable').catch(() => undefined);
      await send('Runtime.enable');
      for (const { id: contextId } of this.lease.contexts.in(sessionId)) {
        const { result } = Evaluated.parse(
          await send('Runtime.evaluate', { expression: OWN_ID, contextId, returnByValue: true }),
        );
        if (typeof result.value === 'string') this.#known.set(result.value, sessionId);
      }
      return true;
    } catch {
      return false;
    }
  }
}

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
          lease.send('Inspector.enable').catch(() => undefined);
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
    const { release } = await acting.acquire(tabId, signal);
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
    return type === 'error' ? { at, text: firstLine(args.map(textOf).join(' ')) } : null;
  }
  const { level, timestamp: at, text, url } = event.log.entry;
  if (level !== 'error' || (url !== undefined && isIcon(url))) return null;
  return { at, text: url === undefined ? text : `${text} ${url}` };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const textOf = ({ value, description }: RemoteObject): string =>
  typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? '');
