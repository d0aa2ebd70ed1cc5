import { z } from 'zod';
import { Json, JsonRecord, type JsonObject } from '../../../shared/json.ts';
import type { FactRequest } from './fact-source.ts';
import { runInPage } from './in-page.ts';

const MOST_ENTRIES = 20_000;

/** Entries of the page's own timeline, in the words of its specifications, and what they add up to. */
export async function* listPerformance({ place, signal }: FactRequest): AsyncGenerator<JsonObject> {
  const text = await runInPage({ place, signal, func: readTimeline, args: [MOST_ENTRIES] });
  const { entries, ...summary } = Timeline.parse(JSON.parse(text));
  yield { kind: 'timeline', ...summary };
  for (const entry of entries) yield { kind: 'entry', ...entry };
}

const Timeline = z.object({ entries: z.array(JsonRecord) }).catchall(Json);

/** Runs in the page. */
function readTimeline(mostEntries: number): string {
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
    const goesOn = shift.startTime - last < 1_000 && shift.startTime - windowStart < 5_000;
    windowScore = goesOn ? windowScore + weight : weight;
    if (!goesOn) windowStart = shift.startTime;
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
