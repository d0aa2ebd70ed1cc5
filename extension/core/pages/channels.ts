import { onGone } from '../../platform/chromium/members.ts';
import browser, { type Runtime } from 'webextension-polyfill';
import { waitAtMost, withTimeout } from '../../../shared/base/async.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import * as z from 'zod/mini';
import type { SpillwayError } from '../../../shared/base/errors.ts';
import { PAGE_PORT, type FromPage, type ToPage } from '../page/protocol.ts';
import { PageChannel, type PageMessage } from './page-channel.ts';
import { AUDIT_PORT, type FromAudit, type ToAudit } from '../../audit/page/protocol.ts';
import { EXTRACT_PORT, type FromExtract, type ToExtract } from '../../extract/page/protocol.ts';
import * as sent from '../ports/page-messages.ts';
import { Did, Found, Rest, Stage, Want } from '../ports/page-answers.ts';
import { getReadableTab, injectionError, lateError } from './targets.ts';

/** A content script, by the build's name for it, and the port that it opens. */
interface PageScript<From> {
  readonly file: string;
  readonly port: string;
  readonly schema: z.ZodMiniType<From>;
}

interface FramePlace {
  readonly tabId: number;
  readonly frameId: number;
}

export interface FrameAddress extends FramePlace {
  /** For messages only. */
  readonly url: string;
}

/** A frame to connect; unknown facts are looked up when needed. */
interface FrameToConnect extends FramePlace {
  readonly url?: string;
  /** Its current document. */
  readonly documentId?: string | undefined;
}

const PREPARE_TIMEOUT_MS = 5_000;
/** How long a question waits for a script injected in advance. One injected into an old page never connects. */
const AHEAD_MS = 200;

const frameKey = ({ tabId, frameId }: { tabId: number; frameId: number }): string => `${tabId}:${frameId}`;

/** Checks whether a call may use a channel; throws if not. */
type ChannelCheck = (channel: ChannelPlace) => Promise<void>;
export type ChannelPlace = Pick<PageChannel, 'tabId' | 'frameId' | 'documentId' | 'url' | 'origin'>;

interface ConnectWait {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Access to documents, for one call or for all. */
export type PageChannels<To extends PageMessage = ToPage, From extends PageMessage = FromPage> = Pick<
  DocumentChannels<To, From>,
  'connect' | 'prepare' | 'add' | 'guardedBy'
>;

/**
 * The channels to all documents with an injected script, one per frame: created at the first question, kept until the
 * document goes, recreated by a worker that lost them.
 */
class DocumentChannels<To extends PageMessage, From extends PageMessage> {
  readonly #channels = new Map<string, PageChannel<To, From>>();
  readonly #arrivals = new Waiters<string, PageChannel<To, From>>();
  /** By tab, while a script injected in advance has not connected. */
  readonly #ahead = new Map<number, Promise<void>>();

  /** Registers its listener at once: a worker that wakes for a port must not miss it. */
  constructor(private readonly script: PageScript<From>) {
    browser.runtime.onConnect.addListener((port) => this.#accept(port));
  }

  #accept(port: Runtime.Port): void {
    const { sender } = port;
    if (port.name !== this.script.port || sender?.id !== browser.runtime.id) return;
    const tabId = sender.tab?.id;
    if (tabId === undefined || sender.frameId === undefined) return;
    const key = frameKey({ tabId, frameId: sender.frameId });
    const known = this.#openOf(key, sender.documentId);
    if (known !== null) port.disconnect();
    this.#arrivals.notify(key, known ?? this.#open(key, port));
  }

  /** Two injections at once connect a document twice. Its numbers of elements belong to the first port. */
  #openOf(key: string, documentId: string | undefined): PageChannel<To, From> | null {
    const known = this.#channels.get(key);
    const isSame = known?.isClosed === false && known.documentId !== '' && known.documentId === documentId;
    return isSame ? known : null;
  }

  #open(key: string, port: Runtime.Port): PageChannel<To, From> {
    const channel = new PageChannel<To, From>(port, this.script.schema);
    this.#channels.set(key, channel);
    onGone(port, () => {
      if (this.#channels.get(key) === channel) this.#channels.delete(key);
    });
    return channel;
  }

