import { runProgram } from '../lib/runs.mjs';

/**
 * The side panel with a hundred thousand lines in its timeline, and what it costs an agent that it is open.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  say('the page of the panel with 100,000 lines, read and scrolled');
  const results = await runProgram('panel/measure.mjs', { browser });
  say('reads with the panel open and closed, in turns');
  const cost = await runProgram('panel/cost.mjs', { browser });
  const bounds = [
    { name: 'panel, rows in the document', value: results.rows_in_document, most: 200, unit: '' },
    { name: 'panel, p95 of a frame while scrolling', value: results.frame_p95_ms, most: 20, unit: 'ms' },
    { name: 'panel, heap', value: results.heap_mb, most: 80, unit: 'MB' },
    { name: 'panel, first paint', value: results.first_paint_ms, most: 200, unit: 'ms' },
    { name: 'panel, a call is seen after its answer', value: results.event_seen_ms, most: 100, unit: 'ms' },
  ];
  const table = {
    title: 'The side panel with 100,000 lines',
    head: ['', 'measured', 'bound'],
    rows: bounds.map(({ name, value, most, unit }) => [name, `${value} ${unit}`, `${most} ${unit}`]),
  };
  const costBounds = [
    {
      name: 'panel open, what a read of the small page costs more',
      value: cost.more_ms,
      most: 1,
      unit: 'ms',
    },
    { name: 'panel open or closed, keeping an answer', value: cost.keep_ns, most: 1_000, unit: 'ns' },
  ];
  const costTable = {
    title: 'What an open side panel costs an agent',
    head: ['median of', 'panel open', 'panel closed'],
    rows: [
      ['a read of the small page', `${cost.open_ms} ms`, `${cost.closed_ms} ms`],
      ['the same, each right after the last', `${cost.row_open_ms} ms`, `${cost.row_closed_ms} ms`],
      ['bare: a call of a server that does nothing', `${cost.bare_open_ms} ms`, `${cost.bare_closed_ms} ms`],
    ],
    note: `${cost.reads} reads each, in turns. Keeping an answer takes ${cost.keep_ns} ns, open or closed.`,
  };
  return {
    tables: [table, costTable],
    bounds: [...bounds, ...costBounds],
    results: { ...results, cost },
  };
}
