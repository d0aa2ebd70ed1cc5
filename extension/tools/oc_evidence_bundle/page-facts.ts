import type { JsonObject } from '../../../shared/json.ts';
import type { DebuggerLease, DebuggerSessions } from '../../background/chromium/debugger/sessions.ts';
import type { PersonTabs } from '../../background/takeover/person-tabs.ts';
import { runInPage, type PagePlace } from './in-page.ts';
import browser from 'webextension-polyfill';
import { z } from 'zod';
import { toSpillwayError } from '../../../shared/errors.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import { VERSION } from '../../../shared/version.ts';
import { browserFacts } from '../../background/profile.ts';
import { readDocument } from '../../page/in-page/document.ts';

export interface FactRequest {
  /** The tab's main document. */
  readonly place: PagePlace;
  readonly debuggers: DebuggerSessions;
  readonly personTabs: PersonTabs;
  readonly signal: AbortSignal;
}

/** Yields one fact per line, never the value of a cookie or a storage entry. */
export type FactSource = (request: FactRequest) => AsyncGenerator<JsonObject>;

/** Runs `work` with the tab's debugger attached. */
export async function withDebugger<T>(
  { debuggers, place, signal }: FactRequest,
  work: (lease: DebuggerLease) => Promise<T>,
): Promise<T> {
  const lease = await debuggers.acquire(place.tabId, signal);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

const Lines = z.array(JsonRecord);

/** Page, view, locale, navigation, browser, security and time, one line each. */
export async function* describePage(request: FactRequest): AsyncGenerator<JsonObject> {
  const { place, signal } = request;
  const lines = Lines.parse(JSON.parse(await runInPage({ place, signal, func: readDocument, args: [] })));
  yield* lines.map((line) => withoutPersonsPath(line, lines, request));
  const frames = (await browser.webNavigation.getAllFrames({ tabId: place.tabId })) ?? [];
  yield {
    kind: 'frames',
    frames: frames.map(({ url, frameId, parentFrameId }) => ({ url, id: frameId, parent: parentFrameId })),
  };
  const { name, version } = await browserFacts();
  yield { kind: 'browser', name, version, extension_version: VERSION };
  yield { kind: 'security', ...(await certificates(request)) };
  yield { kind: 'worker_time', at: new Date().toISOString() };
}

/**
 * If a person had the tab before they came to the page, the address they came from is theirs: only its origin is shown.
 */
function withoutPersonsPath(
  line: JsonObject,
  lines: readonly JsonObject[],
  { place, personTabs }: FactRequest,
): JsonObject {
  const { referrer } = line;
  const begun = lines.map((one) => one['time_origin']).find((at) => typeof at === 'string') ?? '';
  if (typeof referrer !== 'string' || !personTabs.hadAt(place.tabId, Date.parse(begun))) return line;
  return { ...line, referrer: `${siteOf(referrer)?.origin ?? ''}/` };
}

const Certificates = z.object({ tableNames: z.array(z.string()) });

/**
 * The certificates of the page's connection, DER in base64, the site's own first. `chrome.debugger` offers no
 * `Security` domain, but `Network.getCertificate`.
 */
async function certificates(request: FactRequest): Promise<JsonObject> {
  const { url } = request.place;
  if (!url.startsWith('https:')) return { scheme: /^[a-z][\w+.-]*/i.exec(url)?.[0] ?? '', certificates: [] };
  try {
    const answer = await withDebugger(request, (lease) =>
      lease.send('Network.getCertificate', { origin: new URL(url).origin }),
    );
    return { scheme: 'https', certificates: Certificates.parse(answer).tableNames };
  } catch (thrown) {
    request.signal.throwIfAborted();
    const { code, message } = toSpillwayError(thrown);
    return { scheme: 'https', certificates: [], not_read: { code, message } };
  }
}
