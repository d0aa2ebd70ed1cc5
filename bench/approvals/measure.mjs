/**
 * Measures how long people and agents wait for each other:
 *
 *     node --import tsx bench/approvals/measure.mjs [rounds]
 *
 * An agent clicks a button on a page, through a server and a browser with a person's default rules. The time to the card
 * runs from sending the request to the first paint of the window; the time to the act from releasing *Allow* to the click
 * on the page. The baseline is a small page in a window that the worker opens on its own. All times are by this machine's
 * clock.
 *
 * The last line of output is the result as JSON. Needs a build (`npm run build`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumPath, startChromium } from '../crawl/chromium.mjs';
import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';
import { textOf } from '../lib/mcp-client.mjs';

const [rounds = 15] = process.argv.slice(2).map(Number);
const WARM_UP_ROUNDS = 3;
const TIMEOUT_MS = 60_000;
const LOOK_MS = 5;
const CARD = '/people/approve/approve.html';
const PAGE = `<title>Bench</title><button id="go">Go</button>
<script>document.querySelector('#go').onclick = () => { globalThis.clickedAt = performance.timeOrigin + performance.now(); };</script>`;
const BARE = '<title>Bare</title><p>Small</p>';

const now = () => performance.timeOrigin + performance.now();

const site = await serveOnLoopback((request, response) =>
  sendHtml(response, request.url === '/bare' ? BARE : PAGE),
);
const browser = await startChromium(await chromiumPath(), { isPrivate: false });
const { pipe } = browser;
const client = browser.startServer();
try {
  await client.initialize(TIMEOUT_MS);
  const opened = await client.call('tabs', { action: 'open', url: `${site.origin}/` }, TIMEOUT_MS);
  const { opened: tab } = JSON.parse(textOf(opened));
  const page = await attach(`${site.origin}/`);
  const worker = await attach('chrome-extension://', 'service_worker');
  const samples = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const sample = { ...(await ask(tab, page)), bareMs: await openBare(worker) };
    if (round >= 0) samples.push(sample);
  }
  console.log(JSON.stringify({ samples }));
} finally {
  await client.close();
  await browser.close();
  await site.close();
}

/** One call that a person is asked about, and allows as soon as they can. */
async function ask(tab, page) {
  const askedAt = now();
  const answered = client.call('interact', { tab, steps: ['click css=#go'], show: 'none' }, TIMEOUT_MS);
  // Awaited below; a round that fails before says why itself.
  answered.catch(() => {});
  const card = await attach(CARD);
  const point = await pipe.evaluate(
    card,
    `new Promise((done) => {
      const look = () => {
        const button = document.querySelector('#allow[aria-disabled="false"]');
        if (button === null) return setTimeout(look, ${LOOK_MS});
        button.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = button.getBoundingClientRect();
        done({ x: x + width / 2, y: y + height / 2 });
      };
      look();
    })`,
  );
  const paintedAt = await firstPaint(card);
  const press = { ...point, button: 'left', clickCount: 1 };
  await pipe.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...press }, card);
  const releasedAt = now();
  // The window may close before it has answered.
  pipe.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...press }, card).catch(() => {});
  await answered;
  const clickedAt = await pipe.evaluate(page, 'globalThis.clickedAt');
  await gone(CARD);
  return { cardMs: paintedAt - askedAt, actMs: clickedAt - releasedAt };
}

/** A window with a small page, opened by the worker. */
async function openBare(worker) {
  const url = `${site.origin}/bare`;
  const openedAt = now();
  const id = await pipe.evaluate(
    worker,
    `chrome.windows.create({ type: 'popup', width: 440, height: 600, url: ${JSON.stringify(url)} }).then(({ id }) => id)`,
  );
  const paintedAt = await firstPaint(await attach(url));
  await pipe.evaluate(worker, `chrome.windows.remove(${id})`);
  await gone(url);
  return paintedAt - openedAt;
}

function firstPaint(session) {
  return pipe.evaluate(
    session,
    `new Promise((done) => new PerformanceObserver((list, observer) => {
      const [paint] = list.getEntriesByName('first-contentful-paint');
      if (paint === undefined) return;
      observer.disconnect();
      done(performance.timeOrigin + paint.startTime);
    }).observe({ type: 'paint', buffered: true }))`,
  );
}

async function targets(part, type = 'page') {
  const { targetInfos } = await pipe.send('Target.getTargets');
  return targetInfos.filter((info) => info.type === type && info.url.includes(part));
}

/** A session of the target whose address has this part, once there is one. */
async function attach(part, type) {
  const [target] = await until(
    `a target at ${part}`,
    () => targets(part, type),
    ({ length }) => length > 0,
  );
  const session = await pipe.attachTo(target.targetId);
  // A target has its address before its document.
  const href = () => pipe.evaluate(session, 'globalThis.location?.href ?? ""').catch(() => '');
  await until(`the document at ${part}`, href, (address) => address.includes(part));
  return session;
}

function gone(part) {
  return until(
    `the end of ${part}`,
    () => targets(part),
    ({ length }) => length === 0,
  );
}

async function until(what, look, isIt) {
  const endsAt = now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (isIt(seen)) return seen;
    if (now() > endsAt) throw new Error(`Waited too long for ${what}.`);
    await sleep(LOOK_MS);
  }
}
