import { isObject } from '../../../shared/json.ts';
import type { DebuggerEvent } from '../../background/chromium/debugger/sessions.ts';

/** Requests whose first word is awaited, and those that are left out. */
const REMEMBERED = 20_000;

/** Events of which the first tells the document that a request is for. */
const BEGINS: ReadonlySet<string> = new Set(['Network.requestWillBeSent', 'Network.webSocketCreated']);
const EARLY: ReadonlySet<string> = new Set([
  'Network.requestWillBeSentExtraInfo',
  'Network.responseReceivedExtraInfo',
]);

/**
 * Leaves out of a capture what is of documents that may not be captured: a tab goes from site to site while it is
 * captured, and has frames of other sites.
 */
export class CaptureFilter {
  readonly #passes: (url: string) => boolean;
  readonly #left = new Set<string>();
  readonly #taken = new Set<string>();
  /** Headers that came before the request that they are of. */
  readonly #early = new Map<string, DebuggerEvent[]>();

  /** @param passes whether requests for a document at an address may be captured */
  constructor(passes: (url: string) => boolean) {
    this.#passes = passes;
  }

  /** The events that may be captured, now that this one has come. */
  take(event: DebuggerEvent): readonly DebuggerEvent[] {
    const { method, params } = event;
    const id = params['requestId'];
    if (typeof id !== 'string') return this.#isOfLeftFrame(event) ? [] : [event];
    if (BEGINS.has(method)) {
      const early = this.#early.get(id) ?? [];
      this.#early.delete(id);
      if (!this.#decide(id, event)) return [];
      return [event, ...early];
    }
    if (this.#left.has(id)) return [];
    if (EARLY.has(method) && !this.#taken.has(id)) {
      bound(this.#early);
      this.#early.set(id, [...(this.#early.get(id) ?? []), event]);
      return [];
    }
    return [event];
  }

  /** The same for an event of `webRequest`, each of which tells its address. */
  takesRequest(id: string, details: Readonly<Record<string, unknown>>): boolean {
    if (this.#left.has(id)) return false;
    const { type, url, initiator, documentUrl } = details;
    const document = type === 'main_frame' ? url : (documentUrl ?? initiator ?? url);
    if (this.#passes(textOf(document)) && (type !== 'sub_frame' || this.#passes(textOf(url)))) return true;
    bound(this.#left);
    this.#left.add(id);
    return false;
  }

  /** A redirect has the request's id, and may lead to a document that may not be captured. */
  #decide(id: string, { params }: DebuggerEvent): boolean {
    const { request, documentURL } = params;
    const url = textOf(isObject(request) ? request['url'] : params['url']);
    const document = documentURL === undefined ? url : textOf(documentURL);
    const isPassed = this.#passes(document) && (params['type'] !== 'Document' || this.#passes(url));
    const [into, outOf] = isPassed ? [this.#taken, this.#left] : [this.#left, this.#taken];
    bound(into);
    into.add(id);
    outOf.delete(id);
    return isPassed;
  }

  #isOfLeftFrame({ params }: DebuggerEvent): boolean {
    const { frame } = params;
    if (!isObject(frame) || typeof frame['url'] !== 'string') return false;
    return !this.#passes(frame['url']);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function bound(kept: Set<string> | Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size >= REMEMBERED && oldest !== undefined) kept.delete(oldest);
}
