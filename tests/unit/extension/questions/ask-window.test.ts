import { beforeEach, expect, it, vi } from 'vitest';
import { need, questionsRig } from './rig.ts';

const URL = 'chrome-extension://spillway/approve/approve.html';
const fake = vi.hoisted(() => ({
  opened: 0,
  tabs: new Map<number, { windowId: number; url: string }>(),
  state: 'normal',
  updates: [] as object[],
  removed: (_id: number): void => undefined,
  updated: (_id: number, _change: { url?: string }): void => undefined,
}));
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { getURL: (path: string) => `chrome-extension://spillway/${path}` },
    windows: {
      WINDOW_ID_NONE: -1,
      onRemoved: { addListener: (listener: typeof fake.removed) => (fake.removed = listener) },
      create: () => {
        const id = (fake.opened += 1);
        fake.tabs.set(id * 10, { windowId: id, url: 'chrome-extension://spillway/approve/approve.html' });
        return Promise.resolve({ id, tabs: [{ id: id * 10 }] });
      },
      get: () => Promise.resolve({ state: fake.state }),
      update: (_id: number, change: object) => Promise.resolve(void fake.updates.push(change)),
    },
    tabs: {
      onUpdated: { addListener: (listener: typeof fake.updated) => (fake.updated = listener) },
      get: (id: number) => {
        const tab = fake.tabs.get(id);
        return tab === undefined ? Promise.reject(new Error('No tab.')) : Promise.resolve(tab);
      },
    },
  },
}));
const { AskWindow } = await import('../../../../extension/background/questions/ask-window.ts');

let rig: ReturnType<typeof questionsRig>;
let window: InstanceType<typeof AskWindow>;
const calls: string[] = [];
beforeEach(async () => {
  fake.tabs.clear();
  fake.state = 'normal';
  fake.updates.length = calls.length = fake.opened = 0;
  rig = questionsRig();
  window = new AskWindow(rig.memory, {
    onClosed: () => void calls.push('closed'),
    onTaken: () => void calls.push('taken'),
  });
  await rig.raise();
  await window.open();
});
const isDismissed = (): boolean => {
  const { front } = rig.questions;
  return front !== null && window.wasDismissed(front.card);
};

it('that was closed opens for a question that comes half a minute later', async () => {
  fake.tabs.clear();
  fake.removed(1);
  await expect.poll(() => calls).toEqual(['closed']);
  expect(isDismissed()).toBe(true);
  rig.clock.now += 29_999;
  await rig.raise(need({}, { call_id: 'c2' }));
  expect(isDismissed()).toBe(true);
  expect(window.wasDismissed({ key: 'another kind', questions: [] })).toBe(false);
  rig.clock.now += 1;
  await rig.raise(need({}, { call_id: 'c3' }));
  expect(isDismissed()).toBe(false);
});

it.each([1, -1])('whose tab is still listed while it closes (in window %i) was closed', async (windowId) => {
  fake.tabs.set(10, { windowId, url: URL });
  fake.removed(1);
  await expect.poll(() => calls).toEqual(['closed']);
});

it.each([
  ['led elsewhere', () => fake.updated(10, { url: 'https://rival.example/' })],
  [
    'emptied',
    () => {
      fake.tabs.set(10, { windowId: 99, url: URL });
      fake.removed(1);
    },
  ],
])('that was %s is opened again, once for each question', async (_how, take) => {
  take();
  await expect.poll(() => calls).toEqual(['taken']);
  expect(isDismissed()).toBe(false);
  expect(await window.open()).toBe(true);
  fake.updated(20, { url: 'https://rival.example/' });
  await expect.poll(() => calls).toEqual(['taken', 'closed']);
  expect(isDismissed()).toBe(true);
});

it('that is loaded again is still ours', async () => {
  fake.updated(10, { url: URL });
  fake.updated(11, { url: 'https://shop.example/' });
  expect(await window.open()).toBe(false);
  expect(calls).toEqual([]);
});

it('that is minimised is shown for what is asked next, and one that is open is left where it is', async () => {
  expect(await window.open()).toBe(false);
  expect(fake.updates).toEqual([]);
  fake.state = 'minimized';
  expect(await window.open()).toBe(false);
  expect(fake.updates).toEqual([{ state: 'normal', focused: true }]);
});
