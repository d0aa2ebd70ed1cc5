/*
 * `scripting.executeScript` passes each function to the page as text: it sees only its arguments and the page, nothing
 * else of the extension.
 */

/** Names and sizes of entries in `localStorage` and `sessionStorage`, as JSON. Sizes are UTF-8 bytes. */
export function readWebStorage(maxNames: number): string {
  const lines: object[] = [];
  for (const kind of ['local_storage', 'session_storage']) {
    try {
      const storage = kind === 'local_storage' ? localStorage : sessionStorage;
      for (let at = 0; at < Math.min(storage.length, maxNames); at += 1) {
        const name = storage.key(at) ?? '';
        const size = new TextEncoder().encode(storage.getItem(name) ?? '').length;
        lines.push({ kind, name, size_bytes: size });
      }
      if (storage.length > maxNames) lines.push({ kind, left_out: storage.length - maxNames });
    } catch (thrown) {
      lines.push({ kind: 'not_read', what: kind, message: String(thrown) });
    }
  }
  return JSON.stringify(lines);
}

/** The object stores of the page's IndexedDB databases with their keys, as JSON. */
export async function readDatabases(maxNames: number): Promise<string> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('It failed.'));
    });
  const lines: object[] = [];
  for (const { name: database, version } of await indexedDB.databases()) {
    if (database === undefined) continue;
    const open = indexedDB.open(database);
    // Deleted since it was listed: opening would create it.
    open.onupgradeneeded = () => open.transaction?.abort();
    try {
      const connection = await settled(open);
      try {
        if (connection.objectStoreNames.length === 0)
          lines.push({ kind: 'indexed_db', database, version, store: null, records: 0 });
        for (const store of connection.objectStoreNames) {
          const objects = connection.transaction(store, 'readonly').objectStore(store);
          const records = await settled(objects.count());
          const names = (await settled(objects.getAllKeys(null, maxNames))).map((key) =>
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

/** Addresses and sizes in bytes of the entries in `caches`, as JSON. */
export async function readCaches(maxNames: number): Promise<string> {
  const lines: object[] = [];
  // Missing in pages without TLS.
  if (typeof caches === 'undefined') return '[]';
  for (const cacheName of await caches.keys()) {
    const cache = await caches.open(cacheName);
    const requests = await cache.keys();
    for (const request of requests.slice(0, maxNames)) {
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
    if (requests.length > maxNames)
      lines.push({ kind: 'cache_storage', cache: cacheName, left_out: requests.length - maxNames });
  }
  return JSON.stringify(lines);
}

/** Bytes used by the page's origin, as JSON. */
export async function readUsage(): Promise<string> {
  // Missing in pages without TLS.
  if (typeof navigator.storage === 'undefined') return '[]';
  const estimate = await navigator.storage.estimate();
  const details: unknown = Reflect.get(estimate, 'usageDetails');
  const usage = { kind: 'usage', usage_bytes: estimate.usage ?? null, by_type_bytes: details ?? {} };
  return JSON.stringify([usage]);
}

/**
 * Names and values of an area's entries, as JSON: in other results the browser replaces halves of characters, which
 * packed data has. Null if there is no such area.
 */
export function listWebStorage(area: string): string | null {
  try {
    const storage = area === 'local' ? localStorage : sessionStorage;
    const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    return JSON.stringify(names.map((name) => [name, storage.getItem(name) ?? '']));
  } catch {
    return null;
  }
}

/**
 * Sets entries, whose names and values are JSON for the same reason, or deletes those without a value; null deletes
 * all. Returns the number of changed entries, or the reason of a failure.
 */
export function changeWebStorage(
  area: string,
  entries: readonly [name: string, value: string | null][] | null,
): number | string {
  try {
    const storage = area === 'local' ? localStorage : sessionStorage;
    const kept = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    const wanted =
      entries?.map(([name, value]): [string, string | null] => [
        String(JSON.parse(name)),
        value === null ? null : String(JSON.parse(value)),
      ]) ?? kept.map((key): [string, null] => [key, null]);
    let changed = 0;
    for (const [name, value] of wanted) {
      if (value === null && !kept.includes(name)) continue;
      if (value === null) storage.removeItem(name);
      else storage.setItem(name, value);
      changed += 1;
    }
    return changed;
  } catch (thrown) {
    return String(thrown);
  }
}
