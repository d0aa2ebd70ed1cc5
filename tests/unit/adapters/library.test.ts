import { inspect } from 'node:util';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import type { SpillingTool, ToolName } from '../../../shared/tools/index.ts';
import type { TOOL_MANIFESTS } from '../../../shared/tools/manifests.generated.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import type { ToolArguments } from '../../../server/library/tool-arguments.generated.ts';
import type { z } from 'zod';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { createSpillway, type Spillway } from '../../../server/library/index.ts';
import { type OptionsSchema, type SpillwayOptions } from '../../../server/library/options.ts';
import { followersOf } from '../../support/followers.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { JournalEntry } from '../../../server/core/services.ts';
import { assembleSpillway } from '../../../server/library/spillway.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { testTools } from '../../support/test-tool.ts';
import { temporaryHome } from '../../support/home.ts';

const start = localSpillways();
const ENDLESS = { tab: 'b1:1', output_mode: 'handle' } as const;
const ADA = { approve: true, by: 'Ada' } as const;
/** A person is asked about each call. */
const asking: Gate = { check: async () => ({ ask: {} }) };

/** A library whose first tab never ends. */
async function startEndless(gate?: Gate) {
  const started = await start(gate === undefined ? {} : { gate });
  started.bridge.addBrowser({ 1: { ...PAGE, content: endlessText }, 2: PAGE });
  return started;
}

test('a tool is a method, whose arguments may be left out where none is required', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const result = await spillway.tools.read_page({ tab: 'b1:1' });
  expect(result).toMatchObject({ ok: true, text: '# Example\nHello.\n', content: [{}, {}] });
  expect(result).not.toHaveProperty('structured');
  // JSON, and the descriptor of a handle, come as objects, too.
  const listed = await spillway.tools.tabs();
  expect(listed.structured).toEqual(JSON.parse(listed.text));
  const { descriptor, structured } = await spillway.tools.read_page(ENDLESS);
  expect(descriptor).toMatchObject({ mime_type: 'text/markdown', size_bytes: 17 });
  expect(structured).toEqual(descriptor);
});

