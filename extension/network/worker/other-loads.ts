import { BoundedMap } from '../../../shared/base/maps.ts';
import { isObject } from '../../../shared/base/json.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import { endOfLoad, type NetworkEvent } from '../../platform/chromium/network-events.ts';
import { NO_TAB, WebRequestFeed, type FeedParts, type Seen } from './web-request-feed.ts';

/** By then, the debugger has reported a load that has ended, or it will not. */
const REPORTED_MS = 2_000;
/** Loads that are held; of more, the oldest is decided at once. */
const HELD = 500;
/** Loads that are compared. Of more, the oldest is forgotten. */
const REPORTED = 2_000;

/** A load that `webRequest` has reported. */
interface Held {
  readonly key: string;
  readonly lines: CaptureLine[];
  /** How it ended. */
  end: Seen | null;
}

/** A load that the debugger has reported, and whose end it has not. */
interface Reported {
  readonly key: string;
  readonly event: NetworkEvent;
  /** The request of `webRequest` that it is. */
  request: string | null;
  /** The page that asked for it is gone: the debugger does not report its end. */
  isLeft: boolean;
  /** How it ended by `webRequest`. */
  end: Seen | null;
}

/**
 * Loads that the debugger does not report, from `webRequest`: those of the origins' service workers and shared workers,
 * which may be older than the tab, and those that a page sends while the tab leaves it. Also the ends of loads whose page
 * was left.
 */
export class OtherLoads {
  readonly #feed: WebRequestFeed;
  readonly #origins = new Set<string>();
  readonly #sessions = new Set<unknown>();
  readonly #reported = new BoundedMap<string, Reported>(REPORTED);
  /** Lines of loads by request, until it is known whether the debugger reports them. */
  readonly #held = new Map<string, Held>();
  /** The load of each frame's document, by frame; empty for a frame whose page is gone. */
  readonly #documents = new BoundedMap<string, string>(REPORTED);
  /** Whether a load is passed on, by request, if that was decided before its end. */
  readonly #decided = new BoundedMap<string, boolean>(REPORTED);

  /** @param report takes the events that the debugger owes */
  constructor(
    private readonly parts: FeedParts,
    private readonly tab: { readonly id: number; readonly url: string },
    private readonly report: (event: NetworkEvent) => void,
  ) {
    this.#learn(tab.url);
    const outbox = { push: (line: CaptureLine) => this.#hold(line) };
    this.#feed = new WebRequestFeed(NO_TAB, { ...parts, outbox }, (seen) => this.#takes(seen));
  }

  #learn(address: unknown): void {
    if (typeof address === 'string' && URL.canParse(address)) this.#origins.add(new URL(address).origin);
  }

  /** Whether lines of a request are wanted. Documents are all reported. */
  #takes(seen: Seen): boolean {
    const { tabId, initiator = '', requestId, type, stage } = seen;
    const isEnd = stage === 'completed' || stage === 'failed';
    const isOurs =
      tabId === this.tab.id
        ? type?.endsWith('_frame') !== true
        : tabId === NO_TAB && this.#origins.has(initiator);
    const held = this.#held.get(requestId);
    if (held !== undefined && isEnd) held.end = seen;
    if (!isOurs || held !== undefined) return isOurs;
    const decided = this.#decided.get(requestId);
    if (decided !== undefined || stage !== 'before') {
      if (decided === false && isEnd) this.#ends(seen);
      return decided === true;
    }
    const key = loadKey(tabId === NO_TAB, seen);
    const found = [...this.#reported.values()].find((one) => one.request === null && one.key === key);
    if (found === undefined) return true;
    found.request = requestId;
    this.#decided.set(requestId, false);
    return false;
  }

  #ends(end: Seen): void {
    const found = [...this.#reported.values()].find(({ request }) => request === end.requestId);
    if (found === undefined) return;
    found.end = end;
    this.#settle(found);
  }

