import { runProgram } from '../lib/runs.mjs';

/**
 * How many of the right tools a query finds among those of many servers, and in what time.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  say('tools found by queries');
  const results = await runProgram('selection/measure.ts');
  const { sets, counts, rows, speed } = results;
  const at = (recalls, set, first) => recalls[2 * sets.indexOf(set) + (first === 5 ? 0 : 1)];
  const table = {
    title: `Tools found for a query among the first 10, of ${results.tools} of 22 public servers and of other servers`,
    head: ['selector', ...sets, 'held, first 5'],
    rows: rows.map(({ name, recalls }) => [
      name,
      ...[...sets.map((set) => at(recalls, set, 10)), at(recalls, 'held', 5)].map(
        (one) => one?.toFixed(3) ?? '',
      ),
    ]),
    note: `${counts.join(', ')} queries; the mean of the share that was found. Spillway was tuned with others (tools of 12 other servers), dev and more, not with held, with fresh (tools of 4 more servers) nor with unseen (tools of 10, by an author who saw neither the list of words nor another query). What the model answers is recorded (bench/selection/README.md).`,
  };
  const heldBy = (strategy) => {
    const { recalls } = rows.find(({ name }) => name.includes(`\`${strategy}\``));
    return at(recalls, 'held', 10);
  };
  const bounds = [
    {
      name: 'tools of held queries among the first 10 of 448, by words',
      value: heldBy('keyword'),
      least: 0.85,
      unit: '×',
    },
    { name: 'the same with a model', value: heldBy('hybrid'), least: 0.93, unit: '×' },
    { name: 'tools for a query among 448, median', value: speed.medianMs, most: 10, unit: 'ms' },
    { name: 'CPU of the first query, with the index', value: speed.firstCpuMs, most: 200, unit: 'ms' },
  ];
  return { tables: [table], bounds, results };
}
