/**
 * What the document, its window and the browser say of themselves, as JSON: one object a kind.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function readDocument(): string {
  const { userAgent, language, languages, hardwareConcurrency, platform, cookieEnabled, webdriver } =
    navigator;
  const entry: unknown = performance.getEntriesByType('navigation')[0];
  const navigation = entry instanceof PerformanceNavigationTiming ? entry : undefined;
  const status: unknown = Reflect.get(navigation ?? {}, 'responseStatus');
  const found: HTMLElement | null = document.documentElement;
  // A page may have removed it.
  const root = found ?? { lang: '', clientWidth: 0, clientHeight: 0, scrollWidth: 0, scrollHeight: 0 };
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
