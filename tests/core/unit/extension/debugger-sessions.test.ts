import { beforeEach, expect, it, vi } from 'vitest';
import { DebuggerSessions } from '../../../../extension/platform/chromium/debugger/sessions.ts';
import { Dialogs } from '../../../../extension/act/worker/dialogs.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from './fake-debugger.ts';
import { defer } from '../../../../shared/base/async.ts';
import { codeOf } from '../../../support/code-of.ts';
import { PATIENCE } from '../../../support/patience.ts';

const TAB = 7;
const never = new AbortController().signal;
let fake: FakeDebugger;
let memory: FakeCancelMemory;
let held: FakeHeldMemory;
let sessions: DebuggerSessions;

beforeEach(() => {
  fake = FakeDebugger.install();
  memory = new FakeCancelMemory();
  held = new FakeHeldMemory();
  sessions = new DebuggerSessions(memory, held);
});

it('counting attaches a tab once for all its leases, and detaches with the last release', async () => {
  const leases = await Promise.all([1, 2, 3].map(() => sessions.acquire(TAB, never)));
  const other = await sessions.acquire(TAB + 1, never);
  for (const lease of leases) {
    expect(fake.attached.has(TAB)).toBe(true);
    await lease.release();
    await lease.release();
  }
  expect(fake.calls).toEqual([`attach ${TAB}`, `attach ${TAB + 1}`, `detach ${TAB}`]);
  await sessions.acquire(TAB, never);
  await other.release();
  expect([...fake.attached]).toEqual([TAB]);
});

it('counting leaves nothing attached when the caller has disconnected meanwhile', async () => {
  const asking = new AbortController();
  const acquiring = sessions.acquire(TAB, asking.signal);
  asking.abort(new SpillwayError('cancelled', 'Gone.'));
  expect(await codeOf(acquiring)).toBe('cancelled');
  expect(fake.attached.size).toBe(0);
});

it.each([
  ['No tab with given id 7.', 'tab_not_found'],
  ['Another debugger is already attached to the tab with id: 7.', 'debugger_unavailable'],
  ['Cannot access a chrome:// URL', 'page_forbidden'],
  ['Host access is restricted by policy.', 'debugger_restricted'],
  ['Screenshot capture is restricted by policy.', 'debugger_restricted'],
  ['Something else', 'debugger_unavailable'],
])('a refusal "%s" is %s, and the next attempt is a new one', async (said, code) => {
  fake.refusal = said;
  expect(await codeOf(sessions.acquire(TAB, never))).toBe(code);
  fake.refusal = null;
  await sessions.acquire(TAB, never);
  expect(fake.attached.has(TAB)).toBe(true);
});

it("a person's Cancel ends every lease of its tab, and is never overridden, by any tab, until it is allowed again", async () => {
  const leases = await Promise.all([sessions.acquire(TAB, never), sessions.acquire(TAB, never)]);
  fake.detach(TAB, 'canceled_by_user');
  for (const { signal } of leases) expect(signal.reason).toMatchObject({ code: 'debugger_cancelled' });
  const before = [...fake.calls];
  expect(await codeOf(sessions.acquire(TAB, never))).toBe('debugger_cancelled');
  expect(await codeOf(sessions.acquire(TAB + 1, never))).toBe('debugger_cancelled');
  // A worker that starts later remembers it too.
  expect(await codeOf(new DebuggerSessions(memory, held).acquire(TAB, never))).toBe('debugger_cancelled');
  expect(fake.calls).toEqual(before);
  memory.isSet = false;
  await sessions.acquire(TAB, never);
  expect(fake.attached.has(TAB)).toBe(true);
});

it("a person's Cancel counts also where it comes while the tab is being attached", async () => {
  fake.answer = () => (memory.isSet = true);
  expect(await codeOf(sessions.acquire(TAB, never))).toBe('debugger_cancelled');
  expect(fake.attached.size).toBe(0);
});

