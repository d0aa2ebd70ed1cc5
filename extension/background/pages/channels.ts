import { onGone } from '../chromium/last-error.ts';
import type * as z from 'zod/mini';
import browser, { type Runtime } from 'webextension-polyfill';
import { withTimeout } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { PAGE_PORT, type FromPage, type ToPage } from '../../page/protocol.ts';
import { PageChannel, type PageMessage } from './channel.ts';
import { FromPageMessage } from './from-page.ts';
import { injectionError } from './targets.ts';

/** A content script, as the build names it, and the port that it opens. */
export interface PageScript<From> {
  readonly file: string;
  readonly port: string;
  /** What its messages are parsed with. */
  readonly schema: z.ZodMiniType<From>;
}

export interface FrameAddress {
  readonly tabId: number;
  readonly frameId: number;
  /** For messages only. */
  readonly url: string;
}

const PREPARE_TIMEOUT_MS = 5_000;

const keyOf = ({ tabId, frameId }: { tabId: number; frameId: number }): string => `${tabId}:${frameId}`;

/** Says whether a call may use a channel, by what it throws. */
export type ChannelCheck = (channel: ChannelPlace) => Promise<void>;
/** Which document a channel leads to. */
export type ChannelPlace = Pick<PageChannel, 'tabId' | 'frameId' | 'documentId' | 'url' | 'origin'>;

interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The way to documents, for one call or for all. */
export interface PageChannels<To extends PageMessage = ToPage, From extends PageMessage = FromPage> {
  /** An id for a request on any channel. */
  nextId(): number;
  /**
   * The channel of a frame, injecting the script where it is not there yet.
   *
   * @throws SpillwayError of the injection, `page_unresponsive` at the deadline, or of the check
   */
  connect(address: FrameAddress, waiting: Waiting): Promise<PageChannel<To, From>>;
  /**
   * Injects the script into a tab's top document ahead of the first question, so that it sees whether
   * the page still changes. Pages that refuse it say so when they are asked.
   */
  prepare(tabId: number): void;
  /**
   * Injects a script that the one of the channels may use, next to it.
   *
   * @throws SpillwayError of the injection, or `page_unresponsive` at the deadline
   */
  add(file: string, address: FrameAddress, waiting: Waiting): Promise<void>;
  /** The same channels, each of which is checked whenever it is asked for. */
  guardedBy(check: ChannelCheck): PageChannels<To, From>;
}

/**
 * The channels to all documents that a script was injected into, one a frame: made at the first
 * question, kept until the document goes, recreated by a worker that lost them.
 */
export class DocumentChannels<
  To extends PageMessage = ToPage,
  From extends PageMessage = FromPage,
> implements PageChannels<To, From> {
  readonly #script: PageScript<From>;
  readonly #channels = new Map<string, PageChannel<To, From>>();
  readonly #waiting = new Map<string, Set<(channel: PageChannel<To, From>) => void>>();
  #lastId = 0;

  /** Registers its listener at once: a worker that wakes for a port must not miss it. */
  constructor(script: PageScript<From>) {
    this.#script = script;
    browser.runtime.onConnect.addListener((port) => this.#accept(port));
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #accept(port: Runtime.Port): void {
    const { sender } = port;
    if (port.name !== this.#script.port || sender?.id !== browser.runtime.id) return;
    const tabId = sender.tab?.id;
    if (tabId === undefined || sender.frameId === undefined) return;
    const key = keyOf({ tabId, frameId: sender.frameId });
    const channel = new PageChannel<To, From>(port, this.#script.schema);
    this.#channels.set(key, channel);
    onGone(port, () => {
      if (this.#channels.get(key) === channel) this.#channels.delete(key);
    });
    for (const resolve of this.#waiting.get(key) ?? []) resolve(channel);
    this.#waiting.delete(key);
  }

  guardedBy(check: ChannelCheck): PageChannels<To, From> {
    return {
      nextId: () => this.nextId(),
      connect: async (address, waiting) => {
        const channel = await this.connect(address, waiting);
        await check(channel);
        return channel;
      },
      prepare: (tabId) => this.prepare(tabId),
      add: (file, address, waiting) => this.add(file, address, waiting),
      guardedBy: (further) =>
        this.guardedBy(async (channel) => {
          await check(channel);
          await further(channel);
        }),
    };
  }

  async connect(address: FrameAddress, { timeoutMs, signal }: Waiting): Promise<PageChannel<To, From>> {
    const known = this.#channels.get(keyOf(address));
    if (known !== undefined && !known.isClosed) return known;
    signal.throwIfAborted();
    let arrive: (channel: PageChannel<To, From>) => void = () => undefined;
    const arrived = new Promise<PageChannel<To, From>>((resolve) => (arrive = resolve));
    const stopWaiting = this.#await(keyOf(address), (channel) => arrive(channel));
    try {
      // The port usually arrives while the injection is still being reported.
      const connected = Promise.race([arrived, this.#inject(address).then(() => arrived)]);
      return await withTimeout(connected, timeoutMs, () => lateError(address, timeoutMs), signal);
    } finally {
      stopWaiting();
    }
  }

  prepare(tabId: number): void {
    const options = { timeoutMs: PREPARE_TIMEOUT_MS, signal: new AbortController().signal };
    this.connect({ tabId, frameId: 0, url: '' }, options).catch(() => undefined);
  }

  /** Calls back with the next channel of a frame, until the returned function is called. */
  #await(key: string, arrive: (channel: PageChannel<To, From>) => void): () => void {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    waiting.add(arrive);
    return () => {
      waiting.delete(arrive);
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    };
  }

  add(file: string, address: FrameAddress, { timeoutMs, signal }: Waiting): Promise<void> {
    return withTimeout(this.#inject(address, file), timeoutMs, () => lateError(address, timeoutMs), signal);
  }

  async #inject({ tabId, frameId, url }: FrameAddress, file = this.#script.file): Promise<void> {
    try {
      await browser.scripting.executeScript({
        target: { tabId, frameIds: [frameId] },
        injectImmediately: true,
        files: [file],
      });
    } catch (thrown) {
      throw injectionError(thrown, tabId, url);
    }
  }
}

const lateError = ({ tabId, url }: FrameAddress, timeoutMs: number): SpillwayError =>
  new SpillwayError('page_unresponsive', `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`);

/** Channels to the script that reads pages. */
export const createPageChannels = (): PageChannels =>
  new DocumentChannels<ToPage, FromPage>({ file: 'page.js', port: PAGE_PORT, schema: FromPageMessage });
