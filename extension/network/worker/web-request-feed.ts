import { BoundedMap } from '../../../shared/base/maps.ts';
import { isObject, type JsonValue, stringOrEmpty } from '../../../shared/base/json.ts';
import type { NetworkEvent } from '../../platform/chromium/network-events.ts';
import type { CaptureSource } from '../../../shared/network/network.methods.ts';
import type { z } from 'zod';
import type { BodyBudget } from './bodies.ts';
import type { Outbox } from './outbox.ts';
import browser, { type WebRequest } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { Json, JsonRecord } from '../../../shared/base/json-schema.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import { listen } from '../../platform/chromium/members.ts';
import { BLOCKING, EXTRA_HEADERS, followBody } from '../../platform/chromium/response-bodies.ts';
import { FilteredBodies, textOrBase64 } from './filtered-bodies.ts';
import type { FailedLoad } from '../../core/navigation/browser-events.ts';
import { joinBytes } from '../../core/ports/join-bytes.ts';

/** Remembered requests without a first event yet, and omitted ones. */
const REMEMBERED = 20_000;

/**
 * Omits events of documents that may not be captured: a captured tab moves from site to site, and has frames of other
 * sites.
 */
export class CaptureFilter {
  readonly #left = new BoundedMap<string, true>(REMEMBERED);
  readonly #taken = new BoundedMap<string, true>(REMEMBERED);
  /** Headers that arrived before their request. */
  readonly #early = new BoundedMap<string, NetworkEvent[]>(REMEMBERED);
  /** The last document of each session, and of each frame by its id, which is that of its target. */
  readonly #documents = new BoundedMap<string | null, string>(REMEMBERED);
  /** Sockets that have not sent their handshake, each with the last document of its session. */
  readonly #sockets = new BoundedMap<string, { readonly created: NetworkEvent; readonly document: string }>(
    REMEMBERED,
  );

  /**
   * @param passes whether requests for a document at an address may be captured
   * @param onLeft called with the address of a document whose request is omitted
   */
  constructor(
    private readonly passes: (url: string) => boolean,
    private readonly onLeft: (url: string) => void = () => undefined,
  ) {}

  /** The events that may be captured, now that this one has come. */
  take(event: NetworkEvent): readonly NetworkEvent[] {
    const { kind, params } = event;
    const id = params['requestId'];
    if (typeof id !== 'string') return this.#isOfLeftFrame(event) ? [] : [event];
    if (kind === 'request') {
      const early = this.#early.get(id) ?? [];
      this.#early.delete(id);
      if (!this.#decide(id, event)) return [];
      return [event, ...early];
    }
    if (this.#left.has(id)) return [];
    if (kind === 'socket') return this.#openSocket(id, event);
    if (kind === 'handshake' || this.#sockets.has(id)) return this.#takeSocket(id, event);
    if (kind === 'headers' && !this.#taken.has(id)) {
      this.#early.set(id, [...(this.#early.get(id) ?? []), event]);
      return [];
    }
    return [event];
  }

  /** The same for an event of `webRequest`, each of which has its address. */
  takesRequest(id: string, details: Readonly<Record<string, unknown>>): boolean {
    if (this.#left.has(id)) return false;
    const { type, url, initiator, documentUrl } = details;
    const document = type === 'main_frame' ? url : (documentUrl ?? initiator ?? url);
    const against = this.#against(stringOrEmpty(document), type === 'sub_frame' ? stringOrEmpty(url) : null);
    return against === null || this.#settle(id, against);
  }

  /** A redirect has the request's id, and may lead to a document that may not be captured. */
  #decide(id: string, { params, sessionId }: NetworkEvent): boolean {
    const { request, documentURL, frameId } = params;
    const url = stringOrEmpty(isObject(request) ? request['url'] : undefined);
    const document = documentURL === undefined ? url : stringOrEmpty(documentURL);
    this.#enter(sessionId, document);
    this.#enter(stringOrEmpty(frameId), document);
    return this.#settle(id, this.#against(document, params['type'] === 'Document' ? url : null));
  }

  /**
   * A socket's events name no document, and a session may have several: the handshake tells the origin. Once anything
   * was left out, a socket is held until then.
   */
  #openSocket(id: string, created: NetworkEvent): readonly NetworkEvent[] {
    const document = this.#documents.get(created.sessionId) ?? stringOrEmpty(created.params['url']);
    if (this.#left.size === 0 && this.passes(document)) return [created];
    this.#sockets.set(id, { created, document });
    return [];
  }

  /** The handshake of a socket, or the next event of one that failed before. */
  #takeSocket(id: string, event: NetworkEvent): readonly NetworkEvent[] {
    const held = this.#sockets.get(id);
    this.#sockets.delete(id);
    const document = originOf(event) ?? held?.document;
    if (document !== undefined && !this.#settle(id, this.#against(document, null))) return [];
    return held === undefined ? [event] : [held.created, event];
  }

  #enter(session: string | null, document: string): void {
    if (document === '') return;
    this.#documents.set(session, document);
  }

  /** Whether a request is taken, now that the forbidden document is known, or null. */
  #settle(id: string, against: string | null): boolean {
    const isPassed = against === null;
    if (!isPassed) this.onLeft(against);
    const [into, outOf] = isPassed ? [this.#taken, this.#left] : [this.#left, this.#taken];
    into.set(id, true);
    outOf.delete(id);
    return isPassed;
  }

  /** The forbidden document: the one that a request is for, or the one that it loads; null if both are allowed. */
  #against(document: string, loaded: string | null): string | null {
    if (!this.passes(document)) return document;
    return loaded === null || this.passes(loaded) ? null : loaded;
  }

  #isOfLeftFrame({ params, sessionId }: NetworkEvent): boolean {
    const { frame, targetInfo } = params;
    if (isObject(targetInfo)) {
      // A frame that moves to another process has no address yet; its document was requested before.
      const requested = this.#documents.get(stringOrEmpty(targetInfo['targetId'])) ?? '';
      this.#enter(stringOrEmpty(params['sessionId']), stringOrEmpty(targetInfo['url']) || requested);
    }
    if (!isObject(frame) || typeof frame['url'] !== 'string') return false;
    this.#enter(sessionId, frame['url']);
    return !this.passes(frame['url']);
  }
}

