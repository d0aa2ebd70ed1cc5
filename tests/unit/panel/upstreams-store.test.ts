import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('the upstreams of all servers', () => {
  it('are each listed once, and their tools are counted once', async () => {
    const store = await storeOf({ one: [upstream()], two: [upstream(), upstream({ id: 'issues' })] });
    expect(store.all.value.map(({ server, id }) => [server, id])).toEqual([
      ['one', 'files'],
      ['two', 'issues'],
    ]);
    expect(store.unaccepted.value).toBe(28);
  });

  it('are listed for each server where they differ', async () => {
    const store = await storeOf({ one: [upstream({ unaccepted: 0 })], two: [upstream()] });
    expect(store.all.value.map(({ server, unaccepted }) => [server, unaccepted])).toEqual([
      ['one', 0],
      ['two', 14],
    ]);
    expect(store.unaccepted.value).toBe(14);
  });
});
