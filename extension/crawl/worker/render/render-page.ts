import browser from 'webextension-polyfill';
import type { ArticleFacts, Coverage } from '../../../../shared/core/bridge/page.ts';
import type { MethodResult, StreamMethodParams } from '../../../../shared/core/bridge/methods.ts';
import { withoutFragment } from '../../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../../shared/base/errors.ts';
import { navigateTab } from '../../../tabs/worker/navigate-tab.ts';
import type { ExtractChannels, PageChannels } from '../../../core/pages/channels.ts';
import type { PageChannel } from '../../../core/pages/page-channel.ts';
import { extractTab } from '../../../extract/worker/extract-tab.ts';
import { readTab } from '../../../read/worker/read-tab.ts';
import { pageKindOf, retryAfterMs, robotsOfHeader } from '../../../../shared/core/page-headers.ts';
import { ContentLines, contentKind, crawlReadOptions, linkLines } from '../../page/crawl-lines.ts';
import type { DocumentSummary } from '../../../core/page/protocol.ts';
import { codeOfNetError, netErrorIn } from '../../../files/worker/network-trace.ts';
import { loaded } from '../../../core/tabs/tab-info.ts';
import { delay } from '../../../../shared/base/async.ts';
import { PageWatch, type CrawlTab } from './crawl-tab.ts';
import type { MainResponse, TabTraffic } from './tab-traffic.ts';

/** A page without tree changes and requests for data or code for this long has settled. */
const QUIET_MS = 100;
/** A page that never rests is read after this time. */
const MAX_MS = 3_000;
const PULSE_MS = 2_000;

/**
 * Waits after `load` until a page has settled: its tree was the same for 100 ms and no fetch, script or frame was
 * pending, or 3 s have passed. A page without scripts is already settled. The worker itself waits: a hidden page's
 * timers are unreliable.
 * @throws SpillwayError `page_changed`, `page_unresponsive`, or the signal's reason
 */
async function settle(channel: PageChannel, traffic: TabTraffic, signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + MAX_MS;
  const pulse = () => channel.ask((id) => ({ type: 'pulse', id }), 'pulsed', { timeoutMs: PULSE_MS, signal });
  let before = await pulse();
  while (!before.isStatic && performance.now() < endsAt) {
    await delay(QUIET_MS, signal);
    const now = await pulse();
    if (now.changes === before.changes && !traffic.isBusy(channel.tabId)) return;
    before = now;
  }
}

type PageParams = StreamMethodParams<'crawl.page'>;
type PageResult = MethodResult<'crawl.page'>;
type PageError = NonNullable<PageResult['error']>;

export interface Rendering {
  readonly params: PageParams;
  readonly tab: CrawlTab;
  readonly channels: PageChannels;
  readonly extractChannels: ExtractChannels;
  readonly traffic: TabTraffic;
  readonly signal: AbortSignal;
  readonly write: (text: string) => Promise<void>;
}

const READ_GRACE_MS = 15_000;
const SURVEY_MS = 5_000;
/** Maximum navigations of a page by itself after loading. */
const MAX_HOPS = 4;
const NO_SURVEY: DocumentSummary = { title: '', canonical: null, robots: [], links: [] };

/**
 * Failures after which a tab takes the next page. After any other it is replaced: it may hang, be gone, or show a
 * certificate warning, where redirects never arrive.
 */
const HARMLESS: ReadonlySet<string> = new Set<ErrorCode>([
  'dns_failed',
  'host_unreachable',
  'navigation_failed',
  'not_a_page',
]);

/**
 * Loads a page in a background tab, waits until it has settled, and writes its lines. A page's failure is in the
 * result, together with what was read of it.
 * @throws the reason of `signal`
 */
