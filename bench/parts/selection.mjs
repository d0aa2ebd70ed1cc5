import { join } from 'node:path';
import { ROOT, mustRun } from '../../scripts/lib/run.mjs';

const PROGRAM = join(ROOT, 'tests/support/selection/measure.ts');

/**
 * How many of the right tools a query finds among those of many servers, and in what time.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  say('tools found by queries');
  const output = await mustRun(process.execPath, ['--import', 'tsx', PROGRAM]);
  const results = JSON.parse(output.trim().split('\n').at(-1));
  const table = {
    title: `Tools found for a query, among ${results.tools} of 22 public servers`,
    head: [
      'selector',
      'others, first 5',
      'first 10',
      'dev, first 5',
      'first 10',
      'held, first 5',
      'first 10',
    ],
    rows: results.rows.map(({ name, recalls }) => [name, ...recalls.map((recall) => recall.toFixed(3))]),
    note: `${results.counts.join(', ')} queries; the mean of the share that was found. Tuned with others (tools of 12 other servers) and dev, not with held and fresh (tools of 4 more servers).`,
  };
  const held = results.rows.at(-1).recalls[2 * results.sets.indexOf('held') + 1];
  const bounds = [
    { name: 'tools of held queries among the first 10 of 448', value: held, least: 0.85, unit: '×' },
    { name: 'tools for a query among 448, median', value: results.speed.medianMs, most: 10, unit: 'ms' },
    {
      name: 'the same for the first query, with the index',
      value: results.speed.firstMs,
      most: 400,
      unit: 'ms',
    },
  ];
  return { tables: [table], bounds, results };
}
