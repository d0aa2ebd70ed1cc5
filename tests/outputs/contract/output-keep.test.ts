import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { FakeClock, setUp } from '../unit/support.ts';

const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

async function start(options: Parameters<typeof startMemoryServer>[0] = {}) {
  const server = await startMemoryServer(options);
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['text'] } });
  const stored = async () =>
    (await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' })).json<{ output_handle: string }>()
      .output_handle;
  const keep = async (args: object) => (await server.call('output_keep', { ...args })).json<object>();
  const list = async (args: object = {}) =>
    (await server.call('output_list', { ...args })).json<{ outputs: object[] }>().outputs;
  const code = async (args: object) => (await server.call('output_keep', { ...args })).code();
  return { server, stored, keep, list, code };
}

test('keeps an output with a note, which output_list finds, and releases it', async () => {
  const { stored, keep, list } = await start();
  const output_handle = await stored();
  const other = await stored();
  const kept = { output_handle, kept: true, note: 'Prices of May' };
  const kept_max_bytes: unknown = expect.any(Number);
  expect(await keep({ output_handle, note: kept.note })).toEqual({ ...kept, kept_bytes: 4, kept_max_bytes });
  expect(await list({ kept: true })).toMatchObject([kept]);
  expect(await list({ text: 'prices' })).toMatchObject([{ output_handle }]);
  expect(await list({ kept: false })).toMatchObject([{ output_handle: other }]);
  expect((await list({ kept: true }))[0]).not.toHaveProperty('expires_in_seconds');
  expect(await keep({ output_handle, keep: false })).toMatchObject({
    kept: false,
    expires_in_seconds: expect.any(Number),
    kept_bytes: 0,
  });
  expect(await list({ kept: true })).toEqual([]);
});

test('a note has no secret', async () => {
  const { stored, keep, list } = await start();
  const output_handle = await stored();
  expect(JSON.stringify(await keep({ output_handle, note: `token ${SECRET}` }))).not.toContain(SECRET);
  expect(JSON.stringify(await list())).not.toContain(SECRET);
  expect(JSON.stringify(await list())).toContain('token');
});

test('names what is wrong', async () => {
  const { stored, code } = await start();
  const output_handle = await stored();
  expect(await code({ output_handle: 'oh_ABCDEFGHIJKL' })).toBe('output_handle_not_found');
  expect(await code({ output_handle, note: 'x'.repeat(201) })).toBe('invalid_argument');
  expect(await code({ output_handle, keep: false, note: 'x' })).toBe('invalid_argument');
});

test('saves to a file of --download-root alone', async () => {
  const root = await temporaryHome();
  const { stored, keep, code } = await start({ downloadRoot: root });
  const output_handle = await stored();
  const saved_as = join(await realpath(root), 'page.md');
  const saved = { output_handle, saved_as, size_bytes: 4 };
  expect(await keep({ output_handle, save_as: 'page.md' })).toEqual(saved);
  expect(await readFile(saved_as, 'utf8')).toBe('text');
  expect(await code({ output_handle, save_as: '../page.md' })).toBe('save_refused');
  expect(await code({ output_handle, save_as: 'b.md', note: 'x' })).toBe('invalid_argument');
  expect(await code({ output_handle, overwrite: true })).toBe('invalid_argument');
  const { server: closed, stored: other } = await start();
  const refused = await closed.call('output_keep', { output_handle: await other(), save_as: 'a.md' });
  expect(refused.text).toContain('--download-root');
});

test('says what a person keeps, and does not release it', async () => {
  const { server, stored, keep, list } = await start();
  const output_handle = await stored();
  const clock = new FakeClock();
  clock.wall = Date.now();
  // The side panel asks any server of the home.
  const { store } = await setUp({ clock, home: server.home });
  expect(await keep({ output_handle })).not.toHaveProperty('kept_by');
  await store.keep(output_handle, undefined, 'person');
  expect(await keep({ output_handle, note: 'mine, too' })).toMatchObject({ kept_by: 'person' });
  expect(await list()).toMatchObject([{ output_handle, kept: true, kept_by: 'person', note: 'mine, too' }]);
  const refused = await server.call('output_keep', { output_handle, keep: false });
  expect(refused.code()).toBe('invalid_argument');
  expect(refused.text).toContain(`keep: a person keeps ${output_handle}`);
  expect(refused.text).toContain('side panel');
  expect(await list({ kept: true })).toHaveLength(1);
  await store.release(output_handle, 'person');
  expect(await list({ kept: true })).toEqual([]);
  expect(await keep({ output_handle, keep: false })).toMatchObject({ kept: false });
});
