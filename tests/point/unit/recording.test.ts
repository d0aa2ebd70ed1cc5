import { expect, it, vi } from 'vitest';
import { Recording } from '../../../extension/point/worker/recording.ts';
import { recipeOf } from '../../../extension/point/worker/recording-steps.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { PATIENCE } from '../../support/patience.ts';
import { installBrowser, storageOf } from '../../support/browser-api.ts';

const TAB = 7;
const TAKEN = 9;
const START = { type: 'record', act: 'start' } as const;
const url = 'https://mill.test/';
const ACT = {
  ...{ at: 1, do: 'click', target: { role: 'button', name: 'Grind' }, label: 'Grind', value: null },
  ...{ isSecret: false, modifiers: [] },
};
const TAKEN_NAMES = /^(?:recording(?:_2)?|uberweisung)$/;
type Asked = { texts?: []; definition?: { name: string } };
type Listener = (details: unknown) => void;

/** A recording of a tab with one page: what happens to both is made up. A page that is busy answers when the test does. */
function makeRecording({ isBusy = false, local = storageOf({}), heading = '' } = {}) {
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
    storage: { local },
    scripting: { executeScript: async () => [{ result: heading }] },
  });
  const [added, asked, messages] = [defer<void>(), Array<boolean>(), Array<unknown>()];
  let screened = 0;
  let judged = Promise.resolve();
  let waiting = defer<unknown>();
  const say = (message: unknown): void => {
    messages.push(message);
    waiting.resolve(undefined);
  };
  const channel = {
    ...{ tabId: TAB, frameId: 0, url, open: () => undefined, end: () => undefined },
    post: ({ ask }: { ask: { isOn: boolean } }) => {
      asked.push(ask.isOn);
      if (!isBusy) say({ type: 'acted' });
    },
    receive: async () => {
      while (messages.length === 0) await (waiting = defer()).promise;
      const message = messages.shift();
      if (message instanceof Error) throw message;
      return message;
    },
  };
  const port = {
    instance: 's',
    request: async (_: string, { texts, definition }: Asked, signal: AbortSignal) => {
      if (TAKEN_NAMES.test(definition?.name ?? '')) throw new SpillwayError('recipe_exists', 'It exists.');
      screened += 1;
      await judged;
      signal.throwIfAborted();
      return { secret: texts?.map(() => false) };
    },
  };
  const options = {
    channels: { connect: async () => channel, add: () => added.promise, nextId: () => 1 },
    personTabs: {
      ...{ loaded: Promise.resolve(), check: () => undefined, onChange: () => undefined },
      has: (tabId: number) => tabId === TAKEN,
    },
    ...{ leases: { wasHeld: () => false }, servers: () => [{ port }], denies: async () => false },
    onChange: () => undefined,
  };
  const recording = new Recording(options as never);
  const judge = (when: Promise<void>): void => void (judged = when);
  const add = (): void => added.resolve(undefined);
  return { recording, browser, asked, say, add, judge, screened: () => screened };
}

async function recorded(heading = '') {
  const rig = makeRecording({ heading });
  rig.add();
  await rig.recording.take(START);
  rig.say({ type: 'recorded', act: ACT });
  await vi.waitFor(() => expect(rig.recording.shown).toMatchObject({ steps: [{}, {}] }), PATIENCE);
  return rig;
}

it.each([
  ['', TAB + 1, 3],
  [' but not if they have taken it over', TAKEN, 2],
])('records a tab that the person turns to%s', async (_which, tabId, steps) => {
  const { recording, browser } = await recorded();
  browser.get('activated')?.({ tabId, windowId: 1 });
  await new Promise(setImmediate);
  await recording.stop(null);
  expect(recording.shown).toMatchObject({ steps: Array.from({ length: steps }, () => ({})) });
});

it('enters no page twice, nor after its end, whatever the person asks for meanwhile', async () => {
  const { recording, asked, browser, add } = makeRecording();
  const starts = [recording.take(START), recording.take(START)];
  await new Promise(setImmediate);
  const stopped = recording.stop(null);
  add();
  await Promise.all([...starts, stopped]);
  expect(recording.shown).toMatchObject({ step: 'editing' });
  expect([asked, browser.size]).toEqual([[], 0]);
});

it('says that it records once the page listens', async () => {
  const { recording, asked, add, say } = makeRecording({ isBusy: true });
  add();
  const started = recording.take(START);
  await expect.poll(() => asked, PATIENCE).toEqual([true]);
  await new Promise(setImmediate);
  expect(recording.shown).toBeNull();
  say({ type: 'acted' });
  await started;
  expect(recording.shown).toMatchObject({ step: 'recording' });
});

