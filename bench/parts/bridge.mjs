import { runProgram } from '../lib/runs.mjs';
import { formatNumber } from '../lib/stats.mjs';

/**
 * Round trip and stream through the real bridge, in turns with a bare host and a bare worker.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  say('round trips and streams, in turns with a bare host');
  const results = await runProgram('bridge/measure.mjs', { browser });
  const { round_trip_ms: trip, throughput_mb_per_s: speed } = results;
  const { spillway, bare_relayed: bare } = trip;
  const relayed = { bare, spillway, ratio: spillway / bare };
  const row = (name, { bare, spillway, ratio }, unit) => [
    name,
    `${formatNumber(spillway)} ${unit}`,
    `${formatNumber(bare)} ${unit}`,
    ratio.toFixed(2),
  ];
  const table = {
    title: 'The bridge and a bare native host',
    head: ['', 'Spillway', 'bare', 'ratio'],
    rows: [
      row('round trip, server to worker and back', trip, 'ms'),
      row('the same with a bare host that relays', relayed, 'ms'),
      row('stream, worker to server', speed, 'MB/s'),
    ],
  };
  const bounds = [
    { name: 'bridge, round trip against a bare native host', value: trip.ratio, most: 1.5, unit: '×' },
    { name: 'bridge, stream against raw postMessage', value: speed.ratio, least: 0.7, unit: '×' },
  ];
  return { tables: [table], bounds, results };
}
