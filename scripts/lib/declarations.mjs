import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { ROOT, mustRun } from './run.mjs';
import './typescript.mjs';

const ENTRIES = {
  spillway: 'server/library/index',
  anthropic: 'server/library/anthropic/index',
  'ai-sdk': 'server/library/ai-sdk/index',
  workflow: 'server/library/workflow',
};

/**
 * Writes one declaration file for each entry of the package, and `shared.d.ts` with what they share.
 * @param {string} outDir
 * @param {string} scratch takes the declarations of single modules; the caller removes it
 */
export async function writeDeclarations(outDir, scratch) {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  await mustRun(process.execPath, [tsc, '-p', join(ROOT, 'server/tsconfig.types.json'), '--outDir', scratch]);
  const { declareToolArguments } = await import('./tool-arguments.ts');
  writeFileSync(join(scratch, 'server/library/tool-arguments.d.ts'), await declareToolArguments());
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, path]) => [name, join(scratch, `${path}.d.ts`)]),
  );
  const bundle = await rolldown({
    input,
    cwd: scratch,
    external: /^[a-z@]/,
    checks: { pluginTimings: false },
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  });
  await bundle.write({
    dir: outDir,
    entryFileNames: '[name].ts',
    chunkFileNames: 'shared.d.ts',
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
  });
  await bundle.close();
}
