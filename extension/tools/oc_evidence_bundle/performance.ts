import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { Json, JsonRecord } from '../../../shared/json-schema.ts';
import { readTimeline } from '../../page/in-page/read-timeline.ts';
import type { FactRequest } from './fact-source.ts';
import { runInPage } from './in-page.ts';

const MOST_ENTRIES = 20_000;

/** Entries of the page's own timeline, in the words of its specifications, and what they add up to. */
export async function* listPerformance({
  place,
  personTabs,
  signal,
}: FactRequest): AsyncGenerator<JsonObject> {
  const text = await runInPage({ place, signal, func: readTimeline, args: [MOST_ENTRIES] });
  const { entries: all, ...summary } = Timeline.parse(JSON.parse(text));
  const origin = Date.parse(summary.time_origin);
  // Addresses can hold what a person has typed.
  const entries = all.filter(({ startTime }) => !personTabs.hadAt(place.tabId, origin + Number(startTime)));
  const leftOut = all.length - entries.length;
  yield { kind: 'timeline', ...summary, ...(leftOut === 0 ? {} : { left_out_of_a_person: leftOut }) };
  for (const entry of entries) yield { kind: 'entry', ...entry };
}

const Timeline = z.object({ time_origin: z.string(), entries: z.array(JsonRecord) }).catchall(Json);
