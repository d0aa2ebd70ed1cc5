import browser from 'webextension-polyfill';
import { z } from 'zod';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';
import { readCaches } from '../../page/in-page/read-caches.ts';
import { readDatabases } from '../../page/in-page/read-databases.ts';
import { readUsage } from '../../page/in-page/read-usage.ts';
import { readWebStorage } from '../../page/in-page/read-web-storage.ts';
import type { FactRequest } from './fact-source.ts';
import { runInPage, type PagePlace } from './in-page.ts';

const Lines = z.array(JsonRecord);

/** Names that one storage may list; the rest is counted. */
const MOST_NAMES = 10_000;
/** Opening a database waits for a pending upgrade. */
const DATABASES_MS = 5_000;

const READERS = [
  { what: 'web_storage', func: readWebStorage },
  { what: 'indexed_db', func: readDatabases },
  { what: 'cache_storage', func: readCaches },
  { what: 'usage', func: readUsage },
] as const;

/** Names and sizes of what each origin of the page keeps. Values are measured in the page, never sent. */
export async function* listStorage({ place, signal }: FactRequest): AsyncGenerator<JsonObject> {
  for (const { origin, place: frame } of await origins(place))
    for (const { what, func } of READERS) {
      try {
        const text = await runInPage({
          place: frame,
          signal,
          func,
          args: [MOST_NAMES],
          timeoutMs: DATABASES_MS,
        });
        for (const line of Lines.parse(JSON.parse(text))) yield { ...line, origin };
      } catch (thrown) {
        signal.throwIfAborted();
        const { code, message } = toSpillwayError(thrown);
        yield { kind: 'not_read', what, origin, code, message };
      }
    }
}

/** One frame an origin: frames of one origin share what they keep. */
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
