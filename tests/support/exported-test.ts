import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { QUIET } from '../../scripts/lib/chromium-switches.ts';
import { executable } from './browser.ts';
import { PATIENCE } from './patience.ts';

/** Playwright's report on exported recipes, which run one after another. @param env their parameters */
export async function runExported(
  texts: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-exported-'));
  const runner = fileURLToPath(import.meta.resolve('playwright/test'));
  for (const [index, text] of texts.entries())
    await writeFile(join(folder, `${index}.spec.ts`), text.replace('@playwright/test', runner));
  const launchOptions = { executablePath: await executable(), args: QUIET };
  const config = `export default ${JSON.stringify({ timeout: PATIENCE.timeout, workers: 1, use: { launchOptions } })};`;
  await writeFile(join(folder, 'playwright.config.mjs'), config);
  const cli = join(dirname(runner), 'cli.js');
  const ran = promisify(execFile)(process.execPath, [cli, 'test'], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  const { stdout } = await ran.catch((failed: { stdout: string }) => failed);
  await rm(folder, { recursive: true });
  return stdout;
}
