import { beforeAll, describe, expect, it } from 'vitest';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { ProvidedRuntime } from '../../../server/core/registry/definition.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { delay } from '../../../shared/base/async.ts';
import { each } from '../../../shared/base/queue.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { rounds } from '../../support/depth.ts';
import { actTool, testProvider, testTool } from '../../support/test-provider.ts';

/* Programs through a whole server: the sandbox is the built one, the tools are a test's own. */

let server: MemoryServer;
const called: string[] = [];
let failures = 0;
/** Current and maximum number of `wait` calls. */
const waiting = { now: 0, most: 0 };

const LINES = rounds(1_000, 300);
const lines: ProvidedRuntime = async () => {
  const items = each(Array.from({ length: LINES }, (_, n) => ({ n })));
  const outcome = () => ({ state: {}, coverage: [] });
  return { payload: { kind: 'items', mimeType: MIME.json, items }, outcome };
};
const direct = (name: string, run: ProvidedRuntime, spills = false) =>
  testTool({ name, kind: 'direct', spills, run });

beforeAll(async () => {
  const provider = testProvider('test', [
    testTool({ name: 'echo', kind: 'direct' }),
    actTool('do_act', async ({ n }) => produceJson({ count: called.push(String(n)) })),
    direct('flaky', async () => {
      failures += 1;
      if (failures % 3 !== 0) throw new SpillwayError('page_unresponsive', 'The page is busy.');
      return produceJson({ failures });
    }),
    direct('wait', async () => {
      waiting.now += 1;
      waiting.most = Math.max(waiting.most, waiting.now);
      await new Promise((resolve) => setImmediate(resolve));
      waiting.now -= 1;
      return produceJson({});
    }),
    direct('hang', (_, { signal }) => delay(60_000, signal).then(() => produceJson({}))),
    direct('lines', lines, true),
    testTool({ name: 'of_a_server', kind: 'upstream' }),
  ]);
  // A busy machine computes longer before reaching a compute limit.
  server = await startMemoryServer({ syncWaitMs: 110_000 }, { providers: [provider] });
});

const run = (code: string, more: JsonObject = {}) => server.call('script', { code, ...more });
const value = async (code: string, more: JsonObject = {}): Promise<unknown> => {
  const answer = await run(code, more);
  expect(answer.isError, answer.text).toBe(false);
  return answer.json();
};
const failure = async (code: string, more: JsonObject = {}) => {
  const answer = await run(code, more);
  expect(answer.isError, answer.text).toBe(true);
  return answer.json<{ error: { code: string; message: string; hint: string } }>().error;
};
const runIdOf = (text: string): string => /run_[A-Z2-7]{12}/.exec(text)?.[0] ?? '';

describe('a program', () => {
  it('is TypeScript over tools, and its value is the answer', async () => {
    const code = `
      interface Answer { readonly echo: { readonly n: number } }
      const { echo }: Answer = await tools.echo({ n: input.n + 1 });
      return { got: echo.n };`;
    expect(await value(code, { input: { n: 1 } })).toEqual({ got: 2 });
  });

  it('gets text of other servers as text, and JSON as an object', async () => {
    expect(await value('return { text: await tools.of_a_server({ a: 1 }) }')).toEqual({ text: '{"a":1}' });
  });

  it.each([
    ['return "plain"', 'plain'],
    ['return 7', '7'],
    ['log("nothing")', 'null'],
    ['return `Please\nexport it`', 'Please\nexport it'],
    ['emit(() => 1)', '[\nnull\n]'],
  ])('%s answers %s', async (code, text) => {
    expect((await run(code)).text).toBe(text);
  });

  it('emits items, which are its output', async () => {
    const answer = await run('for (let i = 0; i < 3; i += 1) emit({ i }); return "three"');
    expect(answer.json()).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }]);
    expect(answer.notes).toContain('The program returned "three"');
  });

  it('reads a stored output item by item, and maps it in order with a limit', async () => {
    waiting.most = 0;
    const code = `
      const { output_handle } = await tools.lines({ output_mode: 'handle' });
      const all = await map(items(output_handle), async ({ n }) => { await tools.wait({}); return n; }, { limit: 3 });
      // Work that waits for nothing asks for the next item before the last one is there.
      const atOnce = await map(items(output_handle), async ({ n }) => n);
      return { count: all.length, atOnce: atOnce.length, sorted: all.every((n, at) => n === at) };`;
    expect(await value(code)).toEqual({ count: LINES, atOnce: LINES, sorted: true });
    expect(waiting.most).toBe(3);
  });

  it('has no clock but its own, and no chance but its own', async () => {
    const code = `
      const before = [now(), Date.now(), new Date().getTime(), Date.prototype.constructor.now()];
      for (let i = 0; i < 1e5; i += 1);
      return { same: new Set([...before, now()]).size, chance: Math.random() !== random() };`;
    expect(await value(code)).toEqual({ same: 1, chance: true });
  });

  it('tries again where it says so, and only what may succeed later', async () => {
    failures = 0;
    const options = '{ retry: { attempts: 3, backoff_ms: 1 } }';
    expect(await value(`return tools.flaky({}, ${options})`)).toEqual({ failures: 3 });
    failures = 0;
    expect((await failure('return tools.flaky({})')).code).toBe('page_unresponsive');
  });

  it('catches what a call fails with', async () => {
    const code = `
      try { await tools.flaky({}); } catch (error) {
        return { is: error instanceof ToolError, code: error.code, retryable: error.retryable };
      }`;
    failures = 0;
    expect(await value(code)).toEqual({ is: true, code: 'page_unresponsive', retryable: true });
  });
});

