import { words } from '../lib/pages.mjs';
import { textOf } from '../lib/mcp-client.mjs';
import { withServer } from '../lib/runs.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { sum } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';
import { DEVTOOLS_DRIVERS, PLAYWRIGHT_DRIVERS, SPILLWAY_DRIVERS } from '../tasks/drivers.mjs';
import { priceOf, serveTasks } from '../tasks/site.mjs';

const TIMEOUT_MS = 60_000;
const DRIVERS = [SPILLWAY_DRIVERS, PLAYWRIGHT_DRIVERS, DEVTOOLS_DRIVERS];

/** Twelve questions, each with what an answer has to contain. */
const TASKS = [
  { id: 'hours', title: 'opening hours on a small page', proof: ['10:40 to 19:20'] },
  { id: 'redirect', title: 'the same behind a redirect', proof: ['10:40 to 19:20'] },
  { id: 'late', title: 'text that a script adds after 0.9 s', proof: ['4,917.20'] },
  { id: 'frame', title: "a shadow root in another site's frame", proof: ['row K: 17'] },
  { id: 'clutter', title: 'a price in an article among 130 links', proof: ['7.35 crowns'] },
  { id: 'article', title: 'a part of a long article', proof: [`Part 37: ${words(3, 37)}`] },
  { id: 'row', title: 'row 1,377 of a table of 2,000', proof: [`${(1377 * 37) % 1000}.50`] },
  {
    id: 'records',
    title: 'prices of 60 products',
    proof: Array.from({ length: 60 }, (_, at) => priceOf(at + 1).replace(/\.?0+$/, '')),
  },
  { id: 'virtual', title: 'row 3,777 of a virtual list', proof: [String((3777 * 7919) % 100_003)] },
  { id: 'guides', title: 'a fact on one of 12 linked pages', proof: ['48613'] },
  { id: 'api', title: 'the body of one of 30 requests', proof: [priceOf(23)] },
  { id: 'pdf', title: 'a clause of a PDF of 12 pages', proof: ['47 days'] },
];

/**
 * What it takes each server to answer the twelve questions: calls and tokens, arguments included. A
 * question counts as answered when the answers contain its proof; the driver calls until they do.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveTasks();
  const results = [];
  try {
    for (const [at, server] of [SPILLWAY, ...PEERS].entries())
      results.push(await measureServer({ server, drivers: DRIVERS[at], site, browser, say }));
  } finally {
    await site.close();
  }
  return { tables: [table(results)], bounds: bounds(results), results };
}

async function measureServer({ server, drivers, site, browser, say }) {
  const tasks = {};
  for (const { id, title, proof } of TASKS) {
    say(`${server.name}: ${title}`);
    tasks[id] = await withServer(server, browser, (client) =>
      answer({ client, drive: drivers[id], proof, url: site.url }),
    );
  }
  return { id: server.id, name: server.name, tasks };
}

class Answered extends Error {}

/** Drives one task until its proof was seen. A browser of its own: no task finds another's page open. */
async function answer({ client, drive, proof, url }) {
  const open = new Set(proof);
  const counts = { calls: 0, tokens: 0 };
  const call = async (tool, args) => {
    const result = await client.request('tools/call', { name: tool, arguments: args }, TIMEOUT_MS);
    const text = textOf(result);
    counts.calls += 1;
    counts.tokens += tokensOf(JSON.stringify(args)) + tokensOf(text);
    for (const part of open) if (text.includes(part)) open.delete(part);
    if (open.size === 0) throw new Answered();
    return text;
  };
  try {
    await drive({ call, url });
    return { ...counts, failure: 'no answer had it' };
  } catch (error) {
    return { ...counts, failure: error instanceof Answered ? null : error.message };
  }
}

const total = (result, field) => sum(Object.values(result.tasks), (task) => task[field]);
const answered = ({ tasks }) => Object.values(tasks).filter(({ failure }) => failure === null).length;

function table(results) {
  const cell = ({ calls, tokens, failure }) =>
    `${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens.toLocaleString('en-US')} tok${failure === null ? '' : ' (not found)'}`;
  return {
    title: 'Twelve reading tasks: calls and tokens until the answer was seen',
    head: ['task', ...results.map(({ name }) => name)],
    rows: [
      ...TASKS.map(({ id, title }) => [title, ...results.map(({ tasks }) => cell(tasks[id]))]),
      [
        'all',
        ...results.map(
          (result) =>
            `${answered(result)} of ${TASKS.length}, ${total(result, 'calls')} calls, ${total(result, 'tokens').toLocaleString('en-US')} tok`,
        ),
      ],
    ],
    note: 'A browser of its own for each task. Tokens are those of the arguments and of the text of the answers.',
  };
}

function bounds([spillway, ...peers]) {
  const better = Math.min(...peers.map((peer) => total(peer, 'tokens')));
  return [
    { name: 'reading tasks answered', value: answered(spillway), least: TASKS.length, unit: 'tasks' },
    {
      name: 'tokens of the reading tasks against the better peer',
      value: total(spillway, 'tokens') / better,
      most: 0.5,
      unit: '×',
    },
  ];
}
