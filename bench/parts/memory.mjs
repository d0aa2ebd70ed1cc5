import { textOf } from '../lib/mcp-client.mjs';
import { watchMemory } from '../lib/processes.mjs';
import { withServer } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { MIB, formatMebibytes } from '../lib/stats.mjs';

const TIMEOUT_MS = 300_000;
const MAX_MIB = 2_048;
const UNITS = 4_000_000;

const script = (code, more = {}) => ['script', { code, timeout_ms: 60_000, ...more }];
const times = (count, call) => Array.from({ length: count }, () => call);

/** Each is a start, and then calls that are open at once, after it. */
const MIXES = [
  {
    title: '1,500 lists after a message of 5 MB',
    first: script("throw new Error('x'.repeat(5e6))"),
    calls: times(1_500, ['run_list', { count: 100 }]),
  },
  {
    title: '900 lists of a program after it',
    first: script("throw new Error('x'.repeat(5e6))"),
    calls: [
      script('return (await Promise.all(Array.from({ length: 900 }, () => tools.run_list({})))).length'),
    ],
  },
  {
    title: '60 programs that throw, name, log and emit 4 MB',
    calls: times(15, [
      script(`throw 'x'.repeat(${UNITS})`),
      script(`await tools['x'.repeat(${UNITS})]({})`),
      script(`for (let n = 0; n < 100; n++) log('x'.repeat(${UNITS})); return 1`),
      script(`for (let n = 0; n < 10; n++) emit('x'.repeat(${UNITS})); return 1`),
    ]).flat(),
  },
  {
    title: '100 programs with 4 MB of input that wait',
    calls: times(100, script('await sleep(100); return 1', { input: 'x'.repeat(UNITS), async: true })),
  },
  {
    title: '32 answers of 4 MB, inline',
    calls: times(32, script(`return 'x'.repeat(${UNITS})`, { output_mode: 'inline' })),
  },
];

/**
 * Peak memory of a server under calls that are many or large, each mix in a server of its own.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  const results = [];
  for (const { title, first, calls } of MIXES) {
    say(title);
    results.push({
      title,
      ...(await withServer(SPILLWAY, null, (client) => measureMix(client, first, calls))),
    });
  }
  return { tables: [table(results)], bounds: bounds(results), results };
}

async function measureMix(client, first, calls) {
  const request = async ([name, args]) =>
    textOf(await client.request('tools/call', { name, arguments: args }, TIMEOUT_MS)).length;
  if (first !== undefined) await request(first);
  const memory = watchMemory(client.pid);
  const lengths = await Promise.all(calls.map(request));
  return { ...memory.stop(), longest: Math.max(...lengths) };
}

function table(results) {
  return {
    title: 'Memory of the server under many and large calls at once',
    head: ['calls', 'before', 'peak', 'longest answer'],
    rows: results.map(({ title, firstBytes, peakBytes, longest }) => [
      title,
      formatMebibytes(firstBytes),
      formatMebibytes(peakBytes),
      `${longest.toLocaleString('en-US')} characters`,
    ]),
  };
}

function bounds(results) {
  return [
    {
      name: 'memory of the server under many and large calls',
      value: Math.max(...results.map(({ peakBytes }) => (peakBytes ?? 0) / MIB)),
      most: MAX_MIB,
      unit: 'MiB',
    },
  ];
}
