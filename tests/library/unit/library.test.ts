import { expect, test } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { createSpillway, type Spillway } from '../../../server/library/index.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { JournalEntry } from '../../../server/core/services.ts';
import { assembleSpillway } from '../../../server/library/spillway.ts';
import { defer } from '../../../shared/base/async.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { testTools } from '../../support/test-tool.ts';
import { temporaryHome } from '../../support/home.ts';

const start = localSpillways();
const ENDLESS = { tab: 'b1:1', output_mode: 'handle' } as const;

async function startEndless() {
  const started = await start();
  started.bridge.addBrowser({ 1: { ...PAGE, content: endlessText }, 2: PAGE });
  return started;
}

test('a tool is a method, whose arguments may be left out where none is required', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const result = await spillway.tools.read_page({ tab: 'b1:1' });
  expect(result).toMatchObject({ ok: true, text: '# Example\nHello.\n', content: [{}, {}] });
  expect(result).not.toHaveProperty('structured');
  // JSON and handle descriptors are also available as objects.
  const listed = await spillway.tools.tabs();
  expect(listed.structured).toEqual(JSON.parse(listed.text));
  const { descriptor, structured } = await spillway.tools.read_page(ENDLESS);
  expect(descriptor).toMatchObject({ mime_type: 'text/markdown', size_bytes: 17 });
  expect(structured).toEqual(descriptor);
});

test('a browser that does not start is what fails each call, not the tab that it never opened', async () => {
  await using spillway = createSpillway({
    home: await temporaryHome(),
    launch: { browser: '/none/chromium' },
  });
  for (const made of [spillway.tools.navigate({ url: PAGE.url }), spillway.tools.read_page()])
    expect((await made).error).toMatchObject({
      code: 'browser_launch_failed',
      hint: expect.stringContaining('with launch.browser, or run `') as string,
    });
});

test('with throwOnError methods of all sessions throw what failed, and nothing else does', async () => {
  const { spillway, bridge } = await start({ throwOnError: true });
  bridge.addBrowser({ 1: PAGE });
  for (const { tools } of [spillway, spillway.session()])
    await expect(tools.read_page({ tab: 'b1:9' })).rejects.toMatchObject({
      name: 'SpillwayError',
      code: 'tab_not_found',
      hint: expect.any(String),
      state: { tab: 'b1:9' },
    });
  expect((await spillway.tools.read_page({ tab: 'b1:1' })).ok).toBe(true);
  expect((await spillway.call('read_page', { tab: 'b1:9' })).ok).toBe(false);
});

test('a signal cancels the call, whatever its reason is, and one of a limit is a timeout', async () => {
  const { spillway } = await startEndless();
  for (const reason of [undefined, 'enough', new Error('enough')]) {
    const cancel = new AbortController();
    const call = spillway.tools.read_page(ENDLESS, { signal: cancel.signal });
    cancel.abort(reason);
    expect((await call).error).toMatchObject({
      code: 'cancelled',
      message: 'The call was cancelled by its caller.',
    });
  }
  const late = await spillway.tools.read_page(ENDLESS, { signal: AbortSignal.timeout(20) });
  expect(late.error?.code).toBe('timeout');
});

test('closing a session cancels its calls and no other session', async () => {
  const { spillway } = await startEndless();
  const session = spillway.session();
  const call = session.tools.read_page(ENDLESS);
  session.close();
  expect((await call).error?.code).toBe('cancelled');
  expect(await session.tools.tabs()).toMatchObject({
    stop: true,
    error: { code: 'session_closed', retryable: false },
  });
  expect((await spillway.tools.read_page({ tab: 'b1:2' })).ok).toBe(true);
});

test('every option that does not fit is named', () => {
  const wrong = { home: '', launch: 'yes', syncWaitMs: -1, outputModeDefault: 'maybe', nonsense: 1 };
  const create = (): Spillway => createSpillway(wrong as never);
  for (const name of ['home', 'launch', 'syncWaitMs', 'outputModeDefault', 'nonsense'])
    expect(create).toThrow(name);
  expect(() => createSpillway({ launch: { headles: true } } as never)).toThrow(/launch: .*"headles"/);
  expect(() => createSpillway({ mode: 'defualt' })).toThrow(/^createSpillway: mode: "defualt" is not one of/);
  expect(() => createSpillway({ tools: ['raed_page'] })).toThrow(/"raed_page" \(did you mean read_page/);
});

// What `close` leaves behind, and what may follow it.

async function journalOf(home: string): Promise<readonly JournalEntry[]> {
  const database = new HomeDatabase(home);
  const lines = database.rows('SELECT line FROM journal ORDER BY position');
  database.close();
  return lines.map(([line]) => JSON.parse(String(line)) as JournalEntry);
}

test('what close cancels has ended and is journalled when it resolves, and nothing is written after it', async () => {
  const home = await temporaryHome();
  const reading = defer<void>();
  const bridge = new FakeBridge();
  const content: typeof endlessText = async function* () {
    reading.resolve();
    yield* endlessText();
  };
  bridge.addBrowser({ 1: { ...PAGE, content } });
  const spillway = assembleSpillway({ home }, { bridge });
  let hasEnded = false;
  const call = spillway.tools.read_page({ tab: 'b1:1', output_mode: 'handle' }).finally(() => {
    hasEnded = true;
  });
  await reading.promise;
  // As `await using` does.
  await spillway[Symbol.asyncDispose]();
  expect(hasEnded).toBe(true);
  expect((await call).error?.code).toBe('cancelled');
  const entries = (await journalOf(home)).filter(({ event }) => event === 'tool_call');
  expect(entries).toMatchObject([{ tool: 'read_page', ok: false, code: 'cancelled' }]);
  await rm(home, { recursive: true });
  expect((await spillway.tools.tabs()).error?.code).toBe('session_closed');
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(home)).toBe(false);
});

test('a call that ignores the end is abandoned, and its late end writes nothing', async () => {
  const home = await temporaryHome();
  const [begun, allowed] = [defer<void>(), defer<void>()];
  const tools = testTools({
    stubborn: async () => {
      begun.resolve();
      await allowed.promise;
      return produceJson('late');
    },
  });
  const spillway = assembleSpillway({ home }, { bridge: new FakeBridge(), ...tools });
  const call = spillway.call('stubborn', {});
  await begun.promise;
  await spillway.close();
  const entries = (await journalOf(home)).filter(({ event }) => event === 'tool_call');
  expect(entries).toMatchObject([{ tool: 'stubborn', code: 'cancelled' }]);
  await rm(home, { recursive: true });
  allowed.resolve();
  expect((await call).error?.code).toBe('cancelled');
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(home)).toBe(false);
});
