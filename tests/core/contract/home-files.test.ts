import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import { isPosix } from '../../support/posix.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { OPEN, stepTools } from '../../support/recipes/step-tools.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Opening a pipe waits for its other end: a server must not do that where it expects a file of its home. */

let home: string;
let server: MemoryServer;
const start = async (): Promise<void> => {
  server = await startMemoryServer({ home }, stepTools());
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
};

beforeEach(() => void (home = testFolder()));

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

it.runIf(isPosix).each<[string, (path: string) => void]>([
  ['pipe', (path) => void execFileSync('mkfifo', ['-m', '600', path])],
  ['link to an endless device', (path) => symlinkSync('/dev/zero', path)],
])('each call ends, and so does the server, where each file of the home is a %s', async (_, plant) => {
  await start();
  await server.call('recipe_save', { definition: OPEN });
  const { output_handle: handle } = (
    await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' })
  ).json<JsonObject>();
  const { run_id: run } = (await server.call('open-One', { word: 'hello', async: true })).json<JsonObject>();
  const answers = async () => [
    await server.call('oc_journal', { action: 'recent' }),
    await server.call('oc_journal'),
    await server.call('oc_output_fetch', { output_handle: handle }),
    await server.call('run_status', { run_id: run }),
    await server.call('recipe_get', { name: 'open-One' }),
  ];
  await expect
    .poll(async () => (await server.call('run_status', { run_id: run })).json())
    .toMatchObject({ status: 'completed' });
  expect((await answers()).filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
  await server.close();

  const planted = filesOf(home);
  for (const path of planted) {
    renameSync(path, `${path}.was`);
    plant(path);
  }
  expect(planted.length).toBeGreaterThan(3);
  await start();
  expect((await answers()).map((answer) => (answer.isError ? answer.code() : 'done'))).toEqual([
    'store_read_failed',
    'store_read_failed',
    'store_read_failed',
    'store_read_failed',
    'recipe_invalid',
  ]);
  await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' });
  await server.close();
});
