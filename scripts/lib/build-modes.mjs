import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { build, runnerImport } from 'vite';
import { ROOT } from './run.mjs';

/*
 * `node scripts/lib/build-modes.mjs MODE=FOLDER …` runs several builds of vite.config.ts in one process: separate
 * processes would spend most of their CPU time on loading Vite and the configuration.
 */
const { module } = await runnerImport(join(ROOT, 'vite.config.ts'));

async function buildMode(argument) {
  const [mode, outDir] = argument.split(/=(.*)/s);
  const config = module.default({ mode, command: 'build' });
  await build({ ...config, mode, build: { ...config.build, outDir } });
}

const builds = process.argv.slice(2);
// Every build ends before a failure is reported: none may write into a folder that is being removed.
const ends = await Promise.allSettled(builds.map(buildMode));
for (const [at, { status, reason }] of ends.entries()) {
  if (status === 'fulfilled') continue;
  console.error(`${builds[at]}: ${reason instanceof Error ? reason.message : reason}`);
  process.exitCode = 1;
}

// A page for each widget, all with the same library: as one file they are a quarter as large.
const widgets = builds.map((argument) => /^widget-[^=]*=(.*)$/s.exec(argument)?.[1]).find(Boolean);
if (widgets !== undefined && process.exitCode === undefined) {
  const { BUNDLED_WIDGETS, packFolder } = (await runnerImport(join(ROOT, 'server/core/bundled.ts'))).module;
  writeFileSync(join(widgets, '..', BUNDLED_WIDGETS), await packFolder(widgets, '.html'));
}