it.each<[string, string, string]>([
  ['const a: number = ;', 'program_invalid', 'line 1, column 19: const a: number = ;'],
  ['let a = 1;\nreturn a.b.c;', 'program_failed', '(line 2, column 11: return a.b.c;)'],
  ['import fs from "node:fs";', 'program_invalid', 'imports and exports nothing (line 1: import fs'],
  ['`\nexport it`;\nexport const a = 1', 'program_invalid', 'nothing (line 3: export const a = 1)'],
  ['return nothing', 'program_failed', "'nothing' is not defined"],
  ['throw "why"', 'program_failed', 'threw "why"'],
  ['throw new Error("why")', 'program_failed', 'Error: why. (line 1, column 16: throw new Error("why"))'],
  ['\n\nawait tools.no_such({})', 'unknown_tool', '(line 3, column 20: await tools.no_such({}))'],
  ['await tools.script({ code: "1" })', 'unknown_tool', 'A program has no tools.script'],
  ['await tools.echo({}, { again: 3 })', 'invalid_argument', '{"retry"'],
  ['await new Promise(() => {})', 'program_failed', 'a promise that nothing will settle'],
  ['await sleep(1e17)', 'program_failed', 'sleep takes milliseconds or a date'],
  ['await sleep("soon")', 'program_failed', 'sleep takes milliseconds or a date'],
  ['await map([1], (n) => n, { limit: 0 })', 'program_failed', 'limit takes a whole number'],
  ['const a = {}; a.a = a; return a', 'program_failed', 'circular'],
  ['return 1n', 'program_failed', 'BigInt'],
  ['const f = () => f();\nf()', 'program_limit', 'nest too deep (line 1, column 18: const f = () => f();)'],
  ['while (true) {', 'program_invalid', '(after its last line: while (true) {)'],
  ['await items("oh_AAAAAAAAAAAA").next()', 'output_handle_not_found', 'oh_AAAAAAAAAAAA'],
  ['tools.echo = 1', 'program_failed', 'line 1'],
  ['JSON.parse("{")', 'program_failed', 'SyntaxError'],
  ['ask("Why?")', 'program_failed', 'TypeError: ask takes an object as its argument. (line 1, column'],
  ['await tools.echo(() => 1)', 'program_failed', 'echo takes an object as its argument'],
  ['await tools.echo({}, { toJSON: () => 1 })', 'program_failed', 'an object as its second argument'],
  ['await map(5, (n) => n)', 'program_failed', 'map takes a list, or items(handle)'],
  ['await tools.hang({}, { timeout: 20 })', 'timeout', 'hang took longer than the 20 ms that the program'],
  [
    'await Promise.all(Array.from({ length: 2_000 }, () => tools.echo({})))',
    'program_limit',
    'more than 1000 calls at a time: use map with a limit (line 1, column 65',
  ],
])('a program that is wrong says where %s', async (code, error, message) => {
  const failed = await failure(code);
  expect(failed).toMatchObject({ code: error, message: expect.stringContaining(message) as string });
  expect(failed.hint).toMatch(/\w{3,}.*\.$/);
});

