import browser from 'webextension-polyfill';
import { isObject } from '../../../shared/json.ts';
import type { DebuggerEvent } from '../../background/chromium/debugger/sessions.ts';
import { Bodies, type BodyBudget } from './bodies.ts';
import { keepContent } from './messages.ts';
import type { CaptureLine } from '../../../shared/tools/network/lines.ts';
import type { Outbox } from './outbox.ts';
import type { CaptureFeed, FeedParts } from './feed.ts';
import type { Tap, Taps } from './tap.ts';
import { trimEvent } from './trim.ts';
import { NO_TAB, WebRequestFeed } from './web-request-feed.ts';

/** Feeds a capture from the tab's debugger, and with what the workers load that documents of the tab share with other tabs. */
export class DebuggerFeed implements CaptureFeed {
  readonly source = 'debugger';
  readonly #tap: Tap;
  readonly #outbox: Outbox;
  readonly #budget: BodyBudget;
  readonly #bodies: Bodies;
  readonly #unsubscribe: () => void;
  readonly #release: () => Promise<void>;
  readonly #workers: WorkerLoads;

  private constructor(
    held: Awaited<ReturnType<Taps['acquire']>>,
    { outbox, budget, filter }: FeedParts,
    address: string,
  ) {
    this.#workers = new WorkerLoads({ outbox, budget, filter }, address);
    this.#tap = held.tap;
    this.#release = held.release;
    this.#outbox = outbox;
    this.#budget = budget;
    this.#bodies = new Bodies({
      budget,
      send: (method, params, session) => held.tap.send(method, params, session),
      areKept: held.tap.keepsBodies,
      room: (sizeBytes) => outbox.room(sizeBytes),
      push: (line) => outbox.push(line),
    });
    this.#unsubscribe = held.tap.subscribe((event) => {
      for (const taken of filter.take(event)) this.#event(taken);
    });
  }

  /** @throws SpillwayError of the attachment */
  static async open(taps: Taps, tabId: number, parts: FeedParts): Promise<DebuggerFeed> {
    const held = await taps.acquire(tabId);
    const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
    return new DebuggerFeed(held, parts, url);
  }

  get lost(): AbortSignal {
    return this.#tap.signal;
  }

  get progress(): number {
    return this.#bodies.progress;
  }

  async settle(): Promise<void> {
    await this.#tap.settle();
    this.#workers.flush();
    await this.#bodies.settle();
  }

  async stopObserving(): Promise<void> {
    await this.#tap.settle();
    this.#unsubscribe();
    this.#workers.close();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#bodies.close();
    this.#workers.close();
    await this.#release();
  }

  #event(event: DebuggerEvent): void {
    const { method, sessionId: session } = event;
    this.#workers.observe(event);
    const trimmed = trimEvent(method, event.params);
    if (trimmed !== null) {
      const params = keepContent(method, trimmed, this.#budget);
      this.#outbox.push({ kind: 'event', at_ms: Date.now(), session, method, params });
    }
    this.#bodies.observe(event);
  }
}

/** Service workers tell the debugger of their loads, too; those that ran before the tab came often do not. */
const SERVICE_WORKER = 'service_worker';

/** Loads of the origins' service workers and shared workers, from `webRequest`; left out where the debugger reports them too. */
class WorkerLoads {
  readonly #feed: WebRequestFeed;
  readonly #outbox: Outbox;
  /** Of the tab's documents. */
  readonly #origins = new Set<string>();
  readonly #sessions = new Set<unknown>();
  /** How often service workers told the debugger of a load, by its address. */
  readonly #known = new Map<string, number>();
  /** Lines of loads, by their request, until it is known whether the debugger reports them. */
  readonly #held = new Map<string, CaptureLine[]>();

  constructor({ outbox, ...parts }: FeedParts, address: string) {
    this.#outbox = outbox;
    this.#learn(address);
    const held = { push: (line: CaptureLine) => this.#hold(line) };
    this.#feed = new WebRequestFeed(NO_TAB, { ...parts, outbox: held }, (origin) =>
      this.#origins.has(origin),
    );
  }

  #learn(address: unknown): void {
    if (typeof address === 'string' && URL.canParse(address)) this.#origins.add(new URL(address).origin);
  }

  /** A load ends with a line of its body, which names its request in another place. */
  #hold(line: CaptureLine): void {
    if (line.kind !== 'web_request' && line.kind !== 'no_body') return;
    const id = line.kind === 'no_body' ? line.request_id : String(line.details['requestId']);
    this.#held.set(id, [...(this.#held.get(id) ?? []), line]);
  }

  observe({ method, sessionId, params }: DebuggerEvent): void {
    const { documentURL, targetInfo, request } = params;
    this.#learn(documentURL);
    if (method === 'Target.attachedToTarget' && isObject(targetInfo) && targetInfo['type'] === SERVICE_WORKER)
      this.#sessions.add(params['sessionId']);
    if (method !== 'Network.requestWillBeSent' || !this.#sessions.has(sessionId) || !isObject(request))
      return;
    const url = String(request['url']);
    this.#known.set(url, (this.#known.get(url) ?? 0) + 1);
  }

  /** Passes on what the debugger has not reported. */
  flush(): void {
    for (const lines of this.#held.values()) {
      const [first] = lines;
      const url = first?.kind === 'web_request' ? String(first.details['url']) : '';
      const times = this.#known.get(url) ?? 0;
      if (times > 0) this.#known.set(url, times - 1);
      else for (const line of lines) this.#outbox.push(line);
    }
    this.#held.clear();
  }

  close(): void {
    void this.#feed.close();
    this.flush();
  }
}
