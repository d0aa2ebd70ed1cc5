import type { Scripting } from 'webextension-polyfill';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DebuggerSessions } from '../../../extension/background/chromium/debugger/sessions.ts';
import { stopLoading } from '../../../extension/background/navigation/stop-loading.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from './fake-debugger.ts';

const TAB = 7;
const { browser, tab } = vi.hoisted(() => {
  const shown = { id: 7, pendingUrl: '' };
  return {
    tab: shown,
    browser: { tabs: { get: () => Promise.resolve(shown) }, scripting: {}, webNavigation: {} },
  };
});
vi.mock('webextension-polyfill', () => ({ default: browser }));

let scripts: number;
/** The documents that the tab shows, one after the other. */
let documents: string[];
/** The documents that were asked to stop. */
let updates: (readonly string[] | undefined)[];
let fake: FakeDebugger;
let debuggers: DebuggerSessions;

beforeEach(() => {
  scripts = 0;
  tab.pendingUrl = 'https://site.test/slow';
  documents = ['first'];
  updates = [];
  const executeScript = ({ target }: Scripting.ScriptInjection): Promise<void> => {
    scripts += 1;
    updates.push(target.documentIds);
    if (documents.length > 1) documents.shift();
    return Promise.resolve();
  };
  const getFrame = (): Promise<object | null> => {
    const [documentId] = documents;
    return Promise.resolve(documentId === undefined ? null : { documentId });
  };
  browser.scripting = { executeScript };
  browser.webNavigation = { getFrame };
  fake = FakeDebugger.install();
  debuggers = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
});
afterEach(() => vi.unstubAllGlobals());

it('stops the document, and a load that has none yet', async () => {
  await stopLoading(TAB, { debuggers, isOurs: () => true });
  expect(scripts).toBe(1);
  expect(fake.methods).toContain('tab Page.stopLoading');
});

it('needs no debugger where nothing is left to load', async () => {
  tab.pendingUrl = '';
  await stopLoading(TAB, { debuggers, isOurs: () => true });
  expect(scripts).toBe(1);
  expect(fake.calls).toEqual([]);
});

it('stops nothing of a tab that another call navigates', async () => {
  await stopLoading(TAB, { debuggers, isOurs: () => false });
  expect(scripts).toBe(0);
  expect(fake.calls).toEqual([]);
});

it('leaves the load alone that another call begins while the document stops', async () => {
  await stopLoading(TAB, { debuggers, isOurs: () => scripts === 0 });
  expect(scripts).toBe(1);
  expect(fake.calls).toEqual([]);
});

it('stops the document that came while the one before it was stopped, each by its name', async () => {
  documents = ['first', 'second'];
  await stopLoading(TAB, { debuggers, isOurs: () => true });
  expect(updates).toEqual([['first'], ['second']]);
});

it('stops a load in a tab that shows no document yet', async () => {
  documents = [];
  await stopLoading(TAB, { debuggers, isOurs: () => true });
  expect(scripts).toBe(0);
  expect(fake.methods).toContain('tab Page.stopLoading');
});
