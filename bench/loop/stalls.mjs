/* Loaded into the server before its code: at SIGUSR2 it writes the longest core time between two turns of its event loop since the last one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;
/** In milliseconds (Linux): other programs on the machine do not lengthen it. */
const coreMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

if (isMainThread && process.argv[1]?.endsWith('dist/index.js')) {
  let [last, longest] = [coreMs(), 0];
  setInterval(() => {
    const now = coreMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.BENCH_STALLS, `${longest}\n`);
    longest = 0;
  });
}
