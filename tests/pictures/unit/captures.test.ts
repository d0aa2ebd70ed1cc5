import { beforeEach, expect, it, vi } from 'vitest';
import { DebuggerSessions } from '../../../extension/platform/chromium/debugger/sessions.ts';
import { createHandlers as createTrace } from '../../../extension/trace/worker/trace.handler.ts';
import { createHandlers as createVideo } from '../../../extension/pictures/worker/record_video.handler.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeCancelMemory, FakeDebugger, FakeHeldMemory } from '../../core/unit/extension/fake-debugger.ts';

const film = vi.hoisted(() => ({ opened: Promise.resolve(), isDropped: false }));
vi.mock('../../../extension/files/worker/fetch-address.ts', () => ({
  beginFilm: async () => {
    await film.opened;
    const drop = (): void => void (film.isDropped = true);
    return { take: () => undefined, end: () => Promise.resolve({}), drop };
  },
}));
vi.mock('../../../extension/pictures/worker/concealed.ts', () => ({
  look: () => Promise.resolve({ covers: [], url: '', view: { width: 1, height: 1, scale: 1 } }),
}));

const TAB = 7;
const { signal } = new AbortController();
const EVENTS: Readonly<Record<string, readonly [string, object]>> = {
  'Page.startScreencast': ['Page.screencastFrame', { data: '', sessionId: 1, metadata: {} }],
  'Tracing.end': ['Tracing.tracingComplete', { stream: '1', dataLossOccurred: false }],
};
let fake: FakeDebugger;
let debuggers: DebuggerSessions;
/** The browser's answer to the first command of a start. */
let began = Promise.resolve();
let judges: () => Promise<void>;

beforeEach(() => {
  fake = FakeDebugger.install();
  debuggers = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
  film.isDropped = false;
  judges = async () => undefined;
  fake.answer = async ({ method }) => {
    if (method === 'Tracing.start') await began;
    const [event, params] = EVENTS[method] ?? ['', {}];
    // It draws later than it is asked, by a clock of milliseconds.
    setTimeout(() => fake.emit(TAB, event, { ...params }), 2);
    return { frameTree: { frame: { id: 'F' } }, data: '{}', eof: true };
  };
});

function capture(tool: 'trace' | 'video') {
  const sessionEnds = new Set<(session: string) => void>();
  const services = {
    ...{ debuggers, sessionEnds, closed: signal },
    leases: { take: () => Promise.reject(new SpillwayError('tab_busy', 'Another agent has it.')) },
    personTabs: { has: () => false, onChange: () => () => undefined },
  } as never;
  const handlers = { ...createTrace(services), ...createVideo(services) };
  const ask = (action: string): Promise<unknown> => {
    const params = { tab_id: TAB, caller: { session: 's', name: 'a' }, format: 'webm', fps: 10, width: 320 };
    const call = Reflect.get(handlers, `${tool}.${action}`);
    const context = { signal, policy: { expectFrames: () => judges() } };
    return call(params, context, { write: async () => undefined });
  };
  return { ask, endSession: () => sessionEnds.forEach((end) => end('s')) };
}

const TOOLS = ['trace', 'video'] as const;

it.each(TOOLS)('keeps what a %s has recorded until a person has allowed its end', async (tool) => {
  const { ask } = capture(tool);
  await ask('start');
  judges = () => Promise.reject(new SpillwayError('approval_required', 'Ask.'));
  expect(await codeOf(ask('stop'))).toBe('approval_required');
  judges = async () => undefined;
  expect(await ask('stop')).toMatchObject({ url: 'https://a.test/' });
});

it.each(TOOLS)('starts one %s of two that are asked for at once', async (tool) => {
  const { ask } = capture(tool);
  expect(await Promise.all([ask('start'), ask('start')].map(codeOf))).toEqual(['no error', 'tab_busy']);
  await ask('stop');
});

it('starts a video with a picture that is later than the start, and asks for it', async () => {
  const { answer } = fake;
  const late = { data: '', sessionId: 1, metadata: { timestamp: 1 } };
  fake.answer = (command) => {
    if (command.method !== 'Page.startScreencast') return answer(command);
    fake.answer = answer;
    setTimeout(() => fake.emit(TAB, 'Page.screencastFrame', late), 0);
    return {};
  };
  const { ask } = capture('video');
  await ask('start');
  await ask('stop');
});

it('loads no tab for a trace where another session acts', async () => {
  const { ask } = capture('trace');
  expect(await codeOf(ask('load'))).toBe('tab_busy');
  expect(fake.methods).toEqual([]);
});

it.each(TOOLS)('leaves nothing of a %s whose session ends while it starts', async (tool) => {
  const other = await debuggers.acquire(TAB, signal);
  const { ask, endSession } = capture(tool);
  const opened = defer<void>();
  began = film.opened = opened.promise;
  const code = codeOf(ask('start'));
  await new Promise(setImmediate);
  endSession();
  opened.resolve();
  expect(await code).toBe('capture_not_running');
  began = film.opened = Promise.resolve();
  await expect.poll(() => film.isDropped || fake.methods.includes('tab IO.close')).toBe(true);
  await other.release();
  await ask('start');
  await ask('stop');
});

it.each(TOOLS)('says once why a %s was lost', async (tool) => {
  const { ask } = capture(tool);
  await ask('start');
  fake.detach(TAB, 'target_closed');
  expect(await codeOf(ask('stop'))).toMatch(/^tab_/);
  expect(await codeOf(ask('stop'))).toBe('capture_not_running');
});
