import browser from 'webextension-polyfill';
import { z } from 'zod';
import { toSpillwayError } from '../../../shared/errors.ts';
import { JsonRecord, type JsonObject } from '../../../shared/json.ts';
import { VERSION } from '../../../shared/version.ts';
import { browserFacts } from '../../background/profile.ts';
import { withDebugger, type FactRequest } from './fact-source.ts';
import { runInPage } from './in-page.ts';

const Lines = z.array(JsonRecord);

/** Page, view, locale, navigation, browser, security and time, one line each. */
export async function* describePage(request: FactRequest): AsyncGenerator<JsonObject> {
  const { place, signal } = request;
  yield* Lines.parse(JSON.parse(await runInPage({ place, signal, func: readDocument, args: [] })));
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

const Certificates = z.object({ tableNames: z.array(z.string()) });

/**
 * The certificates of the page's connection, DER in base64, the site's own first. `chrome.debugger`
 * offers no `Security` domain; `Network.getCertificate` is what tells.
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

/** Runs in the page. */
function readDocument(): string {
  const { userAgent, language, languages, hardwareConcurrency, platform, cookieEnabled, webdriver } =
    navigator;
  const entry: unknown = performance.getEntriesByType('navigation')[0];
  const navigation = entry instanceof PerformanceNavigationTiming ? entry : undefined;
  const status: unknown = Reflect.get(navigation ?? {}, 'responseStatus');
  const root = document.documentElement;
  const now = new Date();
  return JSON.stringify([
    {
      kind: 'page',
      url: location.href,
      title: document.title,
      content_type: document.contentType,
      charset: document.characterSet,
      compat_mode: document.compatMode,
      lang: root.lang === '' ? null : root.lang,
      ready_state: document.readyState,
      referrer: document.referrer === '' ? null : document.referrer,
      visibility: document.visibilityState,
      last_modified: document.lastModified,
      elements: document.getElementsByTagName('*').length,
      is_secure_context: isSecureContext,
      is_cross_origin_isolated: crossOriginIsolated,
      history_length: history.length,
    },
    {
      kind: 'view',
      viewport: { width: innerWidth, height: innerHeight },
      // Without scroll bars.
      client_area: { width: root.clientWidth, height: root.clientHeight },
      document: { width: root.scrollWidth, height: root.scrollHeight },
      scroll: { x: scrollX, y: scrollY },
      screen: { width: screen.width, height: screen.height, color_depth: screen.colorDepth },
      device_pixel_ratio: devicePixelRatio,
      is_dark: matchMedia('(prefers-color-scheme: dark)').matches,
      is_reduced_motion: matchMedia('(prefers-reduced-motion: reduce)').matches,
    },
    {
      kind: 'locale',
      language,
      languages,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      utc_offset_minutes: -now.getTimezoneOffset(),
    },
    {
      kind: 'navigation',
      type: navigation?.type ?? null,
      redirects: navigation?.redirectCount ?? null,
      status: status ?? null,
      protocol: navigation?.nextHopProtocol ?? null,
    },
    {
      kind: 'agent',
      user_agent: userAgent,
      platform,
      processors: hardwareConcurrency,
      are_cookies_enabled: cookieEnabled,
      is_automated: webdriver,
    },
    { kind: 'page_time', at: now.toISOString(), time_origin: new Date(performance.timeOrigin).toISOString() },
  ]);
}
