/* Loaded into the server before its code: at SIGUSR2 it writes the longest time that its event loop stood still since the last one. */
const { writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.argv[1]?.endsWith('dist/index.js')) {
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.BENCH_STALLS, `${stalls.max / 1e6}\n`);
    stalls.reset();
  });
}