export async function renderPage(
  rendering: Rendering,
): Promise<{ readonly value: PageResult; readonly isTabFit: boolean }> {
  const { params, tab, traffic, signal } = rendering;
  const { tabId } = tab;
  traffic.reset(tabId);
  const startedAt = performance.now();
  const watch = new PageWatch(tab, params, signal);
  const reading = emptyReading(params.url);
  let loadedAt = startedAt;
  try {
    try {
      reading.redirects = (await load(rendering, watch.signal)).redirects;
    } finally {
      loadedAt = performance.now();
    }
    await readSettled(rendering, watch.signal, { reading, endsAt: startedAt + params.timeout_ms });
  } catch (thrown) {
    signal.throwIfAborted();
    if (watch.movesTo !== null) return movedPage(rendering, watch, performance.now() - startedAt);
    const error = errorOf(watch.reasonOf(thrown), params, traffic.response(tabId));
    reading.error = error;
    if (isReadable(error.code) && traffic.response(tabId) !== null) await readRest(rendering, watch, reading);
  } finally {
    watch.end();
  }
  const readAt = performance.now();
  signal.throwIfAborted();
  const value = resultOf(rendering, reading, loadedAt - startedAt, readAt - loadedAt);
  return { value, isTabFit: value.error === null || HARMLESS.has(value.error.code) };
}

interface Reading {
  hasText: boolean;
  survey: DocumentSummary;
  coverage: Coverage[];
  article: ArticleFacts | undefined;
  url: string;
  redirects: PageResult['redirects'];
  error: PageError | null;
}

const emptyReading = (url: string): Reading => ({
  hasText: false,
  survey: NO_SURVEY,
  coverage: [],
  article: undefined,
  url,
  redirects: [],
  error: null,
});

/** Failures of a partly loaded page. */
const isReadable = (code: string): boolean => code === 'response_timeout' || code === 'response_too_large';

async function load(
  { params, tab, traffic }: Rendering,
  signal: AbortSignal,
): Promise<MethodResult<'page.navigate'>> {
  const { url, timeout_ms } = params;
  const loaded = await navigateTab(
    { tab_id: tab.tabId, action: 'goto', url, wait_until: 'load', timeout_ms },
    signal,
  );
  const file = fileIn(traffic.response(tab.tabId));
  if (file !== null) throw file;
  return loaded;
}

/** Pictures and PDFs show in a tab, but are not pages. */
function fileIn(response: MainResponse | null): SpillwayError | null {
  if (response === null) return null;
  const contentType = response.headers.get('content-type') ?? null;
  if (pageKindOf(contentType, response.headers.get('content-disposition') ?? null) !== 'none') return null;
  return new SpillwayError(
    'not_a_page',
    `${response.url} returned a file (${contentType ?? 'no content type'}).`,
  );
}

/** Reads the page; if it navigates meanwhile, its target is read. */
async function readSettled(
  rendering: Rendering,
  signal: AbortSignal,
  { reading, endsAt }: { readonly reading: Reading; readonly endsAt: number },
): Promise<void> {
  for (let hop = 0; ; hop += 1) {
    try {
      return await readRendered(rendering, signal, { reading, isWhole: true });
    } catch (thrown) {
      const hasGone = toSpillwayError(thrown).code === 'page_changed' && !signal.aborted;
      if (!hasGone || reading.hasText || hop === MAX_HOPS) throw thrown;
    }
    await loaded(rendering.tab.tabId, endsAt - performance.now(), signal);
  }
}

/** Surveys and reads the tab's current page; `isWhole` waits until it has settled. */
async function readRendered(
  { params, tab, channels, extractChannels, traffic, write }: Rendering,
  signal: AbortSignal,
  { reading, isWhole }: { readonly reading: Reading; readonly isWhole: boolean },
): Promise<void> {
  const { tabId } = tab;
  const address = { tabId, frameId: 0, url: params.url };
  // A page that is too large answers late: it has the rest of its grace period.
  const timeoutMs = isWhole ? SURVEY_MS : READ_GRACE_MS;
  const channel = await channels.connect(address, { timeoutMs, signal });
  if (isWhole) await settle(channel, traffic, signal);
  const waiting = { timeoutMs, signal };
  const { survey } = await channel.ask((id) => ({ type: 'survey', id }), 'surveyed', waiting);
  reading.survey = survey;
  // Links come first, but not before reading has begun: until then the page may navigate.
  let links = linkLines(reading.survey.links);
  const lines = new ContentLines(params.extract === null ? contentKind(params.format) : 'found');
  const sink = {
    write: async (text: string): Promise<void> => {
      reading.hasText = true;
      const before = links;
      links = '';
      await write(before + lines.push(text));
    },
    flush: (): Promise<void> => Promise.resolve(),
  };
  const options = crawlReadOptions(params.format, params.main_content_only);
  const { page, coverage } =
    params.extract === null
      ? await readTab({ tabId, options, channels, shownTo: null, signal, sink })
      : await extractTab({ tabId, request: params.extract, channels: extractChannels, signal, sink });
  if (links !== '') await write(links);
  reading.url = page.url;
  reading.coverage = coverage;
  reading.article = page.article;
}

