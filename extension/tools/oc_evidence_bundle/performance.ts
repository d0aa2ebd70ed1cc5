import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { Json, JsonRecord } from '../../../shared/json-schema.ts';
import { readTimeline } from '../../page/in-page/read-timeline.ts';
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