  /** A load ends with the line of its body, which has the request id elsewhere. */
  #hold(line: CaptureLine): void {
    if (line.kind !== 'web_request' && line.kind !== 'no_body') return;
    const isEnd = line.kind === 'no_body';
    const id = isEnd ? line.request_id : String(line.details['requestId']);
    const held = this.#held.get(id);
    if (held !== undefined) held.lines.push(line);
    else if (this.#decided.get(id) === true) this.parts.outbox.push(line);
    else if (!isEnd)
      this.#held.set(id, {
        key: loadKey(line.details['tabId'] === NO_TAB, line.details),
        lines: [line],
        end: null,
      });
    if (isEnd && held !== undefined) setTimeout(() => this.#pass(id), REPORTED_MS);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD && oldest !== undefined) this.#pass(oldest);
  }

  /** Takes an event that has been passed on. */
  observe(event: NetworkEvent): void {
    const { kind, sessionId, params } = event;
    const { documentURL, targetInfo, request, requestId, frame } = params;
    this.#learn(documentURL);
    if (kind === 'target' && isObject(targetInfo) && targetInfo['type'] === 'service_worker')
      this.#sessions.add(params['sessionId']);
    if (kind === 'document' && sessionId === null && isObject(frame)) this.#leave(frame);
    if (kind === 'finished' || kind === 'failed') this.#reported.delete(String(requestId));
    if (kind === 'request' && isObject(request)) this.#begin(String(requestId), event, request);
  }

  /** A redirect has the id of its request. */
  #begin(requestId: string, event: NetworkEvent, request: Readonly<Record<string, unknown>>): void {
    // `webRequest` reports no others: an address of data would wait in vain, and can be large.
    if (this.#reported.has(requestId) || !String(request['url']).startsWith('http')) return;
    const key = loadKey(this.#sessions.has(event.sessionId), request);
    const [id = null, held] = [...this.#held].find(([, one]) => one.key === key) ?? [];
    const isLeft = event.sessionId === null && this.#isOfLeftPage(event.params);
    const load: Reported = { key, event, request: id, isLeft, end: held?.end ?? null };
    this.#reported.set(requestId, load);
    if (id === null) return;
    this.#held.delete(id);
    this.#decided.set(id, false);
    this.#settle(load);
  }

  /** A load can be reported after the page that asked for it is gone. A document's own is reported before it. */
  #isOfLeftPage({ requestId, frameId, loaderId }: NetworkEvent['params']): boolean {
    const shown = this.#documents.get(String(frameId)) ?? loaderId;
    return shown !== loaderId && requestId !== loaderId;
  }

  /** The tab, or one of its frames, shows another document: loads of the last one are left. */
  #leave({ id, parentId, loaderId }: Readonly<Record<string, unknown>>): void {
    if (parentId === undefined)
      for (const frame of [...this.#documents.keys()]) this.#documents.set(frame, '');
    this.#documents.set(String(id), String(loaderId));
    for (const load of [...this.#reported.values()]) {
      const { sessionId, params } = load.event;
      const isOfFrame = parentId === undefined || params['frameId'] === id;
      if (!isOfFrame || sessionId !== null || params['loaderId'] === loaderId) continue;
      load.isLeft = true;
      this.#settle(load);
    }
  }

  #settle({ event, isLeft, end }: Reported): void {
    if (!isLeft || end === null) return;
    const { requestId, timestamp, wallTime } = event.params;
    const at = Number(timestamp) + (end.timeStamp / 1_000 - Number(wallTime));
    this.#reported.delete(String(requestId));
    this.report(endOfLoad(event, at, end.stage === 'failed' ? (end.error ?? '') : null));
  }

  /** Passes on what the debugger has not reported. */
  flush(): void {
    for (const id of this.#held.keys()) this.#pass(id);
  }

  #pass(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#decided.set(id, true);
    for (const line of held.lines) this.parts.outbox.push(line);
  }

  close(): void {
    void this.#feed.close();
    this.flush();
  }
}

/** Addresses without fragments, which the debugger keeps apart. */
function loadKey(
  isOfWorker: boolean,
  { method, url }: { readonly method?: unknown; readonly url?: unknown },
): string {
  const [address] = String(url).split('#', 1);
  return `${isOfWorker} ${String(method)} ${address}`;
}
