import { afterEach, expect, it, vi } from 'vitest';
import { Recording } from '../../../extension/background/recording/recording.ts';
import { deferred } from '../../../shared/async.ts';
import { PATIENCE } from '../../support/patience.ts';
import { installBrowser, storageOf } from '../../support/browser-api.ts';

const TAB = 7;
const url = 'https://mill.test/';
const ACT = {
  ...{ at: 1, do: 'click', target: { role: 'button', name: 'Grind' }, label: 'Grind', value: null },
  ...{ isSecret: false, modifiers: [] },
};
type Listener = (details: unknown) => void;

afterEach(() => void vi.useRealTimers());

/** A recording of a tab with one page: what happens to both is made up. */
async function recorded() {
  vi.useFakeTimers({ toFake: ['Date'] });
  const browser = new Map<string, Listener>();
  const on = (name: string) => ({
    addListener: (listener: Listener) => browser.set(name, listener),
    removeListener: () => browser.delete(name),
  });
  installBrowser({
    tabs: {
      query: async () => [{ id: TAB, windowId: 1 }],
      get: async () => ({ id: TAB, url, status: 'complete' }),
      ...{ onActivated: on('activated'), onRemoved: on('removed') },
    },
    webNavigation: {
      getAllFrames: async () => [{ frameId: 0, parentFrameId: -1, url, documentId: 'd' }],
      ...{ onCommitted: on('committed'), onReferenceFragmentUpdated: on('moved') },
      ...{ onHistoryStateUpdated: on('changed'), onCreatedNavigationTarget: on('opened') },
    },
    storage: { local: storageOf({}) },
  });
  const messages: unknown[] = [];
  let waiting = deferred<unknown>();
  const say = (message: unknown): void => {
    messages.push(message);
    waiting.resolve(undefined);
  };
  const channel = {
    ...{ tabId: TAB, frameId: 0, url, open: () => undefined, end: () => undefined },
    post: () => say({ type: 'acted' }),
    receive: async () => {
      while (messages.length === 0) {
        waiting = deferred();
        await waiting.promise;
      }
      return messages.shift();
    },
  };
  const screened = {
    port: { request: async (_: string, { texts }: { texts: [] }) => ({ secret: texts.map(() => false) }) },
  };
  const options = {
    channels: { connect: async () => channel, add: async () => undefined, nextId: () => 1 },
    personTabs: {
      loaded: Promise.resolve(),
      check: () => undefined,
      onChange: () => undefined,
    },
    leases: { wasHeld: () => false },
    servers: () => [screened],
    denies: async () => false,
    onChange: () => undefined,
  };
  const recording = new Recording(options as never);
  await recording.take({ type: 'record', act: 'start' });
  say({ type: 'recorded', act: ACT });
  await vi.waitFor(() => expect(recording.shown).toMatchObject({ steps: [{}, {}] }), PATIENCE);
  return { recording, browser };
}

it.each([
  ['a reload', 'reload', [], 5_000, 'reload'],
  ['a reload that the page does', 'reload', [], 500, undefined],
  ['Back', 'link', ['forward_back'], 5_000, 'open'],
  ['an address', 'typed', [], 500, 'open'],
  ['a link', 'link', [], 5_000, undefined],
  ['a redirect', 'typed', ['client_redirect'], 5_000, undefined],
])(
  '%s after an act is recorded if the person did it',
  async (_what, transitionType, transitionQualifiers, afterMs, kind) => {
    const { recording, browser } = await recorded();
    vi.setSystemTime(Date.now() + afterMs);
    browser.get('committed')?.({ tabId: TAB, frameId: 0, url, transitionType, transitionQualifiers });
    await recording.stop(null);
    const steps = [{}, {}, ...(kind === undefined ? [] : [{ step: { kind } }])];
    expect(recording.shown).toMatchObject({ steps });
  },
);

it('ends when the tab closes, hears nothing more, and keeps the steps', async () => {
  const { recording, browser } = await recorded();
  browser.get('removed')?.(TAB);
  const shown = { step: 'editing', problem: 'tab_not_found', steps: [{}, {}] };
  await vi.waitFor(() => expect(recording.shown).toMatchObject(shown), PATIENCE);
  expect(browser.size).toBe(0);
});
