import { textOf } from '../lib/mcp-client.mjs';
import { formatNumber, summarise, timed } from '../lib/stats.mjs';

const TIMEOUT_MS = 60_000;
/** Acts in a tab before the clock starts: hidden tabs have been known to slow down after a few. */
const BEFORE = 20;
const TIMES = 21;
const TABS = { front: 'visible', hidden: 'hidden' };
const ACTS = {
  nothing: ['click without effect', () => 'click css=#nothing'],
  change: ['click that changes the page', () => 'click css=#count'],
  fill: ['fill a field', (at) => `fill css=#name Ada ${at}`],
};

/**
 * The same acts in the front tab and in one behind it, alternating.
 * @returns {Promise<{ act: string, front: object, hidden: object }[]>}
 */
export async function measureVisibility({ client, url, say }) {
  const call = async (tool, args) => textOf(await client.call(tool, args, TIMEOUT_MS));
  const tabs = {};
  for (const where of Object.keys(TABS)) {
    const open = { action: 'open', url, activate: where === 'front' };
    tabs[where] = JSON.parse(await call('tabs', open)).opened;
    // Before the first act: the debugger makes a page believe that it is visible.
    const text = await call('read_page', {
      tab: tabs[where],
      format: 'text',
      wait_for: { text: 'Shown as' },
    });
    if (!text.includes(`Shown as ${TABS[where]}.`)) throw new Error(`The ${where} tab is not ${TABS[where]}`);
  }
  const rows = [];
  for (const [name, [title, stepOf]] of Object.entries(ACTS)) {
    say(`front and hidden: ${title}`);
    const times = { front: [], hidden: [] };
    for (let at = -BEFORE; at < TIMES; at++)
      for (const where of Object.keys(TABS)) {
        const act = { tab: tabs[where], steps: [stepOf(at)] };
        const took = await timed(() => call('interact', act));
        if (at >= 0) times[where].push(took);
      }
    rows.push({ act: name, front: summarise(times.front), hidden: summarise(times.hidden) });
  }
  for (const tab of Object.values(tabs)) await call('tabs', { action: 'close', tab });
  return rows;
}

const ratio = ({ front, hidden }) => hidden.median / front.median;

export function visibilityTable(rows) {
  return {
    title: `Acts in the front tab and in a hidden one, after ${BEFORE} of them`,
    head: ['act', 'front', 'hidden', 'ratio'],
    rows: rows.map((row) => [
      ACTS[row.act][0],
      `${formatNumber(row.front.median)} ms`,
      `${formatNumber(row.hidden.median)} ms`,
      formatNumber(ratio(row)),
    ]),
  };
}

export const visibilityBounds = (rows) =>
  rows.map((row) => ({
    name: `act: ${ACTS[row.act][0]}, hidden against front`,
    value: ratio(row),
    most: 1.5,
    unit: '×',
  }));
