import { runProgram } from '../lib/runs.mjs';
import { formatNumber } from '../lib/stats.mjs';

/**
 * The cost of a person's rules for a call that they allow.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  say('a call that the rules of a person allow, in turns with one of a private launch');
  const results = await runProgram('policy/measure.mjs', { browser });
  const { judged_ms: judged, other_ms: other, more_ms: more, ratio, against } = results;
  const table = {
    title: 'A call that a person’s rules allow',
    head: ['', 'judged', against, 'difference', 'ratio'],
    rows: [
      [
        'page.find, server to page and back',
        `${formatNumber(judged)} ms`,
        `${formatNumber(other)} ms`,
        `${formatNumber(more)} ms`,
        ratio.toFixed(2),
      ],
    ],
  };
  const bounds = [{ name: 'policy, an allowed call costs more by', value: more, most: 1, unit: 'ms' }];
  return { tables: [table], bounds, results };
}
