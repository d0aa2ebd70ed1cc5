import { afterEach, expect, it, vi } from 'vitest';
import { TabGroups } from '../../../extension/background/chromium/tab-groups.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Tabs of one window, by their group. */
function fakeTabs(): Map<number, number> {
  const groupOf = new Map<number, number>();
  let stored = {};
  let made = 0;
  vi.stubGlobal('chrome', {
    storage: { local: { get: async () => stored, set: async (now: object) => void (stored = now) } },
    windows: { get: async () => ({ type: 'normal' }) },
    tabGroups: { TAB_GROUP_ID_NONE: -1, get: async () => ({ windowId: 1 }), update: async () => ({}) },
    tabs: {
      get: async () => ({ windowId: 1, groupId: -1 }),
      group: async ({ groupId = (made += 1), tabIds }: { groupId?: number; tabIds: number[] }) => {
        for (const id of tabIds) groupOf.set(id, groupId);
        return groupId;
      },
      query: async ({ groupId }: { groupId: number }) =>
        [...groupOf].flatMap(([id, group]) => (group === groupId ? [{ id }] : [])),
      ungroup: async (ids: number[]) => ids.forEach((id) => groupOf.delete(id)),
    },
  });
  return groupOf;
}

it('a group ends with its session, or with its server, even after the extension was loaded again', async () => {
  const groupOf = fakeTabs();
  const groups = new TabGroups();
  const owner = (server: string, session: string) => ({ server, caller: { session, name: 'codex' } });
  await Promise.all([1, 2].map((tab) => groups.add(tab, owner('http', 's1'))));
  await groups.add(3, owner('http', 's2'));
  await groups.add(4, owner('stdio', 's3'));
  await groups.end('http', 's1');
  expect([...groupOf.keys()]).toEqual([3, 4]);
  await new TabGroups().keepOf(['stdio']);
  expect([...groupOf.keys()]).toEqual([4]);
});
