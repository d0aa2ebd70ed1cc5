import type { z } from 'zod';
import type { JsonObject } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import { EVENTS, isWorkerScript, type CdpRequest, type EventParams } from './cdp-events.ts';
import {
  Chains,
  Exchange,
  NOT_REPORTED,
  withoutTimes,
  MessageLog,
  PageTracker,
  type PageFacts,
} from './exchange.ts';
import { takeWebRequest } from './web-requests.ts';

type EventLine = Extract<CaptureLine, { kind: 'event' }>;
type Handler = (params: JsonObject, line: EventLine) => boolean;

/** An ended request waits this long, in the browser's time, for a body or headers that may never arrive. */
const SETTLE_SECONDS = 30;

/** A handler that parses its event first; false if the event is not as CDP documents it. */
function on<Params>(schema: z.ZodType<Params>, handle: (params: Params, line: EventLine) => void): Handler {
  return (raw, line) => {
    const parsed = schema.safeParse(raw);
    if (parsed.success) handle(parsed.data, line);
    return parsed.success;
  };
}

/**
 * Makes exchanges of a capture's lines: a pure function of the lines in their order, so that a
 * recorded capture replays without a browser. Its state is bounded by {@link Chains} and
 * {@link MessageLog}.
 */
export class RequestAssembler {
  readonly #chains = new Chains();
  readonly #tracker = new PageTracker();
  readonly #messages: MessageLog;
  #complete: Exchange[] = [];
  /** Latest time of an event, monotonic seconds of the browser. */
  now = 0;
  /** Events that do not match CDP's documentation. */
  misread = 0;

