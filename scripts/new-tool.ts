import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Refusal } from './lib/new-tool/options.ts';
import { writeNewTool } from './lib/new-tool/write.ts';

/*
 * `npm run new-tool <name> -- [--category read] [--tier 3] [--extension] [--runs] [--spills]` makes
 * the files of a tool and generates the indexes and pages that name it. What it made passes every check at once and
 * returns the text that it was given: the place to begin from. Refused, it changes nothing.
 */
const ROOT = join(import.meta.dirname, '..');

async function makeTool(args: readonly string[]): Promise<void> {
  const { tool, paths } = await writeNewTool(ROOT, args);
  for (const path of paths) console.log(path);
  // Each in a process of its own: they read the manifests as they are now.
  for (const script of ['generate', 'docs']) {
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(ROOT, `scripts/${script}.ts`)], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`The files are written; npm run ${script} failed.`);
  }
  console.log(
    `\nNext: its rows in ${tool.name}.cases.ts, and npm test -- tests/core/contract/adapters.test.ts`,
  );
}

try {
  await makeTool(process.argv.slice(2));
} catch (thrown) {
  console.error(thrown instanceof Refusal ? thrown.message : thrown);
  process.exitCode = 1;
}
