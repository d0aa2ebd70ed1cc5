import { expect, it, vi } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

async function start() {
  const server = await startMemoryServer();
  const page = (url: string) => ({ url, title: 'A', content: () => ['text'] });
  server.bridge.addBrowser({ 1: page('https://a.test/p?q=1'), 2: page('https://b.test/') });
  const keep = async (tab: string) =>
    (await server.call('read_page', { tab, output_mode: 'handle' })).json<{ output_handle: string }>()
      .output_handle;
  const list = async (args: object = {}) =>
    (await server.call('output_list', { ...args })).json<{
      outputs: { output_handle: string; page: string }[];
      total: number;
      next_offset: number | null;
    }>();
  return { server, keep, list };
}

it('output_list names handles with where they are from, the newest first', async () => {
  const { keep, list } = await start();
  expect(await list()).toEqual({ outputs: [], total: 0, next_offset: null });
  const first = await keep('b1:1');
  // Storing takes time on a busy disk: here it takes none.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1 });
  const second = await keep('b1:2');
  vi.setSystemTime(Date.now() + 7_000);
  const facts = { tool: 'read_page', page: 'https://b.test/', size_bytes: 4, age_seconds: 7 };
  const newest = { output_handle: second, ...facts };
  const oldest = { output_handle: first, page: 'https://a.test/p' };
  expect(await list()).toMatchObject({ outputs: [newest, oldest], total: 2, next_offset: null });
});

it('output_list filters, and goes page by page', async () => {
  const { keep, list } = await start();
  const first = await keep('b1:1');
  await keep('b1:2');
  expect((await list({ text: 'A.test' })).outputs.map((output) => output.output_handle)).toEqual([first]);
  expect((await list({ tool: 'crawl' })).total).toBe(0);
  expect((await list({ max_age_minutes: 1 })).total).toBe(2);
  expect(await list({ limit: 1 })).toMatchObject({ total: 2, next_offset: 1 });
  const last = { outputs: [{ output_handle: first }], next_offset: null };
  expect(await list({ limit: 1, offset: 1 })).toMatchObject(last);
});
