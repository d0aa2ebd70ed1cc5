import { runProgram } from '../lib/runs.mjs';
import { formatNumber } from '../lib/stats.mjs';

const MAX_OVER_BARE_MS = 1;

/**
 * The ledger: a line is on the disk before its act begins, so this is the longest that an act waits for it.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  say('500 lines, one by one, then 10,000, a hundred at once');
  const result = await runProgram('ledger.mjs');
  return { tables: [table(result)], bounds: bounds(result), results: result };
}

const micro = (ms) => `${formatNumber(ms * 1_000)} µs`;

function table({ single, bare, group, groupedPerSecond, checkedPerSecond }) {
  const times = ({ median, low, high }) => [micro(median), `${micro(low)} … ${micro(high)}`];
  return {
    title: 'Lines of the ledger, each on the disk before it is acknowledged',
    head: ['what', 'median', 'middle half', 'lines a second'],
    rows: [
      ['one line', ...times(single), formatNumber(1_000 / single.median)],
      ['a bare write and sync of as many bytes', ...times(bare), ''],
      ['a hundred at once', ...times(group), formatNumber(groupedPerSecond)],
      ['`spillway ledger verify`', '', '', formatNumber(checkedPerSecond)],
    ],
  };
}

function bounds({ single, bare }) {
  return [
    {
      name: 'a line of the ledger, over a bare write and sync',
      value: single.median - bare.median,
      most: MAX_OVER_BARE_MS,
      unit: 'ms',
    },
  ];
}
