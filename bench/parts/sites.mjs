import { runProgram } from '../lib/runs.mjs';
import { formatNumber } from '../lib/stats.mjs';

const MIB = 1024 * 1024;

/**
 * Sites kept apart: the cost of remembering what an agent was given, and messages that are wrongly taken for a copy.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  say('a million characters five times, then 500 messages from unrelated documents');
  const result = await runProgram('sites.mjs');
  return { tables: [table(result)], bounds: bounds(result), results: result };
}

const table = ({ readMs, actMs, addMs, searchMs, bytes, wrong }) => ({
  title: 'Text of one site on its way to another',
  head: ['what', 'measured'],
  rows: [
    ['added to a read of 30,000 characters, before its answer', `${formatNumber(readMs)} ms`],
    ['added to an act with 200 characters', `${formatNumber(actMs)} ms`],
    ['CPU to remember a million characters, after the answer', `${formatNumber(addMs)} ms`],
    ['CPU to search a message of 200 characters', `${formatNumber(searchMs)} ms`],
    ['memory for a million characters', `${formatNumber(bytes / MIB)} MiB`],
    ['of 500 messages from unrelated documents, taken for a copy', formatNumber(wrong)],
  ],
});

const bounds = ({ bytes, wrong }) => [
  { name: 'memory of an agent’s texts', value: bytes / MIB, most: 16, unit: 'MiB' },
  { name: 'unrelated messages taken for a copy, of 500', value: wrong, most: 1, unit: '' },
];
