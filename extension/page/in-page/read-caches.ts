/**
 * Addresses and sizes in bytes of what the page keeps in `caches`, as JSON.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export async function readCaches(mostNames: number): Promise<string> {
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
