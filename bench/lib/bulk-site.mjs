import { serveOnLoopback } from './loopback.mjs';

export const BODY_BYTES = 64 * 1024;
const LINE = 'The quick brown fox jumps over the lazy dog, again and again, ok\n';
const BODY = Buffer.from(LINE.repeat(Math.ceil(BODY_BYTES / LINE.length)).slice(0, BODY_BYTES));

/** Fetches the number of bodies in its query, six at once, and shows in its title how long that took. */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Bulk</title>
<link rel="icon" href="data:,">
<script type="module">
  const requests = Number(new URLSearchParams(location.search).get('requests'));
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (next < requests) await (await fetch('/body?' + next++)).text();
  };
  await Promise.all(Array.from({ length: 6 }, work));
  document.title = 'Bulk: ' + (performance.now() - startedAt) + ' ms';
</script>
`;

/**
 * Serves a page that makes many requests with bodies of 64 KiB.
 * @returns {Promise<{ url: (requests: number) => string, close: () => Promise<void> }>}
 */
export async function serveBulk() {
  const site = await serveOnLoopback((request, response) => {
    const isPage = request.url?.startsWith('/page') === true;
    const type = isPage ? 'text/html; charset=utf-8' : 'text/plain';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(isPage ? PAGE : BODY);
  });
  return { url: (requests) => `${site.origin}/page?requests=${requests}`, close: site.close };
}
