/*
 * `scripting.executeScript` passes each function to the page as text: it sees only its arguments and the page, nothing
 * else of the extension.
 */

/** Returns, unless the page is busy or shows a dialog. */
export function answer(): true {
  return true;
}

export function readTitle(): string {
  return document.title;
}

/** Properties of the document, its window and the browser, as JSON, one object per kind. */
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

/** The page's performance timeline and its totals, as JSON. Times are in milliseconds. */
export function readTimeline(maxEntries: number): string {
  const observed = (type: string): PerformanceEntry[] => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type, buffered: true });
    const records = observer.takeRecords();
    observer.disconnect();
    return records;
  };
  // The largest sum of shifts within five seconds, with gaps below one second (web.dev/articles/cls).
  let score = 0;
  let windowScore = 0;
  let windowStart = -Infinity;
  let last = -Infinity;
  const shifts = observed('layout-shift');
  for (const shift of shifts) {
    if (Reflect.get(shift, 'hadRecentInput') === true) continue;
    const weight = Number(Reflect.get(shift, 'value'));
    const isSameWindow = shift.startTime - last < 1_000 && shift.startTime - windowStart < 5_000;
    windowScore = isSameWindow ? windowScore + weight : weight;
    if (!isSameWindow) windowStart = shift.startTime;
    last = shift.startTime;
    score = Math.max(score, windowScore);
  }
  const paints = performance.getEntriesByType('paint');
  const paint = (name: string): number | null =>
    paints.find((entry) => entry.name === name)?.startTime ?? null;
  const largest = observed('largest-contentful-paint');
  const all = [
    ...performance.getEntriesByType('navigation'),
    ...paints,
    ...largest,
    ...shifts,
    ...observed('longtask'),
    ...performance.getEntriesByType('resource'),
  ];
  return JSON.stringify({
    time_origin: new Date(performance.timeOrigin).toISOString(),
    now_ms: performance.now(),
    first_paint_ms: paint('first-paint'),
    first_contentful_paint_ms: paint('first-contentful-paint'),
    largest_contentful_paint_ms: largest.at(-1)?.startTime ?? null,
    cumulative_layout_shift: PerformanceObserver.supportedEntryTypes.includes('layout-shift') ? score : null,
    entries_left_out: Math.max(0, all.length - maxEntries),
    entries: all.slice(0, maxEntries),
  });
}

/** The viewport's position in CSS pixels, and the device pixel ratio. */
export function readView(): { x: number; y: number; width: number; height: number; pixelRatio: number } {
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio };
}

/** Moves one entry back or forward in the history. Returns false if the page has a single entry. */
export function stepHistory(direction: 'back' | 'forward'): boolean {
  if (history.length < 2) return false;
  history[direction]();
  return true;
}

/** Whether this document's frame has an entry in the other direction, as after a step in this one. */
export function hasStepped(direction: 'back' | 'forward'): boolean {
  const entries: unknown = Reflect.get(globalThis, 'navigation');
  if (typeof entries !== 'object' || entries === null) return false;
  return Reflect.get(entries, direction === 'back' ? 'canGoForward' : 'canGoBack') === true;
}

/** Stops loading, as the browser's stop button does. */
export function stopDocument(): void {
  window.stop();
}

/** Whether a person has used the page within the last seconds. */
export function isUsed(): boolean {
  return navigator.userActivation.isActive;
}

/** Resolves after the document has been drawn `count` times. */
export function framesDrawn(count: number): Promise<true> {
  return new Promise((resolve) => {
    let left = count;
    const next = (): void => {
      left -= 1;
      if (left < 0) resolve(true);
      else requestAnimationFrame(next);
    };
    next();
  });
}

/**
 * Starts or stops blocking an agent's gesture in a frame. Null if the guard script is missing: the frame is older than
 * the extension.
 */
export function guardFrame(gesture: string, isOn: boolean): unknown {
  const guard: unknown = Reflect.get(globalThis, Symbol.for('spillway.guard'));
  return typeof guard === 'function' ? Reflect.apply(guard, undefined, [gesture, isOn]) : null;
}

/** The part in view, the whole document and the ratio of pixels, where the browser does not give them. */
export function readLayout(): object {
  const found: HTMLElement | null = document.documentElement;
  const root = found ?? { clientWidth: 0, clientHeight: 0, scrollWidth: 0, scrollHeight: 0 };
  const width = root.clientWidth || innerWidth;
  // In quirks mode, the root is as high as the document.
  const height = Math.min(root.clientHeight || innerHeight, innerHeight);
  return {
    view: { x: scrollX, y: scrollY, width, height },
    content: { width: Math.max(root.scrollWidth, width), height: Math.max(root.scrollHeight, height) },
    ratio: devicePixelRatio,
  };
}
