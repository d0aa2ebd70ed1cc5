import type { CdpResponse, HeaderMap, Initiator, NotKept } from './cdp-events.ts';

/** A WebSocket message or an event of an EventSource, as it came. */
export interface Message {
  /** Seconds since the epoch. */
  readonly time: number;
  readonly data: string;
  /** Why there is no data. */
  readonly notKept: NotKept | null;
  readonly socket?: { readonly type: 'send' | 'receive'; readonly opcode: number };
  readonly event?: { readonly name: string; readonly id: string };
}

/** What the server answered, as the network stack saw it: cookies included. */
export interface ResponseExtra {
  readonly headers: HeaderMap;
  readonly status: number | null;
}

/** The body of a response, or why it is missing. */
type ResponseBody =
  | { readonly data: string; readonly base64: boolean; readonly sizeBytes: number }
  | { readonly reason: string; readonly sizeBytes: number | null };

/** One request and its response, filled in while events come. A redirect makes one of its own. */
export interface Exchange {
  /** Of the entry's `_id`: `r17`. */
  readonly id: number;
  readonly requestId: string;
  /** CDP session below the tab, null for the tab itself. */
  readonly session: string | null;
  readonly frameId: string | null;
  readonly documentUrl: string;
  readonly url: string;
  readonly method: string;
  requestHeaders: HeaderMap;
  readonly initiator: Initiator | null;
  postData: { readonly data: string; readonly base64: boolean } | null;
  /** There is a request body, or a part of one, that was not kept; its size is -1 where it is unknown. */
  postDataNotKept: NotKept | null;
  readonly pageref: string | null;
  readonly source: 'debugger' | 'web_request';
  /** Lower case of `Network.ResourceType`. */
  type: string;
  priority: string | null;
  /** Seconds of the monotonic clock of the browser. */
  issuedAt: number;
  /** Seconds since the epoch at {@link issuedAt}. */
  wallAt: number;
  /** Whether extra info of this hop comes; null until the response says so. */
  expectsExtra: boolean | null;
  requestExtra: HeaderMap | null;
  responseExtra: ResponseExtra | null;
  response: CdpResponse | null;
  respondedAt: number | null;
  isFromMemoryCache: boolean;
  dataBytes: number;
  transferBytes: number | null;
  /** Null while it is pending. */
  endedAt: number | null;
  isRedirect: boolean;
  error: string | null;
  errorDetail: string | null;
  body: ResponseBody | null;
  messages: Message[];
  messageBytes: number;
  /** Messages that came, kept or not. */
  messageCount: number;
}

/** Facts of a request that are known when it starts. */
export type ExchangeStart = Pick<
  Exchange,
  'id' | 'requestId' | 'session' | 'url' | 'method' | 'issuedAt' | 'wallAt' | 'source' | 'type'
> &
  Partial<Exchange>;

export function createExchange(start: ExchangeStart): Exchange {
  return {
    frameId: null,
    documentUrl: '',
    requestHeaders: {},
    initiator: null,
    postData: null,
    postDataNotKept: null,
    pageref: null,
    priority: null,
    expectsExtra: null,
    requestExtra: null,
    responseExtra: null,
    response: null,
    respondedAt: null,
    isFromMemoryCache: false,
    dataBytes: 0,
    transferBytes: null,
    endedAt: null,
    isRedirect: false,
    error: null,
    errorDetail: null,
    body: null,
    messages: [],
    messageBytes: 0,
    messageCount: 0,
    ...start,
  };
}
