/**
 * The entries of the page's performance timeline and what they add up to, as JSON. Times are in milliseconds.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function readTimeline(mostEntries: number): string {
  const observed = (type: string): PerformanceEntry[] => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type, buffered: true });
    const records = observer.takeRecords();
    observer.disconnect();
    return records;
  };
  // The largest sum of shifts within five seconds with less than one between them (web.dev/articles/cls).
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
    entries_left_out: Math.max(0, all.length - mostEntries),
    entries: all.slice(0, mostEntries),
  });
}
