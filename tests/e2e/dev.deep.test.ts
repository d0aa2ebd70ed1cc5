import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SOURCES } from '../../scripts/lib/build.mjs';
import { launchContext, type TestContext } from '../support/browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A build takes 6 CPU seconds; on a busy machine that is a minute. */
const BUILD = { timeout: 150_000 };

/** A checkout of its own, in which `npm run dev` runs. */
let copy: string;
let dev: ChildProcess;
let browser: TestContext;
let output = '';
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'spillway-dev-'));
  for (const path of ['scripts', ...SOURCES]) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  // What builds keep: with it, none of them packs the tables of pdf.js again.
  const kept = '.cache/pdf-cmaps';
  if (existsSync(join(ROOT, kept))) cpSync(join(ROOT, kept), join(copy, kept), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  dev = spawn(process.execPath, ['scripts/dev.mjs'], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (text: Buffer) => (output += String(text)));
  await vi.waitFor(() => expect(output).toContain('built; watching for changes'), BUILD);
  browser = await launchContext({ extension: join(copy, 'dist/extension') });
  await enterDeveloperMode();
}, 240_000);
afterAll(async () => {
  const ended = once(dev, 'exit');
  dev.kill();
  await ended;
  await browser.close();
  // A build that was running may still write.
  rmSync(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

/** People who load an unpacked extension are in this mode; without it, an extension that reloads itself is disabled. */
async function enterDeveloperMode(): Promise<void> {
  const page = await browser.context.newPage();
  await page.goto('chrome://extensions');
  await page.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })');
  await page.close();
}

const WORKER = 'extension/worker/worker.ts';

/** Saves another text of a source, as an editor would. */
const save = (path: string, change: (text: string) => string): void =>
  writeFileSync(join(copy, path), change(readFileSync(join(copy, path), 'utf8')));

/** What the worker that runs now has in its global `mark`; null while none runs. */
const mark = (): Promise<unknown> =>
  Promise.resolve(
    browser.context
      .serviceWorkers()
      .at(-1)
      ?.evaluate(() => Reflect.get(globalThis, 'mark')),
  ).catch(() => null);

test('a change is built, and the extension reloads by itself', { timeout: 200_000 }, async () => {
  await expect.poll(mark).toBeUndefined();
  save(WORKER, (text) => `${text}\nReflect.set(globalThis, 'mark', 'changed');\n`);
  await expect.poll(mark, BUILD).toBe('changed');
});

test('what cannot be built is reported, and the last good build stays', { timeout: 200_000 }, async () => {
  save(WORKER, (text) => `${text}\nconst half = ;\n`);
  await expect.poll(() => output, BUILD).toContain('the last good build is unchanged');
  expect(await mark()).toBe('changed');
});

test('a build of npm run dev looks for the next one, and does not count as fresh', () => {
  expect(existsSync(join(copy, 'dist/.stamp'))).toBe(false);
  expect(readFileSync(join(copy, 'dist/extension/worker.js'), 'utf8')).toContain('dev-build.txt');
});
