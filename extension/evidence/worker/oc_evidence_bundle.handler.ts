import { z } from 'zod';
import browser from 'webextension-polyfill';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import type { Create, StreamHandler } from '../../core/handler.ts';
import { getReadableTab, lateError, runInPage } from '../../core/pages/targets.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { Json, JsonRecord } from '../../../shared/base/json-schema.ts';
import { readTimeline, readDocument } from '../../core/in-page/document.ts';
import { toSpillwayError, SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { readCaches, readDatabases, readUsage, readWebStorage } from '../../core/in-page/storage.ts';
import { onAbort, withTimeout } from '../../../shared/base/async.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { gather } from '../../../shared/base/queue.ts';
import { certificatesOf, cookiesOf } from '../../platform/chromium/cookies.ts';
import { saveAsMhtml } from '../../platform/chromium/downloads.ts';
import type { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import type { PersonTabs } from '../../core/person-tabs.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { browserFacts } from '../../core/profile.ts';

interface PagePlace {
  readonly tabId: number;
  readonly frameId: number;
  /** For messages. */
  readonly url: string;
}

type Run<Args extends unknown[]> = Omit<Parameters<typeof runInPage<Args>>[0], 'target' | 'url'>;

/**
 * Runs a function in a document's isolated world and returns its text.
 * @throws SpillwayError as {@link runInPage}
 */
async function textFrom<Args extends unknown[]>(
  { tabId, frameId, url }: PagePlace,
  call: Run<Args>,
): Promise<string> {
  const text = await runInPage({ ...call, target: { tabId, frameIds: [frameId] }, url });
  if (typeof text !== 'string')
    throw new SpillwayError('page_changed', `Tab ${tabId} (${url}) did not answer.`);
  return text;
}

interface FactRequest {
  /** The tab's main document. */
  readonly place: PagePlace;
  readonly debuggers: DebuggerSessions;
  readonly personTabs: PersonTabs;
  readonly signal: AbortSignal;
}

/** Yields one fact per line, never the value of a cookie or a storage entry. */
type FactSource = (request: FactRequest) => AsyncGenerator<JsonObject>;

const Lines = z.array(JsonRecord);

/** Page, view, locale, navigation, browser, security and time, one line each. */
async function* describePage(request: FactRequest): AsyncGenerator<JsonObject> {
  const { place, signal } = request;
  const lines = Lines.parse(JSON.parse(await textFrom(place, { signal, func: readDocument })));
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

/** The certificates of the page's connection. */
async function certificates({ place, debuggers, signal }: FactRequest): Promise<JsonObject> {
  const { tabId, url } = place;
  if (!url.startsWith('https:')) return { scheme: /^[a-z][\w+.-]*/i.exec(url)?.[0] ?? '', certificates: [] };
  try {
    const { origin } = new URL(url);
    const found = await debuggers.use(tabId, signal, (lease) => certificatesOf(lease, origin));
    return { scheme: 'https', certificates: found };
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = toSpillwayError(thrown);
    return { scheme: 'https', certificates: [], not_read: { code, message } };
  }
}

/** How long saving a page may take: a few hundred megabytes take seconds. */
const CAPTURE_MS = 45_000;
/**
 * Chromium may delete the file behind a capture before its blob holds on to it (`PageCaptureSaveAsMHTMLFunction`
 * releases it at the extension's acknowledgement); the first capture after a start often fails this way, a later one
 * hardly ever.
 */
const ATTEMPTS = 3;

/**
 * `page.mhtml`: the page with its frames, images and styles. `pageCapture` gives a file, which is read at the server's
 * pace: one chunk is in memory, whatever the page's size. A snapshot of the debugger would give one string
 * for the worker to hold, and a banner.
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`, `page_unresponsive`,
 * `part_too_large`
 */
const mhtml: StreamHandler<'page.mhtml'> = async ({ tab_id: tabId }, { signal, policy }, sink) => {
  const { url = '' } = await getReadableTab(tabId);
  const place = { tabId, frameId: 0, url };
  await policy.expectFrames(tabId, ['read']);
  const { sizeBytes, first, reader } = await open(place, signal);
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const stopListening = onAbort(signal, stop);
  try {
    // The page may have navigated meanwhile.
    await policy.expectFrames(tabId, ['read']);
    // The format is ASCII; other bytes would have been written as quoted-printable.
    const decoder = new TextDecoder('latin1');
    for (let piece = first; piece.value !== undefined && !piece.done;) {
      await sink.write(decoder.decode(piece.value, { stream: true }));
      // The buffer is returned: one serves for the whole file.
      piece = await reader.read(new Uint8Array(piece.value.buffer));
    }
    signal.throwIfAborted();
    return { size_bytes: sizeBytes };
  } finally {
    stopListening();
    stop();
  }
};

/** Whole chunks of a stream, which are then sent without being joined. */
const BUFFER_BYTES = 4 * LIMITS.streamChunkUnits;

/** The saved page, of which the first part is read. */
async function open(place: PagePlace, signal: AbortSignal) {
  for (let attempt = 1; ; attempt += 1) {
    const late = (): SpillwayError => lateError(place.tabId, place.url, CAPTURE_MS);
    const blob = await withTimeout(capture(place), CAPTURE_MS, late, signal);
    if (blob.size > LIMITS.evidencePartBytes) {
      const message = `Tab ${place.tabId} (${place.url}) has ${blob.size} bytes of MHTML.`;
      throw new SpillwayError('part_too_large', message);
    }
    const reader = blob.stream().getReader({ mode: 'byob' });
    try {
      return { sizeBytes: blob.size, first: await reader.read(new Uint8Array(BUFFER_BYTES)), reader };
    } catch (thrown) {
      if (attempt < ATTEMPTS) continue;
      const reason = messageOf(thrown);
      throw new SpillwayError('internal_error', `Tab ${place.tabId}: the MHTML cannot be read: ${reason}`);
    }
  }
}

async function capture({ tabId, url }: PagePlace): Promise<Blob> {
  let blob: Blob | undefined;
  try {
    blob = await saveAsMhtml(tabId);
  } catch (thrown) {
    if (thrown instanceof SpillwayError) throw thrown;
    // Chrome has only a sentence; the tab itself has more.
    await getReadableTab(tabId);
    const reason = messageOf(thrown);
    const code = /permission|cannot access|forbidden/i.test(reason) ? 'page_forbidden' : 'page_changed';
    throw new SpillwayError(code, `Tab ${tabId} (${url}) could not be written as MHTML: ${reason}`);
  }
  if (blob !== undefined) return blob;
  throw new SpillwayError('page_changed', `The browser returned no MHTML for tab ${tabId} (${url}).`);
}

/** Names that one storage may list; the rest is counted. */
const MAX_NAMES = 10_000;
/** Opening a database waits for a pending upgrade. */
const DATABASES_MS = 5_000;

const READERS = [
  { what: 'web_storage', func: readWebStorage },
  { what: 'indexed_db', func: readDatabases },
  { what: 'cache_storage', func: readCaches },
  { what: 'usage', func: readUsage },
] as const;

/** Names and sizes of the storage of each origin. Values are measured in the page, never sent. */
async function* listStorage({ place, signal }: FactRequest): AsyncGenerator<JsonObject> {
  for (const { origin, place: frame } of await origins(place))
    for (const { what, func } of READERS) {
      try {
        const timeoutMs = DATABASES_MS;
        const text = await textFrom(frame, { signal, func, args: [MAX_NAMES], timeoutMs });
        for (const line of Lines.parse(JSON.parse(text))) yield { ...line, origin };
      } catch (thrown) {
        signal.throwIfAborted();
        const { code, message } = toSpillwayError(thrown);
        yield { kind: 'not_read', what, origin, code, message };
      }
    }
}

/** One frame per origin: frames of one origin share their storage. */
async function origins(place: PagePlace): Promise<{ origin: string; place: PagePlace }[]> {
  const frames = (await browser.webNavigation.getAllFrames({ tabId: place.tabId })) ?? [];
  const found = new Map<string, PagePlace>();
  for (const { frameId, url } of frames.toSorted((a, b) => a.frameId - b.frameId)) {
    if (!/^(?:https?|file):/.test(url)) continue;
    const { origin } = new URL(url);
    if (!found.has(origin)) found.set(origin, { tabId: place.tabId, frameId, url });
  }
  return [...found].map(([origin, frame]) => ({ origin, place: frame }));
}

/** Cookies that the page and its frames would send: names and attributes. Values stay in the browser. */
async function* listCookies({ place, debuggers, signal }: FactRequest): AsyncGenerator<JsonObject> {
  const cookies = await debuggers.use(place.tabId, signal, (lease) => cookiesOf(lease));
  for (const { partitionKey: partition, ...cookie } of cookies)
    yield {
      kind: 'cookie',
      name: cookie.name,
      domain: cookie.domain,
      path: cookie.path,
      size_bytes: cookie.size,
      http_only: cookie.httpOnly,
      secure: cookie.secure,
      same_site: cookie.sameSite ?? null,
      expires: cookie.session ? null : isoSeconds(cookie.expires),
      priority: cookie.priority ?? null,
      source_scheme: cookie.sourceScheme ?? null,
      partition: typeof partition === 'object' ? partition.topLevelSite : null,
    };
}

const LAST_DATE_S = 8.64e12;

function isoSeconds(seconds: number): string | null {
  return seconds >= 0 && seconds <= LAST_DATE_S ? new Date(seconds * 1_000).toISOString() : null;
}

const MAX_ENTRIES = 20_000;

/** Entries of the page's own timeline in the terms of its specifications, with totals. */
async function* listPerformance({ place, personTabs, signal }: FactRequest): AsyncGenerator<JsonObject> {
  const text = await textFrom(place, { signal, func: readTimeline, args: [MAX_ENTRIES] });
  const { entries: all, ...summary } = Timeline.parse(JSON.parse(text));
  const origin = Date.parse(summary.time_origin);
  // Addresses may contain something that a person has typed.
  const entries = all.filter(({ startTime }) => !personTabs.hadAt(place.tabId, origin + Number(startTime)));
  const leftOut = all.length - entries.length;
  yield { kind: 'timeline', ...summary, ...(leftOut === 0 ? {} : { left_out_of_a_person: leftOut }) };
  for (const entry of entries) yield { kind: 'entry', ...entry };
}

const Timeline = z.object({ time_origin: z.string(), entries: z.array(JsonRecord) }).catchall(Json);

const SOURCES: Readonly<Record<MethodParams<'page.facts'>['part'], FactSource>> = {
  cookies: listCookies,
  storage: listStorage,
  performance: listPerformance,
  facts: describePage,
};

/** The methods of `oc_evidence_bundle`. */
export const createHandlers: Create<'page.mhtml' | 'page.facts'> = ({ debuggers, personTabs }) => {
  const facts: StreamHandler<'page.facts'> = async ({ tab_id: tabId, part }, { signal, policy }, sink) => {
    const { url = '' } = await getReadableTab(tabId);
    const place = { tabId, frameId: 0, url };
    const lines = await gather(SOURCES[part]({ place, debuggers, personTabs, signal }));
    // The page may have navigated meanwhile.
    await policy.expectTab(tabId, ['read']);
    for (const line of lines) await sink.write(`${JSON.stringify(line)}\n`);
    return { items: lines.length };
  };
  return { 'page.mhtml': mhtml, 'page.facts': facts };
};