const mouse = { type: 'mousePressed', x: 3, y: 4, button: 'left', clickCount: 1 };
const down = ['Input.dispatchMouseEvent', mouse] as const;
const shift = { key: 'Shift', code: 'ShiftLeft', windowsVirtualKeyCode: 16, location: 1, modifiers: 8 };
const inputs = (): string[] =>
  fake.sent.filter(({ method }) => method.startsWith('Input')).map(({ params }) => String(params['type']));

it('lets sessions go that wait for a lease which has gone, and messages that only it has asked for', async () => {
  const [kept, follower] = [await sessions.acquire(TAB, never), await sessions.acquire(TAB, never)];
  await follower.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true });
  const attach = (sessionId: string): void =>
    fake.emit(TAB, 'Target.attachedToTarget', { sessionId, waitingForDebugger: true });
  attach('S1');
  await follower.send('Runtime.enable');
  expect([kept, follower].map((lease) => lease.isRecording(null))).toEqual([true, false]);
  await follower.release();
  expect(kept.isRecording(null)).toBe(false);
  attach('S2');
  const resumed = fake.methods.filter((sent) => sent.includes('runIf'));
  expect(resumed).toEqual(['S2 Runtime.runIfWaitingForDebugger']);
  await kept.release();
});

it('pressed keys are released by their lease, once, the last first', async () => {
  const lease = await sessions.acquire(TAB, never);
  await lease.send(...down);
  await lease.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...shift }, { sessionId: 'frame' });
  expect(held.kept.get(TAB)).toHaveLength(3);
  await lease.releaseInput();
  await lease.releaseInput();
  expect(inputs().slice(2)).toEqual(['keyUp', 'dragCancel', 'mouseReleased']);
  expect(fake.methods.at(-3)).toBe('frame Input.dispatchKeyEvent');
  expect(held.kept.size).toBe(0);
});

it.each([
  ['are released by the next worker', ['mousePressed', 'dragCancel', 'mouseReleased']],
  ['stay pressed after a person’s Cancel: nothing is sent', ['mousePressed']],
])('pressed keys %s', async (_what, sent) => {
  const lease = await sessions.acquire(TAB, never);
  await lease.send(...down);
  if (sent.length > 1) await new DebuggerSessions(memory, held).reconcile();
  else fake.detach(TAB, 'canceled_by_user');
  if (sent.length === 1) await lease.releaseInput();
  expect(inputs()).toEqual(sent);
  expect([fake.attached.size, held.kept.size]).toEqual([0, 0]);
});

it.each([
  ['target_closed', 'tab_not_found'],
  ['replaced_with_devtools', 'debugger_unavailable'],
])('the end of an attachment %s is %s to its leases', async (reason, code) => {
  const lease = await sessions.acquire(TAB, never);
  fake.detach(TAB, reason);
  expect(lease.signal.reason).toMatchObject({ code });
  expect(await codeOf(lease.send('Network.enable'))).toBe(code);
  await lease.release();
  expect(fake.calls).toEqual([`attach ${TAB}`]);
});

it('the end of an attachment drops all when the bridge goes, also what is being attached', async () => {
  const leases = await Promise.all([sessions.acquire(TAB, never), sessions.acquire(TAB + 1, never)]);
  const reason = new SpillwayError('browser_disconnected', 'The host has gone.');
  fake.answer = () => sessions.dropAll(reason);
  expect(await codeOf(sessions.acquire(TAB + 2, never))).toBe('browser_disconnected');
  for (const { signal } of leases) expect(signal.reason).toBe(reason);
  expect(fake.attached.size).toBe(0);
});

it.each([false, true])('what is lost before it is attached leaves nothing; again: %s', async (isAsked) => {
  const browser = defer<void>();
  fake.ready = browser.promise;
  const dropped = codeOf(sessions.acquire(TAB, never));
  await vi.waitUntil(() => sessions.isInUse, PATIENCE);
  sessions.dropAll(new SpillwayError('browser_disconnected', 'The host has gone.'));
  const next = isAsked ? codeOf(sessions.acquire(TAB, never)) : 'nothing';
  await vi.waitUntil(() => sessions.isInUse === isAsked, PATIENCE);
  browser.resolve();
  expect(await dropped).toBe('browser_disconnected');
  expect(await next).toBe(isAsked ? 'debugger_unavailable' : 'nothing');
  await sessions.acquire(TAB, never);
});

