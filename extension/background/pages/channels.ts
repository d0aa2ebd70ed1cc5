import { onGone, originOf } from '../chromium/members.ts';
import browser, { type Runtime } from 'webextension-polyfill';
import { deferred, waitAtMost, withTimeout } from '../../../shared/async.ts';
import * as z from 'zod/mini';
import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import { PAGE_PORT, type Failure, type FromPage, type ToPage } from '../../page/protocol.ts';
import { readMessage } from '../../ports/read-message.ts';
import { AUDIT_PORT, type FromAudit, type ToAudit } from '../../page/audit/protocol.ts';
import { EXTRACT_PORT, type FromExtract, type ToExtract } from '../../page/extract/protocol.ts';
import * as sent from '../../ports/page-messages.ts';
import { WitnessedEvent } from '../../ports/page-answers.ts';
import { getReadableTab, injectionError } from './targets.ts';

interface ReceiveOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For the message at the deadline. Default: The page. */
  readonly name?: string;
}

type Answered<From> = Exclude<From, { readonly type: 'failed' }>;
type AnswerOf<From, Type> = Extract<From, { readonly type: Type }>;

export interface PageMessage {
  readonly type: string;
  readonly id: number;
  readonly code?: ErrorCode;
  readonly message?: string;
  /** The last ref number that a request used. */
  readonly last?: number | undefined;
}

/** Every content script accepts it. */
interface CancelMessage {
  readonly type: 'cancel';
  readonly id: number;
}

interface Borrowed {
  settle(last: number): void;
}

interface Inbox<From> {
  borrowed: Borrowed | null;
  readonly queue: (From | Failure)[];
  wake: (() => void) | null;
}

/**
 * One document's port: requests and their answers by id, every wait with a deadline and a signal. Every content script
 * of ours accepts `cancel` and answers `failed`; other messages are its own.
 */
export class PageChannel<To extends PageMessage = ToPage, From extends PageMessage = FromPage> {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
  readonly url: string;
  /** `null` for an opaque origin; undefined if the browser does not report it. */
  readonly origin: string | undefined;
  readonly #inboxes = new Map<number, Inbox<From>>();
  #isClosed = false;
  #lastId = 0;