it('turns the recorder of a page off that sends something malformed', async () => {
  const { asked, say } = await recorded();
  say(new Error('malformed'));
  await expect.poll(() => asked, PATIENCE).toEqual([true, false]);
});

it('waits once for a server that does not answer', async () => {
  const { recording, screened, say } = await recorded();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  for (const at of [2, 3, 4]) say({ type: 'recorded', act: { ...ACT, at } });
  await expect.poll(() => recording.shown, PATIENCE).toMatchObject({ left: 3 });
  timeout.mockRestore();
  expect(screened()).toBe(3);
});

it.each([
  ['a reload', 'reload', [], 5_000, 'reload'],
  ['a reload that the page does', 'reload', [], 500, undefined],
  ['Back', 'link', ['forward_back'], 5_000, 'open'],
  ['an address', 'typed', [], 500, 'open'],
  ['a link', 'link', [], 5_000, undefined],
  ['a redirect', 'typed', ['client_redirect'], 5_000, undefined],
])('%s after an act is recorded if the person did it', async (_what, type, qualifiers, afterMs, kind) => {
  const { recording, browser } = await recorded();
  vi.setSystemTime(Date.now() + afterMs);
  const moved = { transitionType: type, transitionQualifiers: qualifiers };
  browser.get('committed')?.({ tabId: TAB, frameId: 0, url, ...moved });
  await recording.stop(null);
  const steps = [{}, {}, ...(kind === undefined ? [] : [{ step: { kind } }])];
  expect(recording.shown).toMatchObject({ steps });
});

it('records no reload by a press that no server has judged yet', async () => {
  const { recording, browser, say, judge, screened } = await recorded();
  vi.setSystemTime(Date.now() + 5_000);
  const slow = defer<void>();
  judge(slow.promise);
  say({ type: 'recorded', act: { ...ACT, at: 2 } });
  await expect.poll(screened).toBe(3);
  browser.get('committed')?.({ tabId: TAB, frameId: 0, url, transitionType: 'reload' });
  slow.resolve();
  await recording.stop(null);
  expect(recording.shown).toMatchObject({ steps: [{}, {}, { step: { kind: 'act' } }] });
});

it.each([
  ['登录', { step: 'kept', name: 'recording_3' }],
  ['Überweisung', { step: 'editing', problem: 'recipe_exists' }],
])('a recipe %s has a name of its own', async (title, shown) => {
  const { recording } = await recorded();
  await recording.stop(null);
  await recording.take({ type: 'record_keep', server: 's', title, steps: [{ id: 1, parameter: null }] });
  expect(recording.shown).toMatchObject(shown);
});

it('drops what an earlier worker has left, though that is read late', async () => {
  const left = defer<Record<string, unknown>>();
  const { recording } = makeRecording({ local: { ...storageOf({}), get: () => left.promise } });
  const dropped = recording.take({ type: 'record', act: 'discard' });
  await new Promise(setImmediate);
  left.resolve({ recording: { steps: [{ kind: 'reload', id: 1, tab: 0 }], left: 0 } });
  await dropped;
  expect(recording.shown).toBeNull();
});

it('ends with what the page says when the person stops', async () => {
  const { recording } = await recorded('Thank you');
  await recording.stop(null);
  const shows = { step: { kind: 'shows', text: 'Thank you' } };
  expect(recording.shown).toMatchObject({ steps: [{}, {}, shows] });
});

it('asks for what the page says with the parameters that it repeats, and continues without it', () => {
  const fill = { ...ACT, do: 'fill', value: 'Ada', label: 'Name' } as const;
  const steps = [
    { kind: 'act', id: 1, tab: 0, act: fill },
    { kind: 'shows', id: 2, tab: 0, text: 'Thank you, Ada' },
  ] as never;
  const names = { name: 'order', title: 'Order', parameters: new Map([[1, 'name']]) };
  expect(recipeOf(steps, names)['steps']).toMatchObject([
    {},
    { tool: 'wait_for', args: { text: 'Thank you, {{params.name}}' }, on_error: 'continue' },
  ]);
});

it('ends when the tab closes, hears nothing more, and keeps the steps', async () => {
  const { recording, browser } = await recorded();
  browser.get('removed')?.(TAB);
  const shown = { step: 'editing', problem: 'tab_not_found', steps: [{}, {}] };
  await vi.waitFor(() => expect(recording.shown).toMatchObject(shown), PATIENCE);
  expect(browser.size).toBe(0);
});