it('the end of an attachment ends what a worker before it left attached, before it attaches itself, also where that fails', async () => {
  fake.attached.add(TAB).add(TAB + 1);
  held.all = () => Promise.reject(new Error('The storage is full.'));
  const cleared: number[] = [];
  void sessions.reconcile((tabId) => cleared.push(tabId));
  await sessions.acquire(TAB, never);
  expect(cleared).toEqual([TAB, TAB + 1]);
  expect(fake.calls).toEqual([`detach ${TAB}`, `detach ${TAB + 1}`, `attach ${TAB}`]);
  chrome.debugger.getTargets = () => Promise.reject(new Error('The browser is ending.'));
  void sessions.reconcile();
  await sessions.acquire(TAB + 1, never);
  expect(fake.attached).toEqual(new Set([TAB, TAB + 1]));
});

it.each([false, true])(
  'a tab without a size has one until it is shown, unless it has another; %s',
  async (hasOther) => {
    let show = (_tab: { tabId: number }): void => undefined;
    Object.assign(chrome.tabs, {
      get: async () => ({ url: 'https://a.test/', width: 0, active: false }),
      query: async () => [{ width: 800, height: 600 }],
      onActivated: { addListener: (listener: typeof show) => void (show = listener) },
    });
    const lease = await new DebuggerSessions(memory, held).acquire(TAB, never);
    if (hasOther) await lease.send('Emulation.setDeviceMetricsOverride');
    show({ tabId: TAB });
    expect(fake.methods.includes('tab Emulation.clearDeviceMetricsOverride')).toBe(!hasOther);
  },
);

it('commands have a deadline: a page that hangs answers none', async () => {
  const lease = await sessions.acquire(TAB, never);
  vi.useFakeTimers();
  fake.answer = () => new Promise(() => undefined);
  const outcome = codeOf(lease.send('A.b', {}, { timeoutMs: 50 }));
  await vi.advanceTimersByTimeAsync(50);
  expect(await outcome).toBe('page_unresponsive');
});

it.each([
  '{"code":-32000,"message":"Detached while handling command."}',
  'Debugger is not attached to the tab with id: 7.',
  'No tab with given id 7.',
])('commands that fail with %s before the end of the attachment is known say why it ended', async (said) => {
  const lease = await sessions.acquire(TAB, never);
  fake.answer = () => {
    setImmediate(() => fake.detach(TAB, 'target_closed'));
    throw new Error(said);
  };
  expect(await codeOf(lease.send('A.b'))).toBe('tab_not_found');
});

const opening = (): void =>
  fake.emit(TAB, 'Page.javascriptDialogOpening', {
    ...{ type: 'confirm', message: 'Sure?', defaultPrompt: '' },
    ...{ url: 'https://example.com/', hasBrowserHandler: true },
  });

it('dialogs keep the attachment that saw one open until it is closed', async () => {
  const lease = await sessions.acquire(TAB, never);
  opening();
  await lease.release();
  expect(fake.attached.has(TAB)).toBe(true);
  expect(sessions.dialogOf(TAB)).toMatchObject({ type: 'confirm', message: 'Sure?' });
  fake.emit(TAB, 'Page.javascriptDialogClosed', { result: true });
  expect(sessions.dialogOf(TAB)).toBeNull();
  expect(fake.attached.has(TAB)).toBe(false);
});

it('dialogs are watched until their caller gives up, even before the page has answered', async () => {
  const lease = await sessions.acquire(TAB, never);
  await lease.keepDialogs();
  await lease.release();
  fake.answer = ({ method }) => (method === 'Page.enable' ? new Promise(() => undefined) : {});
  const call = new AbortController();
  const watching = codeOf(new Dialogs(sessions).watch(TAB, call.signal));
  await vi.waitUntil(() => fake.methods.filter((sent) => sent === 'tab Page.enable').length === 2, PATIENCE);
  call.abort(new SpillwayError('cancelled', 'Gone.'));
  expect(await watching).toBe('cancelled');
  expect(fake.attached.size).toBe(0);
});
