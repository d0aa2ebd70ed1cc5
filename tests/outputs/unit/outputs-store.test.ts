import { expect, it, vi } from 'vitest';
import { OutputsStore } from '../../../extension/ui/frame/home-lists.ts';
import { OpenedOutput } from '../../../extension/outputs/panel/opened-output.ts';
import type { FeedAnswer } from '../../../extension/ui/frame/feed-port.ts';

type Listed = FeedAnswer<'outputs.list'>['outputs'][number];
const outputOf = (n: number): Listed => ({
  ...{ handle: `oh_${n}`, source_tool: 'read_page', mime_type: 'text/markdown', size_bytes: 9 },
  ...{ item_count: null, created_at_ms: n, expires_at_ms: n + 1 },
  kind: 'text',
});

const downFrom = (n: number): Listed[] => Array.from({ length: n }, (_, at) => outputOf(n - at));

it('stored outputs of all homes are in one list, newest first, page by page', async () => {
  const homes: Record<string, Listed[]> = { one: downFrom(120), other: [outputOf(500), outputOf(3)] };
  const store = new OutputsStore(async ({ home, before, limit = 50 }) => {
    await Promise.resolve();
    const all = homes[home] ?? [];
    const from = before === undefined ? 0 : all.findIndex(({ handle }) => handle === before) + 1;
    const outputs = all.slice(from, from + limit);
    const isEnd = from + limit >= all.length;
    return { outputs, total: all.length, next: isEnd ? null : (outputs.at(-1)?.handle ?? null) };
  });
  const handles = () => store.rows.value.map(({ output }) => output.handle);
  store.setHomes(Object.keys(homes));
  await expect.poll(() => store.state.value).toBe('ready');
  expect(handles().slice(0, 2)).toEqual(['oh_500', 'oh_120']);
  expect(handles()).toHaveLength(52);
  expect(store.total.value).toBe(122);
  expect(store.hasMore.value).toBe(true);
  await store.more();
  await store.more();
  expect(handles()).toHaveLength(122);
  expect(store.hasMore.value).toBe(false);
});

it('a search that succeeds after a failure shows it no more', async () => {
  const found = { unit: 'bytes', matches: [], next_offset: null, total: 9 } as const;
  const lost = new Error('The browser is gone.');
  const search = vi.fn(() => Promise.resolve(found)).mockRejectedValueOnce(lost);
  const ask = (type: string) => (type === 'outputs.search' ? search() : Promise.reject(lost));
  const opened = new OpenedOutput({ ask } as never, 'oh_1', ['home'], false);
  await opened.search('a');
  expect(opened.found.value?.failure).not.toBeNull();
  await opened.match(1);
  expect(opened.found.value).toMatchObject({ next: null, failure: null });
});