  /** By the names of events. */
  readonly #handlers: Readonly<Record<string, Handler>> = {
    requestWillBeSent: on(EVENTS.requestWillBeSent, (event, line) => this.#start(event, line)),
    requestWillBeSentExtraInfo: on(EVENTS.requestWillBeSentExtraInfo, ({ requestId, headers }) => {
      const answered = this.#chains.addRequestExtra(requestId, headers);
      // An answered 401, or the redirect of a worker's script: the browser reports status and headers, but no times.
      if (answered !== null)
        this.#complete.push({ ...withoutTimes(answered), id: this.nextId(), messages: [] });
    }),
    responseReceived: this.#on(EVENTS.responseReceived, (exchange, event) => {
      exchange.response = event.response;
      exchange.respondedAt = event.timestamp;
      exchange.type = event.type?.toLowerCase() ?? exchange.type;
      this.#chains.setExpectsExtra(exchange, event.hasExtraInfo ?? false);
    }),
    responseReceivedExtraInfo: on(EVENTS.responseReceivedExtraInfo, (event) => {
      const { requestId, headers, statusCode = null } = event;
      this.#chains.addResponseExtra(requestId, { headers, status: statusCode });
      for (const hop of [...this.#chains.hops(requestId)]) this.#check(hop);
    }),
    loadingFinished: this.#on(EVENTS.loadingFinished, (exchange, event) => {
      exchange.endedAt = event.timestamp;
      exchange.transferBytes = event.encodedDataLength;
    }),
    loadingFailed: this.#on(EVENTS.loadingFailed, (exchange, event) => {
      exchange.endedAt = event.timestamp;
      exchange.error = event.errorText === '' ? 'net::ERR_FAILED' : event.errorText;
      exchange.errorDetail = event.blockedReason ?? event.corsErrorStatus?.corsError ?? null;
    }),
    requestServedFromCache: this.#on(EVENTS.requestServedFromCache, (exchange) => {
      exchange.isFromMemoryCache = true;
    }),
    resourceChangedPriority: this.#on(EVENTS.resourceChangedPriority, (exchange, { newPriority }) => {
      exchange.priority = newPriority;
    }),
    webSocketCreated: on(EVENTS.webSocketCreated, (event, line) => this.#openSocket(event, line)),
    webSocketWillSendHandshakeRequest: this.#on(
      EVENTS.webSocketWillSendHandshakeRequest,
      (exchange, event) => {
        exchange.issuedAt = event.timestamp;
        exchange.wallAt = event.wallTime;
        exchange.requestHeaders = event.request.headers;
      },
    ),
    webSocketHandshakeResponseReceived: this.#on(
      EVENTS.webSocketHandshakeResponseReceived,
      (exchange, event) => {
        exchange.response = event.response;
        exchange.respondedAt = event.timestamp;
      },
    ),
    webSocketFrameSent: this.#says('send'),
    webSocketFrameReceived: this.#says('receive'),
    webSocketFrameError: this.#on(EVENTS.webSocketFrameError, (exchange, { errorMessage }) => {
      exchange.error ??= errorMessage;
    }),
    webSocketClosed: this.#on(EVENTS.webSocketClosed, (exchange, { timestamp }) => {
      exchange.endedAt = timestamp;
    }),
    eventSourceMessageReceived: this.#on(EVENTS.eventSourceMessageReceived, (exchange, event) =>
      this.#messages.add(exchange, {
        time: wallTime(exchange, event.timestamp),
        data: event.data,
        notKept: event.not_kept ?? null,
        event: { name: event.eventName, id: event.eventId },
      }),
    ),
    frameNavigated: on(EVENTS.frameNavigated, ({ frame }, { session }) => {
      if (session !== null || frame.parentId !== undefined) return;
      this.#tracker.mainFrame = frame.id;
      this.#tracker.show(frame.loaderId);
    }),
    domContentEventFired: on(EVENTS.domContentEventFired, ({ timestamp }, { session }) => {
      if (session === null) this.#tracker.reach('contentLoadMs', timestamp);
    }),
    loadEventFired: on(EVENTS.loadEventFired, ({ timestamp }, { session }) => {
      if (session === null) this.#tracker.reach('loadMs', timestamp);
    }),
    // The session of a worker has the name of its script's request, and reports the rest.
    attachedToTarget: on(EVENTS.attachedToTarget, ({ targetInfo: { targetId } }) =>
      this.#update(targetId, null, (exchange) => (exchange.isOfWorker = false)),
    ),
  };

  /**
   * @param nextId number of the next `_id`
   * @param messageBytes messages that are kept of one open connection
   */
  constructor(
    private readonly nextId: () => number,
    messageBytes: number = LIMITS.networkBodyBytes,
  ) {
    this.#messages = new MessageLog(messageBytes);
  }

  get pages(): readonly PageFacts[] {
    return this.#tracker.pages;
  }

  /** Pending requests, in the order in which they began. */
  listPending(): readonly Exchange[] {
    return this.#chains.told();
  }

  /** Takes one line; returns the exchanges that are complete. */
  push(line: CaptureLine): readonly Exchange[] {
    this.#take(line);
    for (const exchange of this.#chains.overflow()) this.#settle(exchange);
    const complete = this.#complete;
    this.#complete = [];
    return complete;
  }

  /** The capture has ended: open entries stay incomplete. */
  end(): readonly Exchange[] {
    const left = this.listPending();
    for (const exchange of this.#chains.all()) {
      this.#chains.remove(exchange);
      this.#messages.release(exchange);
    }
    return left;
  }

  #take(line: CaptureLine): void {
    switch (line.kind) {
      case 'event': {
        const [, name = ''] = line.method.split('.');
        const handler = Object.hasOwn(this.#handlers, name) ? this.#handlers[name] : undefined;
        if (handler?.(line.params, line) === false) this.misread += 1;
        return;
      }
      case 'post_data':
        this.#update(line.request_id, null, (exchange) => {
          exchange.postData = { data: line.data, base64: line.base64 };
          exchange.postDataNotKept = null;
        });
        return;
      case 'body':
        this.#update(line.request_id, null, (exchange) => {
          exchange.body = { data: line.data, base64: line.base64, sizeBytes: line.size_bytes };
        });
        return;
      case 'no_body':
        this.#update(line.request_id, null, (exchange) => {
          exchange.body = { reason: line.reason, sizeBytes: line.size_bytes };
        });
        return;
      case 'web_request': {
        this.#tick(line.at_ms / 1_000);
        const capture = { chains: this.#chains, tracker: this.#tracker, nextId: this.nextId };
        const touched = takeWebRequest(capture, line);
        if (touched === null) this.misread += 1;
        else if (touched !== undefined) this.#check(touched);
        return;
      }
      case 'mark':
        for (const exchange of this.#chains.all()) this.#check(exchange);
        return;
      default:
        // The others are about the capture.
        return;
    }
  }

  #tick(timestamp: number): void {
    if (timestamp > this.now) this.now = timestamp;
  }

  /** A handler that changes the exchange that the event is about. */
  #on<Params extends { readonly requestId: string; readonly timestamp?: number }>(
    schema: z.ZodType<Params>,
    change: (exchange: Exchange, params: Params) => void,
  ): Handler {
    return on(schema, (params) =>
      this.#update(params.requestId, params.timestamp ?? null, (exchange) => change(exchange, params)),
    );
  }

  #says(type: 'send' | 'receive'): Handler {
    return this.#on(EVENTS.webSocketFrameSent, (exchange, { timestamp, response }) =>
      this.#messages.add(exchange, {
        time: wallTime(exchange, timestamp),
        data: response.payloadData,
        notKept: response.not_kept ?? null,
        socket: { type, opcode: response.opcode },
      }),
    );
  }

  #start(event: EventParams<'requestWillBeSent'>, { session }: EventLine): void {
    // `data:` addresses are not traffic, and may take megabytes.
    if (event.request.url.startsWith('data:')) return;
    this.#tick(event.timestamp);
    const previous = this.#chains.latest(event.requestId);
    if (previous === null ? this.#chains.hasEnded(event.requestId) : isReported(previous, event)) return;
    if (previous !== null) this.#redirect(previous, event);
    const id = this.nextId();
    const frameId = event.frameId ?? null;
    const start = { id, url: event.request.url, issuedAt: event.timestamp, wallAt: event.wallTime };
    const pageref = previous?.pageref ?? this.#pageOf(event, session, start);
    this.#chains.add(
      new Exchange({
        ...start,
        requestId: event.requestId,
        session,
        frameId,
        documentUrl: event.documentURL,
        method: event.request.method,
        requestHeaders: event.request.headers,
        initiator: event.initiator ?? null,
        ...postDataOf(event.request),
        pageref,
        type: (event.type ?? 'Other').toLowerCase(),
        isOfWorker: isWorkerScript(event),
        priority: event.request.initialPriority ?? null,
      }),
    );
    if (previous !== null) this.#check(previous);
  }

  #pageOf(
    { requestId, loaderId, type, frameId }: EventParams<'requestWillBeSent'>,
    session: string | null,
    document: Parameters<PageTracker['start']>[0],
  ): string | null {
    const isPage =
      session === null &&
      type === 'Document' &&
      requestId === loaderId &&
      this.#tracker.isMainFrame(frameId ?? null);
    return isPage ? this.#tracker.start(document, loaderId) : this.#tracker.pageOf(loaderId);
  }

  #redirect(previous: Exchange, event: EventParams<'requestWillBeSent'>): void {
    const { redirectResponse = null, redirectHasExtraInfo = false, timestamp } = event;
    previous.response = redirectResponse;
    previous.respondedAt = timestamp;
    previous.endedAt = timestamp;
    previous.isRedirect = true;
    previous.transferBytes = redirectResponse?.encodedDataLength ?? null;
    this.#chains.setExpectsExtra(previous, redirectHasExtraInfo);
  }

  #openSocket({ requestId, url, initiator }: EventParams<'webSocketCreated'>, line: EventLine): void {
    if (this.#chains.latest(requestId) !== null || this.#chains.hasEnded(requestId)) return;
    this.#chains.add(
      new Exchange({
        id: this.nextId(),
        requestId,
        session: line.session,
        url,
        method: 'GET',
        initiator: initiator ?? null,
        issuedAt: this.now,
        wallAt: line.at_ms / 1_000,
        pageref: this.#tracker.current,
        type: 'websocket',
      }),
    );
  }

  #update(requestId: string, timestamp: number | null, change: (exchange: Exchange) => void): void {
    if (timestamp !== null) this.#tick(timestamp);
    const exchange = this.#chains.latest(requestId);
    if (exchange === null) return;
    change(exchange);
    this.#check(exchange);
  }

  /** Hands the exchange over once nothing more is expected, or nothing has arrived for too long. */
  #check(exchange: Exchange): void {
    const { endedAt } = exchange;
    if (endedAt === null) return;
    const isWhole =
      exchange.isRedirect ||
      exchange.error !== null ||
      exchange.body !== null ||
      exchange.type === 'websocket' ||
      exchange.source === 'web_request';
    const isReported = exchange.expectsExtra !== true || exchange.responseExtra !== null;
    if ((!isWhole || !isReported) && this.now - endedAt < SETTLE_SECONDS) return;
    this.#chains.remove(exchange);
    this.#settle(exchange);
  }

  #settle(exchange: Exchange): void {
    this.#messages.release(exchange);
    this.#complete.push(exchange);
  }
}

function wallTime(exchange: Exchange, timestamp: number): number {
  return exchange.wallAt + timestamp - exchange.issuedAt;
}

/**
 * Some requests are reported twice: by the page and by their worker or frame, and by two overlapping streams.
 * Only a redirect that is later than the known ones is new.
 */
function isReported(known: Exchange, event: EventParams<'requestWillBeSent'>): boolean {
  return event.redirectResponse === undefined || event.timestamp <= known.issuedAt;
}

/** The parts of an upload as the browser reports them, without the bytes of files. */
function postDataOf(request: CdpRequest): Pick<Exchange, 'postData' | 'postDataNotKept'> {
  if (request.not_kept !== undefined) return { postData: null, postDataNotKept: request.not_kept };
  const entries = request.postDataEntries ?? [];
  const parts = entries.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
  if (parts.length > 0) {
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
    return {
      postData: { data: whole.toString('base64'), base64: true },
      postDataNotKept: parts.length < entries.length ? NOT_REPORTED : null,
    };
  }
  const { postData } = request;
  return {
    postData: postData === undefined ? null : { data: postData, base64: false },
    postDataNotKept: postData === undefined && request.hasPostData === true ? NOT_REPORTED : null,
  };
}