/** Null without one, as in a sandboxed frame. */
function originOf({ params: { request } }: NetworkEvent): string | null {
  const headers = isObject(request) ? request['headers'] : null;
  const origin = isObject(headers) ? stringOrEmpty(headers['Origin']) : '';
  return URL.canParse(origin) ? origin : null;
}

export interface FeedParts {
  readonly outbox: Outbox;
  readonly budget: BodyBudget;
  readonly filter: CaptureFilter;
}

export interface CaptureFeed {
  readonly source: z.infer<typeof CaptureSource>;
  /** Aborted when there will be no more events; its reason is coded. */
  readonly lost: AbortSignal;
  /** Resolves when the lines so far have been pushed. */
  settle(): Promise<void>;
  /** Grows while {@link settle} makes progress. */
  readonly progress: number;
  /** Stops observing; everything so far is pushed. Idempotent. */
  stopObserving(): Promise<void>;
  /** Releases the tab. Idempotent. */
  close(): Promise<void>;
}

type Stage = Extract<CaptureLine, { kind: 'web_request' }>['stage'];
type RequestBody = WebRequest.OnBeforeRequestDetailsType['requestBody'];
type BeforeRequest = Pick<WebRequest.OnBeforeRequestDetailsType, 'requestBody'>;
/** Of what every stage has, the members that are read here. */
interface Details {
  readonly requestId: string;
  readonly tabId: number;
  readonly url: string;
  readonly method: string;
  readonly timeStamp: number;
  readonly type?: string;
  readonly initiator?: string;
  readonly error?: string;
}
/** A stage of a request. */
export interface Seen extends Details {
  readonly stage: Stage;
}

/** `webRequest` reports no tab for loads of service workers and shared workers. */
export const NO_TAB = -1;

export type PushParts = Omit<FeedParts, 'outbox'> & { readonly outbox: Pick<Outbox, 'push'> };

function pushStage(
  { outbox, filter }: PushParts,
  { stage, ...details }: Seen,
  more?: () => Record<string, JsonValue>,
  at_ms = Date.now(),
): boolean {
  // Firefox has null for facts that it does not know.
  const known = Object.entries({ ...details, ...more?.() }).filter(([, value]) => value !== null);
  const params = JsonRecord.parse(Object.fromEntries(known));
  if (!filter.takesRequest(details.requestId, params)) return false;
  outbox.push({ kind: 'web_request', at_ms, stage, details: params });
  if (stage !== 'completed' && stage !== 'failed') return true;
  outbox.push({
    kind: 'no_body',
    session: null,
    request_id: details.requestId,
    reason: 'no_debugger',
    size_bytes: null,
  });
  return true;
}

