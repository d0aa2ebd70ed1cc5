import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UpstreamsStore } from '../../../extension/panel/feed/upstreams-store.ts';
import type { ShownUpstream } from '../../../extension/panel/answers-protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const upstream = (facts: Partial<ShownUpstream> = {}): ShownUpstream => ({
  id: 'files',
  target: 'files-server notes',
  state: 'ready',
  problem: null,
  tools: 14,
  unaccepted: 14,
  ...facts,
});

async function storeOf(lists: Readonly<Record<string, readonly ShownUpstream[]>>): Promise<UpstreamsStore> {
  const store = new UpstreamsStore(async (server) => ({ upstreams: [...(lists[server] ?? [])] }));
  store.setServers(Object.keys(lists));
  await store.reload();
  return store;
}

it.each([
  ['each once, and their tools are counted once', 14, ['one files', 'two issues']],
  ['for each server where they differ', 0, ['one files', 'two files', 'two issues']],
])('the upstreams of all servers are listed %s', async (_how, unaccepted, listed) => {
  const one = [upstream({ unaccepted })];
  const store = await storeOf({ one, two: [upstream(), upstream({ id: 'issues' })] });
  expect(store.all.value.map(({ server, id }) => `${server} ${id}`)).toEqual(listed);
  expect(store.unaccepted.value).toBe(28);
});
