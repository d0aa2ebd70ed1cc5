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
  readonly #onLeft: (url: string) => void;
  readonly #left = new Set<string>();
  readonly #taken = new Set<string>();
  /** Headers that came before the request that they are of. */
  readonly #early = new Map<string, DebuggerEvent[]>();

  /**
   * @param passes whether requests for a document at an address may be captured
   * @param onLeft called with the address of a document whose request is left out
   */
  constructor(passes: (url: string) => boolean, onLeft: (url: string) => void = () => undefined) {
    this.#passes = passes;
    this.#onLeft = onLeft;
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
    const against = this.#against(textOf(document), type === 'sub_frame' ? textOf(url) : null);
    if (against === null) return true;
    this.#onLeft(against);
    bound(this.#left);
    this.#left.add(id);
    return false;
  }

  /** A redirect has the request's id, and may lead to a document that may not be captured. */
  #decide(id: string, { params }: DebuggerEvent): boolean {
    const { request, documentURL } = params;
    const url = textOf(isObject(request) ? request['url'] : params['url']);
    const document = documentURL === undefined ? url : textOf(documentURL);
    const against = this.#against(document, params['type'] === 'Document' ? url : null);
    const isPassed = against === null;
    if (!isPassed) this.#onLeft(against);
    const [into, outOf] = isPassed ? [this.#taken, this.#left] : [this.#left, this.#taken];
    bound(into);
    into.add(id);
    outOf.delete(id);
    return isPassed;
  }

  /** The document that may not be captured: the one that a request is for, or the one that it loads; null if both may. */
  #against(document: string, loaded: string | null): string | null {
    if (!this.#passes(document)) return document;
    return loaded === null || this.#passes(loaded) ? null : loaded;
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
