import browser from 'webextension-polyfill';
import { z } from 'zod';
import { toSpillwayError } from '../../../shared/errors.ts';
import { JsonRecord, type JsonObject } from '../../../shared/json.ts';
import type { FactRequest } from './fact-source.ts';
import { runInPage, type PagePlace } from './in-page.ts';

const Lines = z.array(JsonRecord);

/** Names that one storage may list; the rest is counted. */
const MOST_NAMES = 10_000;
/** Opening a database waits for whoever upgrades it. */
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

// ---- in the page: each function stands for itself -------------------------------------------------

function readWebStorage(mostNames: number): string {
  const lines: object[] = [];
  for (const kind of ['local_storage', 'session_storage']) {
    try {
      const storage = kind === 'local_storage' ? localStorage : sessionStorage;
      for (let at = 0; at < Math.min(storage.length, mostNames); at += 1) {
        const name = storage.key(at) ?? '';
        const size = new TextEncoder().encode(storage.getItem(name) ?? '').length;
        lines.push({ kind, name, size_bytes: size });
      }
      if (storage.length > mostNames) lines.push({ kind, left_out: storage.length - mostNames });
    } catch (thrown) {
      lines.push({ kind: 'not_read', what: kind, message: String(thrown) });
    }
  }
  return JSON.stringify(lines);
}

async function readDatabases(mostNames: number): Promise<string> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('It failed.'));
    });
  const lines: object[] = [];
  for (const { name: database, version } of await indexedDB.databases()) {
    if (database === undefined) continue;
    const open = indexedDB.open(database);
    // Deleted since it was listed: what would be made now is not the page's.
    open.onupgradeneeded = () => open.transaction?.abort();
    try {
      const connection = await settled(open);
      try {
        if (connection.objectStoreNames.length === 0)
          lines.push({ kind: 'indexed_db', database, version, store: null, records: 0 });
        for (const store of connection.objectStoreNames) {
          const objects = connection.transaction(store, 'readonly').objectStore(store);
          const records = await settled(objects.count());
          const names = (await settled(objects.getAllKeys(null, mostNames))).map((key) =>
            typeof key === 'string' ? key : JSON.stringify(key),
          );
          lines.push({ kind: 'indexed_db', database, version, store, records, names });
        }
      } finally {
        connection.close();
      }
    } catch (thrown) {
      lines.push({ kind: 'not_read', what: 'indexed_db', database, message: String(thrown) });
    }
  }
  return JSON.stringify(lines);
}

async function readCaches(mostNames: number): Promise<string> {
  const lines: object[] = [];
  // Pages without TLS have none.
  if (typeof caches === 'undefined') return '[]';
  for (const cacheName of await caches.keys()) {
    const cache = await caches.open(cacheName);
    const requests = await cache.keys();
    for (const request of requests.slice(0, mostNames)) {
      const response = await cache.match(request);
      const length = response?.headers.get('content-length') ?? (await response?.blob())?.size;
      lines.push({
        kind: 'cache_storage',
        cache: cacheName,
        name: request.url,
        method: request.method,
        status: response?.status ?? null,
        size_bytes: length === undefined ? null : Number(length),
      });
    }
    if (requests.length > mostNames)
      lines.push({ kind: 'cache_storage', cache: cacheName, left_out: requests.length - mostNames });
  }
  return JSON.stringify(lines);
}

async function readUsage(): Promise<string> {
  // Pages without TLS are not told.
  if (typeof navigator.storage === 'undefined') return '[]';
  const estimate = await navigator.storage.estimate();
  const details: unknown = Reflect.get(estimate, 'usageDetails');
  const usage = { kind: 'usage', usage_bytes: estimate.usage ?? null, by_type_bytes: details ?? {} };
  return JSON.stringify([usage]);
}