/** Passes on a load that has ended before the capture. */
export function pushFailed(parts: FeedParts, load: FailedLoad): void {
  const details: Details = { ...load };
  pushStage(parts, { ...details, stage: 'before' }, undefined, details.timeStamp);
  const stage = details.error === undefined ? 'completed' : 'failed';
  pushStage(parts, { ...details, stage }, undefined, details.timeStamp);
}

/**
 * Feeds a capture from `webRequest`, for a tab that no debugger can attach to, and for workers: with the bodies of a tab
 * where the browser gives them.
 */
export class WebRequestFeed implements CaptureFeed {
  readonly source = followBody === null ? 'web_request' : 'response_filter';
  progress = 0;
  readonly #bodies: FilteredBodies | null;
  readonly #lost = new AbortController();
  readonly lost = this.#lost.signal;
  readonly #detach: (() => void)[];

  /**
   * @param tabId {@link NO_TAB} for all tabs
   * @param takes whether a stage of a request is reported; asked in the order of the stages
   */
  constructor(
    private readonly tabId: number,
    private readonly parts: PushParts,
    private readonly takes: (seen: Seen) => boolean = (seen) => seen.tabId === tabId,
  ) {
    this.#bodies = followBody === null || tabId === NO_TAB ? null : new FilteredBodies(parts, followBody);
    this.#detach = this.#listen(tabId);
  }

  async settle(): Promise<void> {
    await this.#bodies?.settle();
  }

  stopObserving(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    for (const detach of this.#detach) detach();
  }

  #listen(tabId: number): (() => void)[] {
    const { webRequest } = browser;
    const filter = { urls: ['<all_urls>'], tabId };
    const before = (details: Details & BeforeRequest): undefined => {
      const body = () => ({ requestBody: this.#bodyOf(details.requestBody) });
      const isTaken = this.#push('before', details, body);
      this.#bodies?.begin(details.requestId, isTaken);
    };
    const ended =
      (name: Stage) =>
      (details: Details): void => {
        const push = (): void => void this.#push(name, details);
        if (this.#bodies === null) return push();
        this.#bodies.end(details.requestId, () => {
          this.progress += 1;
          push();
        });
      };
    const headersIn = (details: WebRequest.OnHeadersReceivedDetailsType): undefined => {
      this.#bodies?.respond(details);
      this.#push('headers_in', details);
    };
    const stage =
      (name: Stage) =>
      (details: Details): void =>
        void this.#push(name, details);
    const removed = (id: number): void => {
      if (id === tabId) this.#lost.abort(new SpillwayError('tab_not_found', `Tab ${tabId} was closed.`));
    };
    return [
      listen(webRequest.onBeforeRequest, before, filter, ['requestBody', ...BLOCKING]),
      listen(webRequest.onSendHeaders, stage('headers_out'), filter, ['requestHeaders', ...EXTRA_HEADERS]),
      listen(webRequest.onHeadersReceived, headersIn, filter, ['responseHeaders', ...EXTRA_HEADERS]),
      listen(webRequest.onBeforeRedirect, stage('redirect'), filter),
      listen(webRequest.onCompleted, ended('completed'), filter),
      listen(webRequest.onErrorOccurred, ended('failed'), filter),
      listen(browser.tabs.onRemoved, removed),
    ];
  }

  /** @returns whether it may be captured */
  #push(stage: Stage, details: Details, more?: () => Record<string, JsonValue>): boolean {
    return this.takes({ ...details, stage }) && pushStage(this.parts, { ...details, stage }, more);
  }

  /** The form's fields, or the raw bytes: as text if they are UTF-8, else as base64. */
  #bodyOf(body: RequestBody): JsonValue {
    if (body === null || body === undefined || this.parts.budget.limits.bodies === 'none') return null;
    if (body.formData !== undefined) return this.#kept({ form: Json.parse(body.formData) });
    const parts = (body.raw ?? []).flatMap(({ bytes }) =>
      bytes instanceof ArrayBuffer ? [new Uint8Array(bytes)] : [],
    );
    if (parts.length === 0) return null;
    return this.#kept(textOrBase64(joinBytes(parts)));
  }

  #kept(body: Record<string, JsonValue>): Record<string, JsonValue> {
    const sizeBytes = JSON.stringify(body).length;
    const reason = this.parts.budget.take(sizeBytes);
    return reason === null ? body : { not_kept: { reason, size_bytes: sizeBytes } };
  }
}
