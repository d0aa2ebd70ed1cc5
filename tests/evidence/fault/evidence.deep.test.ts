import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import type { Manifest } from '../../../server/evidence/manifest.ts';
import { spawnChromium, type TestChromium } from '../../support/browser.ts';
import { waitForNoProcess } from '../../support/processes.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

const run = promisify(execFile);

let site: FixtureServer;
let browser: TestChromium;
beforeAll(async () => {
  site = await serveFixtures();
  browser = await spawnChromium();
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function serverAt(home?: string): Promise<StdioServer> {
  const server = await startServer({ env: browser.serverEnv, ...(home === undefined ? {} : { home }) });
  await server.call('navigate', { url: `${site.url}/evidence/` });
  return server;
}

const temporary = (home: string): string[] =>
  existsSync(join(home, 'tmp')) ? readdirSync(join(home, 'tmp')) : [];

it('a full disk fails the part that does not fit, or the archive, and nothing remains', async () => {
  const server = await serverAt();
  onTestFinished(() => server.close());
  // The soft limit alone, which can be lifted again.
  const mayWrite = (bytes: string) => run('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`]);
  const args = { include: ['markdown', 'mhtml', 'cookies'], output_inline_limit_bytes: 1 };

  await mayWrite('2000');
  const partly = (await server.call('oc_evidence_bundle', args)).json<Manifest>();
  expect(partly.parts.map(({ part }) => part)).toEqual(['markdown', 'cookies']);
  expect(partly.failed).toMatchObject([{ part: 'mhtml', code: 'store_full' }]);
  expect(temporary(server.home)).toEqual([]);

  // Each part fits now, and the archive of them does not.
  await mayWrite('1000');
  const small = { include: ['markdown', 'snapshot', 'cookies', 'storage'], output_mode: 'handle' };
  const refused = await server.call('oc_evidence_bundle', small);
  expect(refused.code(), refused.text).toBe('store_full');
  expect(temporary(server.home)).toEqual([]);

  await mayWrite('unlimited');
  const whole = await server.call('oc_evidence_bundle', { ...args, output_mode: 'handle' });
  expect(whole.isError, whole.text).toBe(false);
  expect(temporary(server.home)).toEqual([]);
});

it('kill -9 while parts are on disk leaves one folder, which the next server removes', async () => {
  const first = await serverAt();
  const { home } = first;
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const killed = first.client.callTool(
    { name: 'oc_evidence_bundle', arguments: { output_mode: 'handle' } },
    undefined,
    { onprogress: ({ message }) => void (message === 'mhtml' && process.kill(first.pid, 'SIGKILL')) },
  );
  await expect(killed).rejects.toThrow();
  await waitForNoProcess(home);
  const [left = '', ...others] = temporary(home);
  expect(others).toEqual([]);
  const folder = join(home, 'tmp', left);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const files = readdirSync(folder);
  expect(files).toContain('page.html');
  for (const name of files) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);

  const second = await serverAt(home);
  const answer = await second.call('oc_evidence_bundle', { include: ['markdown'], output_mode: 'handle' });
  expect(answer.isError, answer.text).toBe(false);
  expect(temporary(home)).toEqual([]);
  await second.close();
});
