import { runProgram } from '../lib/runs.mjs';
import { formatMebibytes, formatNumber } from '../lib/stats.mjs';

/** Each in a process of its own: what the compiler made of the code differs from one to the next. */
const RUNS = 3;
const MAX_MS = 0.3;
/** Noise of a heap at rest: as much as 20 bytes left by each of 25,000 calls. */
const MAX_HEAP_BYTES = 2 ** 19;

/**
 * The executor compared with a bare handler of the SDK: the same answer of a tool that does nothing,
 * through MCP in memory.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  const runs = [];
  for (let run = 1; run <= RUNS; run++) {
    say(`process ${run} of ${RUNS}`);
    const { single, ...rest } = await runProgram('executor.mjs', {
      node: ['--expose-gc', '--import', 'tsx'],
    });
    runs.push({ ...single, ...rest, overMs: single.own.median - single.bare.median });
  }
  // The median run represents all.
  const [middle] = [...runs].sort((a, b) => a.overMs - b.overMs).slice(Math.floor(RUNS / 2));
  return {
    tables: [singleTable(middle), concurrentTable(runs, middle)],
    bounds: bounds(runs, middle),
    results: runs,
  };
}

const micro = (ms) => `${formatNumber(ms * 1_000)} µs`;

function singleTable({ own, bare, overMs }) {
  const row = (name, { median, p95 }) => [name, micro(median), micro(p95)];
  return {
    title: 'A tool that does nothing, through MCP in memory',
    head: ['server', 'median', 'p95'],
    rows: [
      row('Spillway', own),
      row('bare SDK handler', bare),
      ['difference', micro(overMs), micro(own.p95 - bare.p95)],
      ['ratio', (own.median / bare.median).toFixed(2), (own.p95 / bare.p95).toFixed(2)],
    ],
  };
}

function concurrentTable(runs, { atOnce, calls }) {
  const range = (key, format) => {
    const values = runs.map((run) => run[key]).sort((a, b) => a - b);
    return `${format(values[0])} … ${format(values.at(-1))}`;
  };
  return {
    title: 'A thousand such calls at once',
    head: ['server', 'time', 'heap left', 'handles left'],
    rows: [
      [
        'Spillway',
        `${formatNumber(atOnce.own.median)} ms`,
        range('heapBytes', formatMebibytes),
        range('handles', String),
      ],
      ['bare SDK handler', `${formatNumber(atOnce.bare.median)} ms`, '', ''],
    ],
    note: `Left after ${formatNumber(calls)} calls of each, in addition to what was there before them; lowest and highest of ${RUNS} processes.`,
  };
}

function bounds(runs, { overMs }) {
  const most = (key) => Math.max(...runs.map((run) => run[key]));
  return [
    {
      name: 'executor, a tool that does nothing, over a bare SDK handler',
      value: overMs,
      most: MAX_MS,
      unit: 'ms',
    },
    {
      name: 'a thousand calls at once, 25 times: heap left',
      value: most('heapBytes') / 2 ** 20,
      most: MAX_HEAP_BYTES / 2 ** 20,
      unit: 'MiB',
    },
    {
      name: 'a thousand calls at once, 25 times: handles left',
      value: most('handles'),
      most: 0,
      unit: 'handles',
    },
  ];
}