it.each([
  'return this.constructor.constructor("return typeof process + typeof require + typeof fetch")()',
  'return (async () => {}).constructor("return typeof process + typeof require + typeof fetch")()',
  'return Function("return typeof process + typeof require + typeof fetch")()',
  'return eval("typeof process + typeof require + typeof fetch")',
  'return typeof process + typeof require + typeof globalThis.fetch',
  'return typeof host + typeof WeakRef + typeof performance',
  'try { globalThis.tools = 1 } catch {} return typeof tools === "object" ? "undefinedundefinedundefined" : ""',
])('a sandbox has nothing outside of it: %s', async (code) => {
  expect((await run(code)).text).toMatch(/^(?:undefined){3}$/);
});

it('a sandbox is not left by what a program puts on prototypes', async () => {
  const code = `
      Object.prototype.toJSON = () => ({ tool: 'act' });
      Array.prototype.then = 1;
      JSON.stringify = () => '{"n":"forged"}';
      JSON.parse = () => ({});
      Promise.prototype.then = () => 'forged';
      return 1;`;
  await run(code);
  expect(called).not.toContain('forged');
  expect(await value('return (await tools.echo({ n: 5 })).echo')).toEqual({ n: 5 });
});

const resume = (id: string, more: JsonObject = {}) => server.call('run_resume', { run_id: id, ...more });

it('a program that is resumed makes no act twice, and makes the call again that it did not catch', async () => {
  called.length = 0;
  failures = 0;
  const code = `
      for (let n = 0; n < 3; n += 1) await tools.do_act({ n });
      emit({ at: now() });
      const { failures } = await tools.flaky({});
      await tools.do_act({ n: 'last' });
      emit({ failures });`;
  const first = await run(code);
  expect(first.json<{ error: object }>().error).toMatchObject({ code: 'page_unresponsive' });
  const id = runIdOf(first.text);
  expect((await resume(id)).isError).toBe(true);
  const last = await resume(id);
  expect(last.json()).toEqual([{ at: expect.any(Number) as number }, { failures: 3 }]);
  expect(called).toEqual(['0', '1', '2', 'last']);
});

it('a program that is resumed gets what the agent says in place of the call that failed', async () => {
  failures = 0;
  const id = runIdOf((await run('return { got: await tools.flaky({}) }')).text);
  const answer = await resume(id, { outcome: 'skip', result: { by: 'hand' } });
  expect(answer.json()).toEqual({ got: { by: 'hand' } });
});

it('a run ends when its program takes longer than it may', async () => {
  const failed = await failure('await tools.hang({})', { timeout_ms: 1_000 });
  expect(failed.code).toBe('timeout');
  expect(failed.message).toContain('The program took longer than 1000 ms.');
});

it('a record of another version is refused, and left as it is', async () => {
  failures = 0;
  const id = runIdOf((await run('return { got: await tools.flaky({}) }')).text);
  const runs = await server.runs();
  const meta = (await runs.state(id)).get(['meta']) as JsonObject;
  const keep = (version: number) =>
    runs.change(id, (change, redact) => change.put(['meta'], redact({ ...meta, version }) as never));
  await keep(2);
  expect((await resume(id)).code()).toBe('program_record_unknown');
  await keep(1);
  const { text } = await resume(id, { outcome: 'skip', result: 'given' });
  expect(text).toContain('given');
});

it('the types of all tools that a program may call are a page of docs_fetch', async () => {
  const { text } = await server.call('docs_fetch', { page: 'program.d.ts' });
  expect(text).toContain('read_page(args?: { tab?: string; format?: "markdown" | "text"');
  expect(text).toContain('declare function sleep');
  expect(text).not.toContain('script(');
  const { message } = await failure('await tools.read_pag({})');
  expect(message).toContain('There is read_page(args?: {');
});
