import { beforeEach, expect, it } from 'vitest';
import { AskWindow } from '../../../../extension/background/questions/ask-window.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { questionsRig } from './rig.ts';

const URL = 'chrome-extension://spillway/approve/approve.html';

let opened: number;
let tabs: Map<number, { windowId: number; url: string }>;
let state: string;
let updates: object[];
let removed: (id: number) => void;
let updated: (id: number, change: { url?: string }) => void;
let calls: string[];
let rig: ReturnType<typeof questionsRig>;
let window: AskWindow;

beforeEach(async () => {
  [opened, tabs, state, updates, calls] = [0, new Map(), 'normal', [], []];
  installBrowser({
    runtime: { getURL: (path: string) => `chrome-extension://spillway/${path}` },
    windows: {
      WINDOW_ID_NONE: -1,
      onRemoved: { addListener: (listener: typeof removed) => void (removed = listener) },
      create: () => {
        const id = (opened += 1);
        tabs.set(id * 10, { windowId: id, url: URL });
        return Promise.resolve({ id, tabs: [{ id: id * 10 }] });
      },
      get: () => Promise.resolve({ state }),
      update: (_id: number, change: object) => Promise.resolve(void updates.push(change)),
    },
    tabs: {
      onUpdated: { addListener: (listener: typeof updated) => void (updated = listener) },
      get: (id: number) => {
        const tab = tabs.get(id);
        return tab === undefined ? Promise.reject(new Error('No tab.')) : Promise.resolve(tab);
      },
    },
  });
  rig = questionsRig();
  const noted = (call: string) => () => void calls.push(call);
  window = new AskWindow(rig.memory, noted('closed'), noted('taken'));
  await rig.raise();
  await window.open();
});

const isDismissed = (): boolean => {
  const { front } = rig.questions;
  return front !== null && window.wasDismissed(front.card);
};

it.each([1, -1])('whose tab is still listed while it closes (in window %i) was closed', async (windowId) => {
  tabs.set(10, { windowId, url: URL });
  removed(1);
  await expect.poll(() => calls).toEqual(['closed']);
});

it.each([
  ['led elsewhere', () => updated(10, { url: 'https://rival.example/' })],
  [
    'emptied',
    () => {
      tabs.set(10, { windowId: 99, url: URL });
      removed(1);
    },
  ],
])('that was %s is opened again, once for each question', async (_how, take) => {
  take();
  await expect.poll(() => calls).toEqual(['taken']);
  expect(isDismissed()).toBe(false);
  expect(await window.open()).toBe(true);
  updated(20, { url: 'https://rival.example/' });
  await expect.poll(() => calls).toEqual(['taken', 'closed']);
  expect(isDismissed()).toBe(true);
});
