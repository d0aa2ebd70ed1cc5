import { Queue } from '../../../shared/base/queue.ts';
import browser from 'webextension-polyfill';
import { toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import type { FrameMark } from '../page/protocol.ts';
import type { FrameAddress, PageChannels } from './channels.ts';
import type { PageChannel } from './page-channel.ts';

const RULES: ReadonlySet<ErrorCode> = new Set(['policy_denied', 'approval_required']);

/** A frame for a message, by its address. */
export const nameOfFrame = (src: string): string =>
  src === '' ? 'A frame without an address' : `Frame ${src}`;

interface Located {
  readonly address: FrameAddress;
  readonly channel: PageChannel;
  readonly path: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export interface FinderOptions {
  readonly tabId: number;
  readonly channels: PageChannels;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Largest difference between a frame element's size and its window's: borders and scroll bars. */
const SIZE_SLACK_PX = 20;

/** Maximum frames that are asked for their position. */
const MAX_FRAMES = 100;
/** Each gets an injected script, which the page's process runs one after another. */
const ASKED_AT_ONCE = 8;
/** Time for the first answers of all frames together. */
const ALL_FRAMES_MS = 8_000;

/**
 * Finds the document of a frame in its parent's text. Frames know their path from the top; address and size distinguish
 * several in shadow trees. In a page with very many frames, or with many that hang, only the first are found.
 */
export class FrameFinder {
  readonly #located = new Map<number, Promise<Located | null>>();
  readonly #taken = new Set<number>();
  readonly #refused = new Map<string, ErrorCode>();
  readonly #asking = new Queue(ASKED_AT_ONCE);
  #waitedMs = 0;
  #waitsSince: number | null = null;

  constructor(private readonly options: FinderOptions) {}

  /** Why the rules forbid the call a frame with this address; undefined if they do not. */
  refusalOf(url: string): ErrorCode | undefined {
    return this.#refused.get(url);
  }

  /** Time in milliseconds for a frame's first answer; 0 once no more of them are awaited. */
  get patienceMs(): number {
    const waitedMs = this.#waitedMs + (this.#waitsSince === null ? 0 : performance.now() - this.#waitsSince);
    return Math.max(0, Math.min(this.options.timeoutMs, ALL_FRAMES_MS - waitedMs));
  }

  /** Waits for frames, at the expense of later ones. */
  async spend<T>(waiting: () => Promise<T>): Promise<T> {
    const since = (this.#waitsSince = performance.now());
    try {
      return await waiting();
    } finally {
      this.#waitsSince = null;
      this.#waitedMs += performance.now() - since;
    }
  }

  /** The channel of the frame at `mark`, or null if none answers. */
  find(mark: FrameMark): Promise<PageChannel | null> {
    return this.spend(async () => {
      const path = mark.path.join('.');
      const frames = (await this.#locateAll()).filter(
        (frame) => frame.path === path && !this.#taken.has(frame.address.frameId),
      );
      const found = frames.length > 1 ? this.#choose(frames, mark) : (frames[0] ?? null);
      if (found === null) return null;
      this.#taken.add(found.address.frameId);
      return found.channel;
    });
  }

  async #locateAll(): Promise<Located[]> {
    const { tabId } = this.options;
    // The known frames answer for the rest, so that each need not list a thousand frames.
    if (this.#located.size >= MAX_FRAMES || this.patienceMs === 0) return this.#known();
    const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
    const asked = frames.filter(({ frameId, errorOccurred }) => frameId !== 0 && !errorOccurred);
    for (const { frameId, url } of asked)
      if (!this.#located.has(frameId) && this.#located.size < MAX_FRAMES)
        this.#located.set(
          frameId,
          this.#asking.add(() => this.#ask({ tabId, frameId, url })),
        );
    const present = new Set(asked.map(({ frameId }) => frameId));
    return (await this.#known()).filter(({ address }) => present.has(address.frameId));
  }

  async #known(): Promise<Located[]> {
    return (await Promise.all(this.#located.values())).filter((frame) => frame !== null);
  }

  async #ask(address: FrameAddress): Promise<Located | null> {
    const { channels, signal } = this.options;
    const timeoutMs = this.patienceMs;
    if (timeoutMs === 0) return null;
    try {
      const channel = await channels.connect(address, { timeoutMs, signal });
      const waiting = { timeoutMs, signal };
      const located = await channel.ask((id) => ({ type: 'locate', id }), 'located', waiting);
      return { ...located, path: located.path.join('.'), address, channel };
    } catch (thrown) {
      signal.throwIfAborted();
      const { code } = toSpillwayError(thrown);
      if (RULES.has(code)) this.#refused.set(address.url, code);
      return null; // A frame that does not answer is reported in the coverage, at its place.
    }
  }

  #choose(frames: Located[], mark: FrameMark): Located | null {
    const byUrl = frames.filter((frame) => frame.url === mark.src);
    const rest = byUrl.length > 0 ? byUrl : frames;
    const bySize = rest.filter(
      (frame) =>
        Math.abs(frame.width - mark.width) <= SIZE_SLACK_PX &&
        Math.abs(frame.height - mark.height) <= SIZE_SLACK_PX,
    );
    return bySize[0] ?? rest[0] ?? null;
  }
}
