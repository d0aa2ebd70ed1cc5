import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatAs } from './lib/format.ts';
import { parseNewTool, Refusal } from './lib/new-tool/options.ts';
import { planNewTool } from './lib/new-tool/plan.ts';

/*
 * `npm run new-tool <name> -- [--category read] [--tier 3] [--extension] [--runs] [--spills]` makes
 * the files of a tool and generates the indexes and pages that name it. What it made passes every check at once and
 * returns the text that it was given: the place to begin from. Refused, it changes nothing.
 */
const ROOT = join(import.meta.dirname, '..');

/** Plans, formats, and only then writes. */
async function makeTool(args: readonly string[]): Promise<void> {
  const tool = parseNewTool(args);
  const plan = planNewTool(ROOT, tool);
  const formatted = await Promise.all(
    plan.map(async ([path, text]) => [path, await formatAs(ROOT, path, text)] as const),
  );
  for (const [path, text] of formatted) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
  // Each in a process of its own: they read the manifests as they are now.
  for (const script of ['generate', 'docs']) {
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(ROOT, `scripts/${script}.ts`)], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`The files are written; npm run ${script} failed.`);
  }
  console.log(`\nNext: npx vitest run --project fast tests/tools/${tool.name}`);
}

try {
  await makeTool(process.argv.slice(2));
} catch (thrown) {
  console.error(thrown instanceof Refusal ? thrown.message : thrown);
  process.exitCode = 1;
}