  /** The same channels, each checked on every use. */
  guardedBy(check: ChannelCheck): PageChannels<To, From> {
    return {
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

  /**
   * The channel of a frame, after injecting the script if necessary.
   * @throws SpillwayError of the injection, `page_unresponsive` at the deadline, of the check, or of a tab that cannot
   * be read
   */
  async connect(
    { tabId, frameId, ...more }: FrameToConnect,
    { timeoutMs, signal }: ConnectWait,
  ): Promise<PageChannel<To, From>> {
    const ahead = frameId === 0 ? this.#ahead.get(tabId) : undefined;
    if (ahead !== undefined) await waitAtMost(ahead, AHEAD_MS, signal);
    const known = this.#channels.get(frameKey({ tabId, frameId }));
    if (known !== undefined && !known.isClosed) {
      const isShown = await isCurrent(known, more.documentId);
      if (isShown && !known.isClosed) return known;
      // Firefox keeps the port of a document that it may show again. Until then it answers nothing.
      if (!isShown && more.documentId === undefined) known.leave();
    }
    const url = more.url ?? (await getReadableTab(tabId)).url ?? '';
    const address = { tabId, frameId, url };
    signal.throwIfAborted();
    const { next: arrived, stop } = this.#arrivals.open(frameKey(address));
    try {
      // The port usually arrives while the injection is still being reported.
      const connected = Promise.race([arrived, this.#inject(address).then(() => arrived)]);
      return await withTimeout(connected, timeoutMs, () => lateError(tabId, url, timeoutMs), signal);
    } finally {
      stop();
    }
  }

  /**
   * Injects the script into a tab's top document before the first question, so that it sees whether the page still
   * changes. Pages that refuse it report that when they are asked.
   */
  prepare(tabId: number): void {
    const options = { timeoutMs: PREPARE_TIMEOUT_MS, signal: new AbortController().signal };
    this.#ahead.delete(tabId);
    const connected = this.connect({ tabId, frameId: 0, url: '' }, options).then(ignore, ignore);
    this.#ahead.set(tabId, connected);
    void connected.then(() => {
      if (this.#ahead.get(tabId) === connected) this.#ahead.delete(tabId);
    });
  }

  /**
   * Injects an additional script for the channels' own one.
   * @throws SpillwayError of the injection, or `page_unresponsive` at the deadline
   */
  add(file: string, address: FrameAddress, { timeoutMs, signal }: ConnectWait): Promise<void> {
    const late = (): SpillwayError => lateError(address.tabId, address.url, timeoutMs);
    return withTimeout(this.#inject(address, file), timeoutMs, late, signal);
  }

  async #inject({ tabId, frameId, url }: FrameAddress, file = this.script.file): Promise<void> {
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

/**
 * The port of a document in another process may close after the next document is shown; until then the old one would
 * answer for the new.
 */
async function isCurrent(
  { tabId, frameId, documentId }: ChannelPlace,
  shown: string | undefined,
): Promise<boolean> {
  if (documentId === '' || shown !== undefined) return documentId === '' || shown === documentId;
  const frame = await browser.webNavigation.getFrame({ tabId, frameId }).catch(() => null);
  return frame?.documentId === undefined || frame.documentId === documentId;
}

const ignore = (): void => undefined;

const FromPageMessage = z.discriminatedUnion('type', [
  ...sent.PAGE_MESSAGES,
  z.object({ type: z.literal('wants'), id: z.int(), want: Want }),
  z.object({ type: z.literal('busy'), id: z.int() }),
  z.object({ type: z.literal('did'), id: z.int(), did: Did }),
  z.object({ type: z.literal('seen'), id: z.int(), at: Stage }),
  z.object({ type: z.literal('rested'), id: z.int(), rest: Rest }),
  z.object({
    type: z.literal('sought'),
    id: z.int(),
    found: Found,
    scriptId: z.string(),
    last: z.optional(z.int()),
  }),
]);

/** Channels to the page-reading script. */
export const createPageChannels = (): PageChannels =>
  new DocumentChannels<ToPage, FromPage>({ file: 'page.js', port: PAGE_PORT, schema: FromPageMessage });

/** Channels to the extraction script, which is injected only when needed. */
export type ExtractChannels = PageChannels<ToExtract, FromExtract>;

export const createExtractChannels = (): ExtractChannels =>
  new DocumentChannels<ToExtract, FromExtract>({
    file: 'extract.js',
    port: EXTRACT_PORT,
    schema: sent.FromExtract,
  });

/** Channels to the audit script, which is injected only when needed. */
export type AuditChannels = PageChannels<ToAudit, FromAudit>;

export const createAuditChannels = (): AuditChannels =>
  new DocumentChannels<ToAudit, FromAudit>({ file: 'audit.js', port: AUDIT_PORT, schema: sent.FromAudit });
