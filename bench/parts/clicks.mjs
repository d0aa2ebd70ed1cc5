import { BUTTONS, DOCUMENTS, clickPage, judge, stepsOf } from '../clicks/pages.mjs';
import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';
import { textOf } from '../lib/mcp-client.mjs';
import { withServer } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { formatNumber, median, sum, timed } from '../lib/stats.mjs';

const TIMEOUT_MS = 120_000;
const CLICKS = 1_000;
const CALLS = CLICKS / BUTTONS;

/**
 * A thousand clicks in each kind of document, in front and hidden: whether each arrived once, and at its button.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveOnLoopback((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname.slice(1));
    sendHtml(response, clickPage(name, `http://localhost:${site.port}`));
  });
  const rows = [];
  await withServer(SPILLWAY, browser, async (client) => {
    for (const where of ['front', 'hidden'])
      for (const name of DOCUMENTS) {
        say(`${name}, ${where}`);
        const url = `${site.origin}/${encodeURI(name)}`;
        rows.push({ name, where, ...(await clickAll({ client, url, where })) });
      }
  }).finally(site.close);
  return { tables: [table(rows)], bounds: bounds(rows), results: rows };
}

async function clickAll({ client, url, where }) {
  const call = async (tool, args) => textOf(await client.call(tool, args, TIMEOUT_MS));
  const { opened: tab } = JSON.parse(
    await call('tabs', { action: 'open', url, activate: where === 'front' }),
  );
  // Its scripts have run once something in it can be clicked.
  await call('interact', { tab, steps: ['click css=#tell'], show: 'none' });
  const times = [];
  let failed = 0;
  for (let at = 0; at < CALLS; at++) {
    const click = () =>
      call('interact', { tab, steps: stepsOf(at), show: 'none' }).catch(() => (failed += 1));
    times.push((await timed(click)) / BUTTONS);
  }
  await call('interact', { tab, steps: ['click css=#tell'], show: 'none' });
  const counted = judge(await call('read_page', { tab, format: 'text' }), CALLS);
  await call('tabs', { action: 'close', tab });
  return { ...counted, failed, clickMs: median(times) };
}

function table(rows) {
  return {
    title: `${formatNumber(CLICKS)} clicks on buttons that move, in each kind of document`,
    head: ['document', 'tab', 'a click', 'lost', 'twice', 'on something else', 'calls that failed'],
    rows: rows.map(({ name, where, clickMs, lost, twice, elsewhere, failed }) => [
      name,
      where,
      `${formatNumber(clickMs)} ms`,
      ...[lost, twice, elsewhere, failed].map(String),
    ]),
    note: `${BUTTONS} clicks a call. Each click moves all buttons.`,
  };
}

function bounds(rows) {
  const names = {
    lost: 'lost',
    twice: 'counted twice',
    elsewhere: 'on something else',
    failed: 'calls that failed',
  };
  return Object.entries(names).map(([key, name]) => ({
    name: `${formatNumber(CLICKS * rows.length)} clicks: ${name}`,
    value: sum(rows, (row) => row[key]),
    most: 0,
    unit: 'clicks',
  }));
}
