import type { Scripting } from 'webextension-polyfill';
import { beforeEach, expect, it, vi } from 'vitest';
import { DebuggerSessions } from '../../../extension/platform/chromium/debugger/sessions.ts';
import { stopLoading } from '../../../extension/core/navigation/stop-loading.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from '../../core/unit/extension/fake-debugger.ts';

const TAB = 7;
const PENDING = { id: TAB, url: 'https://a.test/', pendingUrl: 'https://site.test/slow' };

let documents: string[];
let stopped: (string | undefined)[];
let fake: FakeDebugger;
let debuggers: DebuggerSessions;

beforeEach(() => {
  [documents, stopped] = [['first'], []];
  const executeScript = async ({ target }: Scripting.ScriptInjection): Promise<void> => {
    stopped.push(target.documentIds?.join());
    if (documents.length > 1) documents.shift();
  };
  const getFrame = async () => (documents.length === 0 ? null : { documentId: documents[0] });
  fake = FakeDebugger.install({ scripting: { executeScript } });
  Object.assign(chrome.webNavigation, { getFrame });
  Object.assign(chrome.tabs, { get: () => Promise.resolve(PENDING) });
  debuggers = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
});

it.each([
  ['stops the document, and a load that has none yet', ['first'], ['first']],
  ['stops the document that came while the first was stopped', ['first', 'second'], ['first', 'second']],
  ['stops a load in a tab that shows no document yet', [], []],
])('%s', async (_what, shown, asked) => {
  documents = shown;
  await stopLoading(TAB, { debuggers, isOurs: () => true });
  expect(stopped).toEqual(asked);
  expect(fake.methods).toContain('tab Page.stopLoading');
});

it.each([
  ['that another call navigates', () => false, []],
  ['in which another call begins a load while the document stops', () => stopped.length === 0, ['first']],
])('leaves the load of a tab alone %s', async (_what, isOurs, asked) => {
  await stopLoading(TAB, { debuggers, isOurs });
  expect(stopped).toEqual(asked);
  expect(fake.calls).toEqual([]);
});

it('saves no file that the page loads, but those that a person asks for', async () => {
  vi.useFakeTimers();
  // Loads in tests before it may still be kept.
  vi.resetModules();
  const { UnsavedFiles } = await import('../../../extension/core/navigation/stop-loading.ts');
  const event = { addListener: () => undefined, removeListener: () => undefined };
  const events = new Proxy({}, { get: () => event });
  const onCommitted = { ...event, addListener: vi.fn() };
  const onDeterminingFilename = { ...event, addListener: vi.fn() };
  const webNavigation = new Proxy({}, { get: (_, name) => (name === 'onCommitted' ? onCommitted : event) });
  const cancel = vi.fn(async () => undefined);
  const downloads = { cancel, erase: async () => [], onDeterminingFilename };
  let isUsed = false;
  const scripting = { executeScript: async () => [{ result: isUsed }] };
  fake = FakeDebugger.install({ tabs: events, webNavigation, downloads, scripting });
  const unsaved = new UnsavedFiles(TAB);
  const url = 'https://site.test/report';
  const ask = (requestId: string): void =>
    fake.onRequest.get('onBeforeRequest')?.({ tabId: TAB, frameId: 4, type: 'sub_frame', url, requestId });
  const [save] = onDeterminingFilename.addListener.mock.lastCall ?? [];
  const saves = (id: number): Promise<void> => new Promise((resolve) => save({ id, finalUrl: url }, resolve));
  for (const requestId of ['1', '2']) ask(requestId);
  for (const id of [1, 2, 3]) await saves(id);
  expect(cancel.mock.calls).toEqual([[1], [2]]);
  ask('the page');
  onCommitted.addListener.mock.lastCall?.[0]({ tabId: TAB, frameId: 0, url });
  await saves(4);
  unsaved.end();
  ask('of the page');
  await saves(5);
  isUsed = true;
  ask('of a person');
  await saves(6);
  expect(cancel.mock.calls).toEqual([[1], [2], [5]]);
  vi.runAllTimers();
});
