import { EventEmitter, once } from 'node:events';
import { statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SETUP_LOCK, SOURCES, build } from './lib/build.mjs';
import { fingerprint } from './lib/fingerprint.mjs';
import { withLock } from './lib/lock.mjs';
import { ROOT } from './lib/run.mjs';
import { PlainError, paint, runMain, step } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

/** Saving several files, or one through a temporary file, counts as one change. */
const SETTLE_MS = 100;

/*
 * `npm run dev`: builds, and builds again whenever a source changes. A browser that has loaded
 * `dist/extension` reloads it when the build changed it. A build that fails leaves the last good one.
 */
await runMain(async () => {
  await setUp({ build: false, browser: false });
  console.log(paint('bold', '\nBuilds'));
  const changes = watchSources();
  for (let built = null; ;) {
    const sources = fingerprint(ROOT, SOURCES);
    if (sources === built) {
      await once(changes, 'change');
      await delay(SETTLE_MS);
      continue;
    }
    await rebuild();
    built = sources;
  }
});

async function rebuild() {
  try {
    await step('build', async () => {
      await withLock(SETUP_LOCK, () => build({ dev: true }));
      return 'built; watching for changes';
    });
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    console.log(`${error.message}\nWatching for changes; the last good build is unchanged.`);
  }
}

/** Emits `change` when something in a folder of the sources changes, even if it is not a source. */
function watchSources() {
  const changes = new EventEmitter();
  const paths = SOURCES.map((source) => join(ROOT, source));
  const trees = paths.filter((path) => statSync(path).isDirectory());
  // A file is watched through its folder: an editor may replace it with another.
  const folders = new Set(paths.filter((path) => !trees.includes(path)).map((path) => dirname(path)));
  for (const path of trees) watch(path, { recursive: true }, () => changes.emit('change'));
  for (const path of folders) watch(path, () => changes.emit('change'));
  return changes;
}