async function readRest(rendering: Rendering, watch: PageWatch, reading: Reading): Promise<void> {
  const { signal, tab, traffic } = rendering;
  if (reading.hasText) return;
  await watch.stopLoading();
  const { url = '' } = await browser.tabs.get(tab.tabId).catch(() => ({ url: '' }));
  // An answer without a body shows nothing yet: the tab still has the previous page.
  if (withoutFragment(url) !== withoutFragment(traffic.response(tab.tabId)?.url ?? '')) return;
  const grace = AbortSignal.any([signal, AbortSignal.timeout(READ_GRACE_MS)]);
  await readRendered(rendering, grace, { reading, isWhole: false }).catch(() => undefined);
}

function movedPage(
  rendering: Rendering,
  { movesTo, redirects }: PageWatch,
  fetchMs: number,
): { readonly value: PageResult; readonly isTabFit: boolean } {
  const { url } = rendering.params;
  const value = resultOf(rendering, { ...emptyReading(url), redirects: [...redirects] }, fetchMs, 0);
  return { value: { ...value, final_url: withoutFragment(url), moves_to: movesTo }, isTabFit: true };
}

function errorOf(thrown: unknown, { url, timeout_ms }: PageParams, response: MainResponse | null): PageError {
  const error = toSpillwayError(thrown);
  // Without the debugger a download ends the navigation, and only its headers explain it.
  const { code, message } = error.code === 'navigation_failed' ? (fileIn(response) ?? error) : error;
  if (code === 'navigation_timeout')
    return { code: 'response_timeout', message: `${url} was not loaded within ${timeout_ms} ms: ${message}` };
  const reason = code === 'navigation_failed' ? netErrorIn(message) : null;
  return { code: reason === null ? code : codeOfNetError(reason), message };
}

const BACKGROUND: Coverage = {
  kind: 'background_tab',
  detail:
    'The page was rendered in a hidden tab, which the browser slows down: its timers and lazy content may not have run.',
};

function resultOf(
  { params, tab, traffic }: Rendering,
  reading: Reading,
  fetchMs: number,
  parseMs: number,
): PageResult {
  const response = traffic.response(tab.tabId);
  const header = (name: string): string | null => response?.headers.get(name) ?? null;
  const { survey: found } = reading;
  const coverage = tab.debugger?.isAsShown === true ? reading.coverage : [BACKGROUND, ...reading.coverage];
  const length = Number(header('content-length') ?? '0');
  return {
    moves_to: null,
    remote_address: traffic.remoteAddress(tab.tabId),
    final_url: withoutFragment(reading.url === params.url ? (response?.url ?? params.url) : reading.url),
    redirects: reading.redirects,
    status: response?.status ?? null,
    content_type: header('content-type'),
    title: found.title,
    canonical: found.canonical,
    robots: [...new Set([...found.robots, ...robotsOfHeader(header('x-robots-tag'))])],
    rendered: true,
    retry_after_ms: retryAfterMs(header('retry-after'), Date.now()),
    timing: {
      fetch_ms: fetchMs,
      parse_ms: parseMs,
      size_bytes: Number.isSafeInteger(length) && length > 0 ? length : 0,
    },
    error: reading.error,
    ...(coverage.length === 0 ? {} : { coverage: [...coverage] }),
    ...(reading.article !== undefined && { article: reading.article }),
  };
}
