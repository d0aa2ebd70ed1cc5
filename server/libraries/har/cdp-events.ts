import { z } from 'zod';
import { jsonMembers } from '../../../shared/base/json-schema.ts';

/*
 * The events of CDP that entries are made of, as far as they are read: unknown members are dropped.
 * https://chromedevtools.github.io/devtools-protocol/tot/Network/
 */

/** Several values of one name are joined by line breaks. */
const Headers = jsonMembers(z.string());
export type HeaderMap = z.infer<typeof Headers>;

/** Milliseconds after `requestTime` (seconds); -1 if it did not happen. */
const at = z.number().default(-1);
const ResourceTiming = z.object({
  requestTime: z.number(),
  ...{ proxyStart: at, proxyEnd: at, dnsStart: at, dnsEnd: at, connectStart: at, connectEnd: at },
  ...{ sslStart: at, sslEnd: at, sendStart: at, sendEnd: at, receiveHeadersEnd: at },
});

/** Replaces content that the browser side did not keep. */
const NotKept = z.object({ reason: z.string(), size_bytes: z.number() });
export type NotKept = z.infer<typeof NotKept>;

const CdpRequest = z.object({
  url: z.string(),
  method: z.string(),
  headers: Headers.default({}),
  postData: z.string().optional(),
  hasPostData: z.boolean().optional(),
  postDataEntries: z.array(z.object({ bytes: z.string().optional() })).optional(),
  initialPriority: z.string().optional(),
  not_kept: NotKept.optional(),
});
export type CdpRequest = z.infer<typeof CdpRequest>;

const CdpResponse = z.object({
  status: z.number(),
  statusText: z.string().default(''),
  headers: Headers.default({}),
  requestHeaders: Headers.optional(),
  mimeType: z.string().default(''),
  protocol: z.string().optional(),
  remoteIPAddress: z.string().optional(),
  connectionId: z.number().optional(),
  fromDiskCache: z.boolean().optional(),
  fromPrefetchCache: z.boolean().optional(),
  fromServiceWorker: z.boolean().optional(),
  encodedDataLength: z.number().optional(),
  timing: ResourceTiming.optional(),
});
export type CdpResponse = z.infer<typeof CdpResponse>;

const CallFrame = z.object({
  functionName: z.string().default(''),
  url: z.string().default(''),
  lineNumber: z.number().default(0),
  columnNumber: z.number().default(0),
});
const CALL_FRAMES = 10;

/** The stack of a script is cut to its newest frames. */
const Initiator = z.object({
  type: z.string(),
  url: z.string().optional(),
  lineNumber: z.number().optional(),
  columnNumber: z.number().optional(),
  stack: z
    .object({ callFrames: z.array(CallFrame).transform((frames) => frames.slice(0, CALL_FRAMES)) })
    .optional(),
});
export type Initiator = z.infer<typeof Initiator>;

const requestId = z.string();
/** Monotonic seconds. */
const timestamp = z.number();

const SocketFrame = z.object({
  requestId,
  timestamp,
  response: z.object({ opcode: z.number(), payloadData: z.string(), not_kept: NotKept.optional() }),
});

export const EVENTS = {
  requestWillBeSent: z.object({
    requestId,
    loaderId: z.string().default(''),
    documentURL: z.string().default(''),
    request: CdpRequest,
    timestamp,
    wallTime: z.number(),
    initiator: Initiator.optional(),
    redirectHasExtraInfo: z.boolean().optional(),
    redirectResponse: CdpResponse.optional(),
    type: z.string().optional(),
    frameId: z.string().optional(),
  }),
  requestWillBeSentExtraInfo: z.object({ requestId, headers: Headers }),
  responseReceived: z.object({
    requestId,
    timestamp,
    type: z.string().optional(),
    response: CdpResponse,
    hasExtraInfo: z.boolean().optional(),
  }),
  responseReceivedExtraInfo: z.object({ requestId, headers: Headers, statusCode: z.number().optional() }),
  loadingFinished: z.object({ requestId, timestamp, encodedDataLength: z.number().nullable().default(null) }),
  loadingFailed: z.object({
    requestId,
    timestamp,
    errorText: z.string(),
    blockedReason: z.string().optional(),
    corsErrorStatus: z.object({ corsError: z.string() }).optional(),
  }),
  requestServedFromCache: z.object({ requestId }),
  resourceChangedPriority: z.object({ requestId, newPriority: z.string() }),
  webSocketCreated: z.object({ requestId, url: z.string(), initiator: Initiator.optional() }),
  webSocketWillSendHandshakeRequest: z.object({
    requestId,
    timestamp,
    wallTime: z.number(),
    request: z.object({ headers: Headers }),
  }),
  webSocketHandshakeResponseReceived: z.object({ requestId, timestamp, response: CdpResponse }),
  webSocketFrameSent: SocketFrame,
  webSocketFrameReceived: SocketFrame,
  webSocketFrameError: z.object({ requestId, timestamp, errorMessage: z.string() }),
  webSocketClosed: z.object({ requestId, timestamp }),
  eventSourceMessageReceived: z.object({
    requestId,
    timestamp,
    eventName: z.string(),
    eventId: z.string(),
    data: z.string(),
    not_kept: NotKept.optional(),
  }),
  frameNavigated: z.object({
    frame: z.object({ id: z.string(), loaderId: z.string(), parentId: z.string().optional() }),
  }),
  domContentEventFired: z.object({ timestamp }),
  loadEventFired: z.object({ timestamp }),
  attachedToTarget: z.object({ targetInfo: z.object({ targetId: z.string() }) }),
} as const;

type Events = typeof EVENTS;
/** Parsed parameters of an event. */
export type EventParams<Name extends keyof Events> = z.output<Events[Name]>;

/** A worker's first script counts as its own document. */
export const isWorkerScript = ({
  loaderId,
  documentURL,
  request,
}: EventParams<'requestWillBeSent'>): boolean => loaderId === '' && documentURL === request.url;
