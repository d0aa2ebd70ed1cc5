import { expect, it } from 'vitest';
import { OutputsStore } from '../../../extension/panel/feed/home-lists.ts';
import type { Answer } from '../../../extension/ports/feed.ts';

type Listed = Answer<'outputs.list'>['outputs'][number];
const outputOf = (n: number): Listed => ({
  handle: `oh_${n}`,
  source_tool: 'read_page',
  mime_type: 'text/markdown',
  kind: 'text',
  size_bytes: 9,
  item_count: null,
  created_at_ms: n,
  expires_at_ms: n + 1,
});

/** Stores of homes, newest first, which return at most the requested number of outputs. */
class FakeStores {
  readonly homes: Record<string, Listed[]>;
  lists = 0;

  constructor(homes: Record<string, Listed[]>) {
    this.homes = homes;
  }

  readonly store = new OutputsStore({
    list: async ({ home, before, limit = 50 }) => {
      this.lists += 1;
      await Promise.resolve();
      const all = this.homes[home] ?? [];
      const from = before === undefined ? 0 : all.findIndex(({ handle }) => handle === before) + 1;
      const outputs = all.slice(from, from + limit);
      const isEnd = from + limit >= all.length;
      return { outputs, total: all.length, next: isEnd ? null : (outputs.at(-1)?.handle ?? null) };
    },
    page: () => Promise.reject(new Error('Not asked.')),
    search: () => Promise.reject(new Error('Not asked.')),
    keep: () => Promise.reject(new Error('Not asked.')),
    delete: () => Promise.reject(new Error('Not asked.')),
  });
}

const handlesOf = ({ store }: FakeStores): readonly string[] =>
  store.rows.value.map(({ output }) => output.handle);
const downFrom = (n: number): Listed[] => Array.from({ length: n }, (_, at) => outputOf(n - at));

async function ready(homes: Record<string, Listed[]>): Promise<FakeStores> {
  const stores = new FakeStores(homes);
  stores.store.setHomes(Object.keys(homes));
  await expect.poll(() => stores.store.state.value).toBe('ready');
  return stores;
}

it('stored outputs of all homes are in one list, newest first, page by page', async () => {
  const stores = await ready({ one: downFrom(120), other: [outputOf(500), outputOf(3)] });
  expect(handlesOf(stores).slice(0, 2)).toEqual(['oh_500', 'oh_120']);
  expect(handlesOf(stores)).toHaveLength(52);
  expect(stores.store.total.value).toBe(122);
  expect(stores.store.hasMore.value).toBe(true);
  await stores.store.more();
  await stores.store.more();
  expect(handlesOf(stores)).toHaveLength(122);
  expect(stores.store.hasMore.value).toBe(false);
});
