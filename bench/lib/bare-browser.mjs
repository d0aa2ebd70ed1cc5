import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright';
import { median, timedRounds } from './stats.mjs';

const CATEGORIES = [
  ...['-*', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'loading', 'latencyInfo'],
  ...['disabled-by-default-v8.cpu_profiler', 'disabled-by-default-lighthouse', 'blink.user_timing'],
];
/** As long as `trace` waits for a page that does nothing. */
const QUIET_MS = 2_000;

/** Medians in milliseconds: the browser's own trace of a cold load, and axe-core in the page. */
export async function measureBare({ url, executablePath, rounds }) {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const session = await page.context().newCDPSession(page);
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const medianOf = async (job) => median(await timedRounds(rounds, job));
    return {
      trace: await medianOf(() => trace(page, session)),
      audit: await medianOf(() =>
        page.evaluate(`${axe}; axe.run().then(({ violations }) => violations.length)`),
      ),
    };
  } finally {
    await browser.close();
  }
}

async function trace(page, session) {
  await session.send('Page.enable');
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: CATEGORIES },
  });
  const loaded = page.waitForEvent('load');
  await session.send('Page.reload', { ignoreCache: true });
  await loaded;
  await delay(QUIET_MS);
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  const { stream: handle } = await complete;
  while (!(await session.send('IO.read', { handle })).eof);
  await session.send('IO.close', { handle });
}