test.each([
  ['createSpillway', () => createSpillway({ mode: 'nope' })],
  ['a session', async () => (await start()).spillway.session({ tools: ['nope'] })],
])('a coded error of %s starts at its caller and prints in three lines', async (_what, work) => {
  const error: unknown = await Promise.resolve()
    .then(work)
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SpillwayError);
  expect(inspect(error)).toMatch(
    /^SpillwayError: [^\n]*\n {2}[^\n]+ \(invalid_argument\)\n {4}at [^\n]*library\.test\.ts:[^\n]*$/,
  );
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

test('a thousand calls at once leave nothing on the signals that they listened to, and warn of nothing', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const { signal } = new AbortController();
  const count = (): number[] => [signal, spillway.signal].map(followersOf);
  const before = count();
  const calls = Array.from({ length: 1_000 }, () => spillway.tools.tabs({}, { signal }));
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  expect(count()).toEqual(before);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
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

test('a pending call runs once, after it was allowed', async () => {
  const gate: Gate = { check: async ({ definition: { manifest } }) => ({ ask: { allow: manifest.name } }) };
  const { spillway, bridge } = await start({ gate });
  bridge.addBrowser({ 1: PAGE });
  const asked = await spillway.tools.read_page({ tab: 'b1:1' }, { callId: 'one' });
  expect(asked).toMatchObject({ ok: true, callId: 'one', pending: { interaction: { allow: 'read_page' } } });
  const again = await spillway.tools.read_page({ tab: 'b1:1' }, { callId: 'one' });
  expect(again.pending).toEqual(asked.pending);
  expect(bridge.calls).toEqual([]);
  const decided = await spillway.decide('one', ADA);
  expect(decided).toMatchObject({ ok: true, text: '# Example\nHello.\n' });
  expect(await spillway.settled('one')).toEqual(decided);
  await expect(spillway.decide('one', ADA)).rejects.toMatchObject({ code: 'call_not_pending' });
});

test('a call that was allowed is cancelled by its signal or that of the decision, and no other is', async () => {
  const { spillway } = await startEndless(asking);
  const [ofCall, ofDecision] = [new AbortController(), new AbortController()];
  await spillway.tools.read_page(ENDLESS, { callId: 'one', signal: ofCall.signal });
  await spillway.tools.read_page(ENDLESS, { callId: 'two' });
  await spillway.tools.tabs({}, { callId: 'three' });
  const ends = [spillway.decide('one', ADA), spillway.decide('two', ADA, { signal: ofDecision.signal })];
  ofCall.abort();
  ofDecision.abort('enough');
  for (const end of ends) expect((await end).error?.code).toBe('cancelled');
  expect((await spillway.decide('three', ADA)).ok).toBe(true);
  expect(followersOf(ofDecision.signal)).toBe(0);
});

test('a session that is closed at any moment while its call becomes pending leaves nothing unhandled', async () => {
  let onAsked = (): void => undefined;
  const gate: Gate = {
    check: async () => {
      onAsked();
      return { ask: {} };
    },
  };
  const { spillway } = await start({ gate });
  for (let turns = 0; turns < 60; turns += 1) {
    const session = spillway.session();
    onAsked = () => {
      let later = Promise.resolve();
      for (let turn = 0; turn < turns; turn += 1) later = later.then(() => undefined);
      void later.then(() => session.close());
    };
    // Vitest fails a run with a rejection without a handler.
    const { ok, pending, error } = await session.call('tabs', {}, { callId: 'one' });
    expect(ok ? pending?.callId : error.code).toMatch(/one$|^cancelled$/);
  }
});

test('asking for leave executes nothing', async () => {
  const gate: Gate = {
    check: async ({ definition: { manifest } }) => (manifest.name === 'tabs' ? { allow: true } : { ask: {} }),
  };
  const { spillway, bridge } = await start({ gate });
  bridge.addBrowser({ 1: PAGE });
  expect(await spillway.ask('tabs', {}, { callId: 'a' })).toBeNull();
  expect(await spillway.ask('read_page', { nonsense: 1 }, { callId: 'b' })).toBeNull();
  expect((await spillway.ask('read_page', { tab: 'b1:1' }, { callId: 'c' }))?.pending).toBeDefined();
  expect(bridge.calls).toEqual([]);
  expect((await spillway.decide('c', { approve: false, by: 'a person' })).error?.code).toBe('call_denied');
});

test('a defect is logged to the logger that was given, and one that throws fails no call', async () => {
  const log = vi.fn((_facts: object, _message: string) => undefined);
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: log };
  const gate: Gate = { check: () => Promise.reject(new Error('a defect')) };
  const { spillway } = await start({ gate, logger });
  expect((await spillway.tools.tabs()).error?.code).toBe('internal_error');
  expect(log.mock.calls.map(([, message]) => message)).toEqual(['call failed']);

  const fail = (): never => {
    throw new Error('the disk of the log is full');
  };
  const failing = await start({ logger: { debug: fail, info: fail, warn: fail, error: fail } });
  failing.bridge.addBrowser({ 1: PAGE });
  expect((await failing.spillway.tools.read_page(ENDLESS)).ok).toBe(true);
  expect((await failing.spillway.call('read_page', { tab: 'b9:9' })).ok).toBe(false);
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

test('a session finds one tool by its name, listed or not, and none that only widgets call', async () => {
  const { spillway } = await start({ mode: 'openai' });
  const listed = spillway.list();
  expect(listed.map(({ name }) => spillway.find(name))).toEqual(listed);
  expect(listed.map(({ name }) => name)).not.toContain('html_skeleton');
  expect(spillway.find('html_skeleton')).toMatchObject({ name: 'html_skeleton', isReadOnly: true });
  expect(spillway.has('run_status_internal')).toBe(true);
  expect(spillway.find('run_status_internal')).toBeUndefined();
  expect(spillway.find('no_such_tool')).toBeUndefined();
});

test('what the library takes is what the schemas take', () => {
  type Manifest = (typeof TOOL_MANIFESTS)[number];
  type Input<Name extends ToolName> = z.input<Extract<Manifest, { name: Name }>['input']>;
  /** The tools whose arguments differ. */
  type Different = {
    [Name in ToolName]: Input<Name> extends ToolArguments[Name]
      ? ToolArguments[Name] extends Input<Name>
        ? never
        : Name
      : Name;
  }[ToolName];
  // A JSON Schema, and its answer, are objects of any shape; in that of a form, undefined is written out.
  expectTypeOf<Exclude<Different, 'extract_data' | 'request_human_input'>>().toBeNever();
  expectTypeOf<keyof ToolArguments>().toEqualTypeOf<ToolName>();
  // The type follows from the manifests: a tool that spills is in it, one that does not is not.
  expectTypeOf<'read_page' | 'crawl'>().toExtend<SpillingTool>();
  expectTypeOf<'tabs'>().not.toExtend<SpillingTool>();
  expectTypeOf<keyof z.input<typeof OptionsSchema>>().toEqualTypeOf<keyof SpillwayOptions>();
  expectTypeOf<z.input<typeof OptionsSchema>>().toExtend<SpillwayOptions>();
  expectTypeOf<z.output<typeof OutputDescriptor>>().toEqualTypeOf<OutputDescriptor>();
});

// What `close` leaves behind, and what may follow it.

async function journalOf(home: string): Promise<readonly JournalEntry[]> {
  const folder = join(home, 'journal');
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  const lines = (await Promise.all(texts)).join('').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

test('what close cancels has ended and is journalled when it resolves, and nothing is written after it', async () => {
  const home = await temporaryHome();
  const reading = deferred<void>();
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

test('what waits for a person when it is closed is journalled with its end', async () => {
  const home = await temporaryHome();
  const spillway = assembleSpillway({ home, gate: asking }, { bridge: new FakeBridge() });
  expect((await spillway.tools.tabs({}, { callId: 'one' })).pending).toBeDefined();
  await spillway.close();
  const message = expect.stringContaining('No decision had been made');
  expect((await journalOf(home)).at(-1)).toMatchObject({
    tool: 'tabs',
    ok: false,
    code: 'cancelled',
    message,
  });
});

test('a call that ignores the end is abandoned, and its late end writes nothing', async () => {
  const home = await temporaryHome();
  const [begun, allowed] = [deferred<void>(), deferred<void>()];
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
