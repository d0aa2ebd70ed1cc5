/**
 * Measures the page of the panel with a long timeline, in a tab of a real browser with a real server:
 *
 *     node --import tsx bench/panel/measure.mjs [lines]
 *
 * The journal is written beforehand. The page is scrolled until all of it has been read, and then by frames. The last line of
 * output is the result as JSON. Needs a build (`npm run build`).
 */
import { join } from 'node:path';
import { HomeDatabase } from '../../server/core/home/database.ts';
import { chromiumPath, startChromium } from '../crawl/chromium.mjs';
import { quantile } from '../lib/stats.mjs';
import { createPanel } from './open.mjs';

const [lines = 100_000] = process.argv.slice(2).map(Number);
const FRAMES = 300;
const EVENTS = 20;
const DAYS = 5;
const TIMEOUT_MS = 60_000;
const rounded = (value, digits = 1) => Number(value.toFixed(digits));

const browser = await startChromium(await chromiumPath());
const { pipe } = browser;
writeJournal();
const client = browser.startServer();
try {
  await client.initialize(TIMEOUT_MS);
  await client.call('tabs', {}, TIMEOUT_MS);
  const { session } = await createPanel(pipe);
  /** Runs a function in the page. */
  const run = (work, ...values) =>
    pipe.evaluate(session, `(${work})(${values.map((value) => JSON.stringify(value)).join()})`);
  await documentOf(run);
  await run(untilThere, '#tab-timeline');
  const paintMs = await run(firstPaint);
  await run(press, '#tab-timeline');
  await run(untilThere, '.row.call');
  await run(readAll, lines);
  const read = await run(scroll, FRAMES);
  await run(watchTop);
  const seen = [];
  for (let n = 0; n < EVENTS; n += 1) {
    await client.call('find_tools', { query: `bench-event-${n}` }, TIMEOUT_MS);
    const answeredAt = Date.now();
    seen.push(Math.max(0, (await run(seenAt, n)) - answeredAt));
  }
  await pipe.send('HeapProfiler.collectGarbage', {}, session);
  const { usedSize } = await pipe.send('Runtime.getHeapUsage', {}, session);
  const result = {
    lines,
    rows_in_document: read.rows,
    frame_p50_ms: rounded(quantile(read.frames, 0.5)),
    frame_p95_ms: rounded(quantile(read.frames, 0.95)),
    heap_mb: rounded(usedSize / 1e6),
    first_paint_ms: rounded(paintMs),
    event_seen_ms: rounded(quantile(seen, 0.5)),
  };
  console.log(JSON.stringify(result));
} finally {
  await client.close();
  await browser.close();
}

/** A target has its address before its document. */
async function documentOf(run) {
  const endsAt = Date.now() + TIMEOUT_MS;
  const isThere = () => document.readyState === 'complete' && location.pathname === '/ui/frame/panel.html';
  while (!(await run(isThere).catch(() => false)))
    if (Date.now() > endsAt) throw new Error('Waited too long for the page of the panel.');
}

/** A journal of the last days, as a server writes it. */
function writeJournal() {
  const database = new HomeDatabase(join(browser.folder, 'spillway'));
  const perDay = Math.ceil(lines / DAYS);
  for (let day = DAYS; day > 0; day -= 1) {
    const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    const entries = Array.from({ length: perDay }, (_, n) => ({
      event: 'tool_call',
      tool: n % 3 === 0 ? 'interact' : 'read_page',
      call_id: `call-${day}-${n}`,
      client_session: 'bench-session',
      agent: 'bench',
      ok: n % 10 !== 0,
      ...(n % 10 === 0 ? { code: 'timeout' } : {}),
      duration_ms: n % 4_000,
      content_bytes: n * 7,
      args: { url: `https://shop.example/products/${n}?from=bench`, max_chars: 20_000 },
      id: `bench-${day}-${n}`,
      ts: new Date(Date.parse(`${date}T00:00:00.000Z`) + n * 4_000).toISOString(),
    }));
    database.write(() => {
      for (const entry of entries)
        database.run(
          'INSERT INTO journal (at_ms, line) VALUES (?, ?)',
          Date.parse(entry.ts),
          JSON.stringify(entry),
        );
    });
  }
  database.close();
}

/** Scrolls to the end until there is no more to read. */
async function readAll(wanted) {
  const list = document.querySelector('.list');
  const space = document.querySelector('.rows-space');
  while (space.offsetHeight / 26 < wanted) {
    list.scrollTop = list.scrollHeight;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Scrolls up and down by more than a screen per frame. Returns the time of each frame, and the most rows. */
async function scroll(count) {
  const list = document.querySelector('.list');
  const frames = [];
  let rows = 0;
  let before = await new Promise((resolve) => requestAnimationFrame(resolve));
  for (let n = 0; n < count; n += 1) {
    list.scrollTop -= 1_200;
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    frames.push(now - before);
    before = now;
    rows = Math.max(rows, document.querySelectorAll('.row').length);
  }
  return { frames, rows };
}

/** Notes when a line has come on top. */
function watchTop() {
  document.querySelector('.list').scrollTo(0, 0);
  globalThis.seen = new Map();
  new MutationObserver(() => {
    const text = document.querySelector('.rows-space').textContent;
    for (const [name] of text.matchAll(/bench-event-\d+/g))
      if (!globalThis.seen.has(name)) globalThis.seen.set(name, Date.now());
  }).observe(document.querySelector('.rows-space'), { childList: true, subtree: true });
}

/** When a line was seen; the query of a call names it, and is followed by how long that took. */
async function seenAt(n) {
  for (;;) {
    const found = [...globalThis.seen.values()][n];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function untilThere(selector) {
  while (document.querySelector(selector) === null) await new Promise((resolve) => setTimeout(resolve, 5));
}

function press(selector) {
  document.querySelector(selector).click();
}

function firstPaint() {
  return new Promise((done) =>
    new PerformanceObserver((list, observer) => {
      const [paint] = list.getEntriesByName('first-contentful-paint');
      if (paint === undefined) return;
      observer.disconnect();
      done(paint.startTime);
    }).observe({ type: 'paint', buffered: true }),
  );
}
