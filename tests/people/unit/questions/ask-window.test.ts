import { beforeEach, expect, it, vi } from 'vitest';
import { AskWindow } from '../../../../extension/people/worker/ask-window.ts';
import { Desk } from '../../../../extension/people/worker/desk.ts';
import { delay } from '../../../../shared/base/async.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { need, questionsRig, RULE } from './rig.ts';

const URL = 'chrome-extension://spillway/people/approve/approve.html';

let tabs: Map<number, { windowId: number; url: string }>;
let removed: (id: number) => void;
let updated: (id: number, change: { url?: string }) => void;
let calls: string[];
let rig: ReturnType<typeof questionsRig>;
let window: AskWindow;

beforeEach(async () => {
  [tabs, calls] = [new Map(), []];
  installBrowser({
    runtime: { getURL: (path: string) => `chrome-extension://spillway/${path}` },
    windows: {
      WINDOW_ID_NONE: -1,
      onRemoved: { addListener: (listener: typeof removed) => void (removed = listener) },
      create: () => {
        const id = tabs.size + 1;
        tabs.set(id * 10, { windowId: id, url: URL });
        return Promise.resolve({ id, tabs: [{ id: id * 10 }] });
      },
    },
    tabs: {
      onUpdated: { addListener: (listener: typeof updated) => void (updated = listener) },
      get: async (id: number) => tabs.get(id) ?? Promise.reject(new Error('No tab.')),
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

const close = (windowId: number): void => {
  tabs.set(10, { windowId, url: URL });
  removed(1);
};

it.each([1, -1])('whose tab is still listed while it closes (in window %i) was closed', async (windowId) => {
  close(windowId);
  await expect.poll(() => calls).toEqual(['closed']);
});

it.each([
  ['led elsewhere', () => updated(10, { url: 'https://rival.example/' })],
  ['emptied', () => close(99)],
])('that was %s is opened again, once for each question', async (_how, take) => {
  take();
  await expect.poll(() => calls).toEqual(['taken']);
  expect(isDismissed()).toBe(false);
  expect(await window.open()).toBe(true);
  updated(20, { url: 'https://rival.example/' });
  await expect.poll(() => calls).toEqual(['taken', 'closed']);
  expect(isDismissed()).toBe(true);
});

/** Answers every question with nothing. */
const quiet: object = new Proxy(async () => undefined, { get: () => quiet });

function deskIn(own: object): Desk {
  installBrowser(new Proxy(own, { get: (of, name) => Reflect.get(of, name) ?? quiet }));
  return new Desk({ personTabs: quiet } as never);
}

it('that opens after its last question has ended is closed', async () => {
  vi.useFakeTimers();
  const remove = vi.fn(async () => undefined);
  const create = () => delay(2_000).then(() => ({ id: 3, tabs: [{ id: 30 }] }));
  const { questions } = deskIn({ windows: { onRemoved: quiet, onFocusChanged: quiet, create, remove } });
  const { id } = await questions.raise(need(), RULE);
  await questions.cancel(id, 'server-one');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(remove).toHaveBeenCalledWith(3);
});

it('a notification calls a person to a question, and to a tab that they take over', async () => {
  const create = vi.fn(async () => undefined);
  const { questions, takeovers } = deskIn({
    notifications: { create },
    permissions: { contains: async () => true },
    i18n: { getUILanguage: () => 'en' },
    storage: { local: { get: async () => ({}) }, session: quiet, onChanged: quiet },
  });
  await questions.raise(need({ origin: 'null', url: 'about:blank' }), RULE);
  const { server, caller } = need();
  const asked = { tab_id: 7, message: 'Sign in.', until: null, limit_ms: 60_000 };
  await takeovers.begin(asked, { server, caller }, 'https://shop.example');
  await expect
    .poll(() => create.mock.calls.flat())
    .toMatchObject([
      'spillway.question',
      { title: 'codex asks for your permission', message: 'Interact · about:blank' },
      'spillway.question',
      { title: 'codex needs you', message: 'https://shop.example' },
    ]);
});