  /** @param schema for every message of the page */
  constructor(
    private readonly port: Runtime.Port,
    schema: z.ZodMiniType<From>,
  ) {
    this.tabId = port.sender?.tab?.id ?? -1;
    this.frameId = port.sender?.frameId ?? 0;
    this.documentId = port.sender?.documentId ?? '';
    this.url = port.sender?.url ?? '';
    this.origin = originOf(port);
    port.onMessage.addListener((message) => this.#receive(message, schema));
    onGone(port, () => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A malformed answer fails the request that it names. Without an id it is logged and dropped. */
  #receive(data: unknown, schema: z.ZodMiniType<From>): void {
    const received = readMessage(this.port.name, schema, data);
    if (received === null) return;
    const inbox = this.#inboxes.get(received.id);
    if (inbox === undefined) return;
    const message = received.message ?? malformed(received.id);
    if (message.last !== undefined) inbox.borrowed?.settle(message.last);
    inbox.queue.push(message);
    inbox.wake?.();
  }

  #close(): void {
    this.#isClosed = true;
    for (const inbox of this.#inboxes.values()) inbox.wake?.();
  }

  /**
   * Begins a request, and returns its id.
   * @param borrowed settled when an answer reports how much of it was used
   */
  open(borrowed: Borrowed | null = null, id = (this.#lastId += 1)): number {
    this.#inboxes.set(id, { borrowed, queue: [], wake: null });
    return id;
  }

  /** Asks one question and returns its answer. @throws SpillwayError as {@link receive} */
  async ask<Type extends From['type']>(
    question: (id: number) => To,
    type: Type,
    options: ReceiveOptions & { readonly borrowed?: Borrowed | null },
  ): Promise<AnswerOf<From, Type>> {
    const id = this.open(options.borrowed);
    try {
      this.post(question(id));
      return await this.receiveA(type, id, options);
    } finally {
      this.release(id);
    }
  }

  /** Records further numbers lent to the request. */
  lend(id: number, borrowed: Borrowed): void {
    const inbox = this.#inboxes.get(id);
    if (inbox !== undefined) inbox.borrowed = borrowed;
  }

  /** Ends an answered request without state in the page. */
  end(id: number): void {
    this.#inboxes.delete(id);
  }

  /** Ends a request; the page forgets its state. */
  release(id: number): void {
    if (!this.#inboxes.delete(id) || this.#isClosed) return;
    this.post({ type: 'cancel', id });
  }

  post(message: To | CancelMessage): void {
    if (this.#isClosed) return;
    try {
      this.port.postMessage(message);
    } catch {
      this.#close(); // The document went away; its onDisconnect is pending.
    }
  }

  /** The next answer to request `id`, of this type. @throws SpillwayError as {@link receive} */
  async receiveA<Type extends From['type']>(
    type: Type,
    id: number,
    options: ReceiveOptions,
  ): Promise<AnswerOf<From, Type>> {
    const answer: From = await this.receive(id, options);
    if (isOfType(answer, type)) return answer;
    throw new SpillwayError('internal_error', `The page answered ${answer.type} instead of ${type}.`);
  }

  /** The next answer to request `id`. @throws SpillwayError as {@link next}; `page_unresponsive` at the deadline */
  async receive(
    id: number,
    { timeoutMs, signal, name = 'The page' }: ReceiveOptions,
  ): Promise<Answered<From>> {
    const answer = await this.next(id, timeoutMs, signal);
    if (answer !== null) return answer;
    throw new SpillwayError('page_unresponsive', `${name} did not answer within ${timeoutMs} ms.`);
  }

  /**
   * The next answer to request `id`, or null at the time limit.
   * @throws SpillwayError the page's error; `page_changed` if the document no longer exists
   */
  async next(id: number, timeoutMs: number, signal: AbortSignal): Promise<Answered<From> | null> {
    const inbox = this.#inboxes.get(id);
    if (inbox === undefined) throw new SpillwayError('internal_error', `Page request ${id} is not active.`);
    if (inbox.queue.length === 0 && !this.#isClosed) {
      const { promise, resolve } = deferred<void>();
      inbox.wake = resolve;
      await waitAtMost(promise, timeoutMs, signal).finally(() => (inbox.wake = null));
    }
    signal.throwIfAborted();
    const message = inbox.queue.shift();
    if (message === undefined) {
      if (!this.#isClosed) return null;
      throw new SpillwayError('page_changed', 'The page was closed or navigated during the read.');
    }
    if (isAnswer(message)) return message;
    throw new SpillwayError(message.code ?? 'internal_error', message.message ?? 'The page failed.');
  }
}

function isAnswer<From extends PageMessage>(message: From | Failure): message is Answered<From> {
  return message.type !== 'failed';
}

function isOfType<From extends PageMessage, Type extends From['type']>(
  message: From,
  type: Type,
): message is AnswerOf<From, Type> {
  return message.type === type;
}

const malformed = (id: number): Failure => ({
  type: 'failed',
  id,
  code: 'internal_error',
  message: 'The page sent a malformed message.',
});

/** A content script, by the build's name for it, and the port that it opens. */
interface PageScript<From> {
  readonly file: string;
  readonly port: string;
  readonly schema: z.ZodMiniType<From>;
}

export interface FramePlace {
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

const keyOf = ({ tabId, frameId }: { tabId: number; frameId: number }): string => `${tabId}:${frameId}`;

/** Checks whether a call may use a channel; throws if not. */
type ChannelCheck = (channel: ChannelPlace) => Promise<void>;
export type ChannelPlace = Pick<PageChannel, 'tabId' | 'frameId' | 'documentId' | 'url' | 'origin'>;

interface Waiting {
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
  readonly #waiting = new Map<string, Set<(channel: PageChannel<To, From>) => void>>();
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
    const key = keyOf({ tabId, frameId: sender.frameId });
    const channel = new PageChannel<To, From>(port, this.script.schema);
    this.#channels.set(key, channel);
    onGone(port, () => {
      if (this.#channels.get(key) === channel) this.#channels.delete(key);
    });
    for (const resolve of this.#waiting.get(key) ?? []) resolve(channel);
    this.#waiting.delete(key);
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
    { timeoutMs, signal }: Waiting,
  ): Promise<PageChannel<To, From>> {
    const ahead = frameId === 0 ? this.#ahead.get(tabId) : undefined;
    if (ahead !== undefined) await waitAtMost(ahead, AHEAD_MS, signal);
    const known = this.#channels.get(keyOf({ tabId, frameId }));
    if (
      known !== undefined &&
      !known.isClosed &&
      (await isCurrent(known, more.documentId)) &&
      !known.isClosed
    )
      return known;
    const url = more.url ?? (await getReadableTab(tabId)).url ?? '';
    const address = { tabId, frameId, url };
    signal.throwIfAborted();
    const { promise: arrived, resolve } = deferred<PageChannel<To, From>>();
    const stopWaiting = this.#await(keyOf(address), resolve);
    try {
      // The port usually arrives while the injection is still being reported.
      const connected = Promise.race([arrived, this.#inject(address).then(() => arrived)]);
      return await withTimeout(connected, timeoutMs, () => lateError(address, timeoutMs), signal);
    } finally {
      stopWaiting();
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

  /**
   * Injects an additional script for the channels' own one.
   * @throws SpillwayError of the injection, or `page_unresponsive` at the deadline
   */
  add(file: string, address: FrameAddress, { timeoutMs, signal }: Waiting): Promise<void> {
    return withTimeout(this.#inject(address, file), timeoutMs, () => lateError(address, timeoutMs), signal);
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
  const frame: { readonly documentId?: string } | null = await browser.webNavigation
    .getFrame({ tabId, frameId })
    .catch(() => null);
  return frame?.documentId === undefined || frame.documentId === documentId;
}

const ignore = (): void => undefined;

const lateError = ({ tabId, url }: FrameAddress, timeoutMs: number): SpillwayError =>
  new SpillwayError('page_unresponsive', `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`);

const FromPageMessage = z.discriminatedUnion('type', [
  ...sent.PAGE_MESSAGES,
  z.object({ type: z.literal('witnessed'), id: z.int(), witnessed: WitnessedEvent }),
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
