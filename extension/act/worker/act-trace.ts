import browser, { type WebRequest } from 'webextension-polyfill';
import { TRACES_KEY, WANTED_KEY, tracesIn, type ActTrace, type TracedRequest } from '../trace-port.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { listen } from '../../platform/chromium/members.ts';
import { drawView, type PageLayout } from '../../platform/chromium/pictures.ts';
import type { DebuggerLease, DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { framesOf } from '../../core/policy/documents.ts';

/** Traces kept: at most two of an extension's ten megabytes. */
const KEPT = 30;
const WIDTH = 320;
/** In base64. */
const MAX_UNITS = 40_000;
/** A slower page gets no picture: an act does not wait for it. */
const MAX_MS = 1_500;

const MAX_REQUESTS = 20;
const URL_UNITS = 300;

interface TracedAct {
  readonly tabId: number;
  /** Null if nobody can look the call up. */
  readonly callId: string | null;
  /** It types a secret, which a picture would show. */
  readonly hasSecrets: boolean;
  readonly policy: CallPolicy;
  readonly debuggers: DebuggerSessions;
  readonly signal: AbortSignal;
}

/** Whether a person wants {@link withTrace}. */
export const wantsTraces = async (): Promise<boolean> =>
  (await browser.storage.local.get(WANTED_KEY))[WANTED_KEY] === true;

/** Takes a picture of the page before and after an act, and records its requests. Everything stays in this browser. */
export async function withTrace<T>(act: TracedAct, run: () => Promise<T>): Promise<T> {
  const { callId } = act;
  if (callId === null || act.hasSecrets) return run();
  const before = await takePicture(act);
  const stop = followRequests(act.tabId);
  try {
    return await run();
  } finally {
    const requests = stop();
    keep({ callId, before, after: await takePicture(act), requests });
  }
}

/** Records the requests of a tab until the returned function is called, which returns them. */
function followRequests(tabId: number): () => TracedRequest[] {
  const { onBeforeRequest, onCompleted, onErrorOccurred } = browser.webRequest;
  const filter = { urls: ['<all_urls>'], tabId };
  const known = new Map<string, TracedRequest>();
  const began = ({ requestId, method, url }: WebRequest.OnBeforeRequestDetailsType): undefined => {
    if (known.has(requestId) || known.size === MAX_REQUESTS) return;
    known.set(requestId, { method, url: cutUrl(url, URL_UNITS), end: null });
  };
  const ended = ({ requestId }: { readonly requestId: string }, end: number | string): void => {
    const request = known.get(requestId);
    if (request !== undefined) request.end = end;
  };
  const completed = (details: WebRequest.OnCompletedDetailsType): void => ended(details, details.statusCode);
  const failed = (details: WebRequest.OnErrorOccurredDetailsType): void => ended(details, details.error);
  const stops = [
    listen(onBeforeRequest, began, filter),
    listen(onCompleted, completed, filter),
    listen(onErrorOccurred, failed, filter),
  ];
  return () => {
    for (const stop of stops) stop();
    return [...known.values()];
  };
}

async function takePicture({ tabId, policy, debuggers, signal }: TracedAct): Promise<string | null> {
  try {
    // A picture shows all frames, so all of them must be allowed.
    for (const frame of await framesOf(tabId)) if (!(await policy.allows(frame, ['read']))) return null;
    return await debuggers.use(tabId, signal, pictureOf);
  } catch {
    return null;
  }
}

async function pictureOf(lease: DebuggerLease): Promise<string | null> {
  const scaleOf = ({ view, zoom }: PageLayout): number => WIDTH / (view.width * zoom);
  const { data } = await drawView(lease, { format: 'webp', quality: 60, scaleOf }, MAX_MS);
  return data.length > MAX_UNITS ? null : `data:image/webp;base64,${data}`;
}

const writing = new Queue(1);

/** One after another: two acts that end together must not lose one. */
function keep(trace: ActTrace): void {
  writing
    .add(async () => {
      const stored = await browser.storage.session.get(TRACES_KEY);
      const kept = [...tracesIn(stored[TRACES_KEY]), trace].slice(-KEPT);
      await browser.storage.session.set({ [TRACES_KEY]: kept });
    })
    .catch((error: unknown) => console.warn('The trace of an act could not be stored.', error));
}
