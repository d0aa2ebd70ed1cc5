import { runProgram } from '../lib/runs.mjs';
import { MIB, formatMebibytes, formatNumber } from '../lib/stats.mjs';

/**
 * A bundle of more than 200 MB, in a process and a Chromium of its own.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  say('a bundle of a page with 204 MiB of pictures');
  const results = await runProgram('evidence.mjs');
  const { seconds, sizeBytes, serverGrowthBytes, hostGrowthBytes, workerHeapBytes } = results;
  const table = {
    title: 'An evidence bundle of a page with 204 MiB of pictures',
    head: ['archive', 'time', 'server grows', 'native host grows', "worker's heap", 'with buffers'],
    rows: [
      [
        formatMebibytes(sizeBytes),
        `${formatNumber(seconds)} s`,
        formatMebibytes(serverGrowthBytes),
        formatMebibytes(hostGrowthBytes),
        formatMebibytes(workerHeapBytes),
        formatMebibytes(results.workerHeapAndBuffersBytes),
      ],
    ],
  };
  const bound = (name, bytes, most) => ({ name, value: (bytes ?? 0) / MIB, most, unit: 'MiB' });
  const bounds = [
    bound('a bundle of 200 MB, memory growth of the server', serverGrowthBytes, 96),
    bound('a bundle of 200 MB, memory growth of the native host', hostGrowthBytes, 96),
    bound("a bundle of 200 MB, heap of the extension's worker", workerHeapBytes, 64),
  ];
  return { tables: [table], bounds, results };
}
