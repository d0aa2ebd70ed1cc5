import { afterEach, expect, it, vi } from 'vitest';
import { TabGroups } from '../../../extension/platform/chromium/tab-groups.ts';
import { createTab } from '../../../extension/core/tabs/tab-info.ts';

afterEach(() => void vi.unstubAllGlobals());

/** One window: its groups by id, each with its tabs. A restart restores them with other ids. */
function fakeTabs() {
  let groups = new Map<number, { title?: string; tabs: number[] }>();
  let stored = {};
  let [made, windowId] = [0, 1];
  vi.stubGlobal('chrome', {
    storage: { local: { get: async () => stored, set: async (now: object) => void (stored = now) } },
    windows: { get: async () => ({ type: 'normal' }) },
    tabGroups: {
      TAB_GROUP_ID_NONE: -1,
      update: async (id: number, looks: object) => void Object.assign(groups.get(id) ?? {}, looks),
      query: async () => [...groups].map(([id, group]) => ({ id, ...group })),
    },
    tabs: {
      get: async () => ({ windowId, groupId: -1 }),
      group: async ({ groupId = (made += 1), tabIds }: { groupId?: number; tabIds: number[] }) => {
        const group = groups.get(groupId);
        groups.set(groupId, { ...group, tabs: [...(group?.tabs ?? []), ...tabIds] });
        return groupId;
      },
      query: async ({ groupId }: { groupId: number }) =>
        groups.get(groupId)?.tabs.map((id) => ({ id })) ?? [],
      ungroup: async (ids: number[]) =>
        groups.forEach(({ tabs }, id) => ids.some((tab) => tabs.includes(tab)) && groups.delete(id)),
    },
  });
  const restart = (): void => {
    windowId += 1;
    groups = new Map([...groups].map(([id, group]) => [id + 100, group]));
  };
  return { restart, grouped: () => [...groups.values()].map(({ tabs }) => tabs) };
}

it('a group ends with its session, or with its server, even after the extension or the browser started again, and continues for a server that stayed', async () => {
  const { restart, grouped } = fakeTabs();
  const add = (tab: number, server: string, session: string, name: string) =>
    new TabGroups().add(tab, { server, caller: { session, name } });
  for (const tab of [1, 2]) await add(tab, 'http', 's1', 'codex');
  await add(3, 'http', 's2', 'codex');
  await add(4, 'stdio', 's3', 'claude-code');
  await new TabGroups().end('http', 's1');
  expect(grouped()).toEqual([[3], [4]]);
  await new TabGroups().keepOf(['stdio'], ['http', 'stdio']);
  await new TabGroups().keepOf([], ['new']);
  expect(grouped()).toEqual([[4]]);
  await add(6, 'stdio', 's5', 'cursor');
  restart();
  await add(5, 'new', 's4', 'codex');
  for (const tab of [7, 8]) await add(tab, 'stdio', 's3', 'claude-code');
  expect(grouped()).toEqual([[4, 7, 8], [6], [5]]);
  await new TabGroups().keepOf(['new']);
  expect(grouped()).toEqual([[5]]);
});

it.each([true, false])('opens a tab, with its window in front: %s', async (front) => {
  const tab = { id: 7, windowId: 5 };
  const update = vi.fn();
  const windows = { getLastFocused: async () => ({ id: 5, type: 'normal' }), update };
  vi.stubGlobal('chrome', { windows, tabs: { create: async () => tab, update: async () => tab } });
  expect(await createTab('https://a.test/', front)).toBe(tab);
  expect(update.mock.calls).toEqual(front ? [[5, { focused: true }]] : []);
});
