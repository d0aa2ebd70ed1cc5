import { runProgram } from '../lib/runs.mjs';
import { formatNumber, formatSummary, summarise } from '../lib/stats.mjs';

const MAX_TO_CARD_MS = 200;
const MAX_TO_ACT_MS = 100;

/**
 * How long a question takes to appear, and a decision to take effect.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  say('clicks that a person is asked about, each allowed at once');
  const { samples } = await runProgram('approvals/measure.mjs', { browser });
  const [card, bare, act] = ['cardMs', 'bareMs', 'actMs'].map((key) =>
    summarise(samples.map((sample) => sample[key])),
  );
  return {
    tables: [table({ card, bare, act })],
    bounds: [
      { name: 'approvals, call to a painted card', value: card.median, most: MAX_TO_CARD_MS, unit: 'ms' },
      { name: 'approvals, decision to the act', value: act.median, most: MAX_TO_ACT_MS, unit: 'ms' },
    ],
    results: samples,
  };
}

function table({ card, bare, act }) {
  return {
    title: 'A question to a person',
    head: ['from … to', 'time', '× bare'],
    rows: [
      ['the agent’s call … its card, painted', formatSummary(card, 'ms'), ratio(card, bare)],
      ['*Allow* … the click on the page', formatSummary(act, 'ms'), ''],
      ['bare: `windows.create` … a small page, painted', formatSummary(bare, 'ms'), '1.00'],
    ],
    note: `Medians of ${formatNumber(card.runs)} rounds, with the middle half.`,
  };
}

const ratio = (value, bare) => (value.median / bare.median).toFixed(2);
