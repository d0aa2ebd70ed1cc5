import { constants, createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { sample } from '../../support/depth.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

/*
 * Attempts of a program to escape its sandbox, or to stop the server. A successful trick answers `got out`, which
 * neither its code nor an id contains. The same code without a sandbox proves that each can succeed.
 */

const OUT = 'got out';
/** Whether the code of a function found there sees this process. */
const SEES = JSON.stringify(`return typeof process === 'undefined' ? 'in' : 'got ' + 'out'`);
const PLANT = `globalThis.left = input.out; Object.prototype.left = input.out; Array.isArray.left = input.out; JSON.left = input.out`;
const HOST = String.raw`/node:|\.test\.ts|dist\//`;
let server: MemoryServer;
const denied: string[] = [];

beforeAll(async () => {
  const provider = testProvider('test', [
    testTool({ name: 'echo', kind: 'direct' }),
    testTool({
      name: 'forbidden',
      kind: 'direct',
      run: async () => produceJson({ result: OUT, times: denied.push('done') }),
    }),
  ]);
  server = await startMemoryServer(
    { syncWaitMs: 50_000 },
    {
      providers: [provider],
      gate: {
        check: async ({ definition }) => {
          if (definition.manifest.name === 'forbidden')
            throw new SpillwayError('call_denied', 'This tool is denied.');
          return { allow: true };
        },
      },
    },
  );
});

const run = (code: string) => server.call('script', { code, input: { out: OUT } });

/** The same in an unguarded Node context: it has the globals of this process, and every trick works. */
function unguarded(): (code: string) => Promise<unknown> {
  const { process, fetch, setTimeout, queueMicrotask, structuredClone, performance } = globalThis;
  const context = createContext({
    ...{ process, fetch, setTimeout, queueMicrotask, structuredClone, performance },
    input: { out: OUT },
    host: {},
    now: () => Date.now(),
  });
  runInContext(
    `globalThis.tools = { echo: async (echo) => ({ echo }) };
     for (const name of ['forbidden', 'script', 'run_status_internal']) tools[name] = async () => ({ result: input.out });`,
    context,
  );
  const options = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  return async (code) => {
    const answer: unknown = await runInContext(`(async () => {${code}\n})()`, context, options);
    return answer;
  };
}

/** The network, timers, shared memory, clocks, and what the prelude keeps. */
const GLOBALS =
  'process fetch setTimeout queueMicrotask structuredClone WebAssembly SharedArrayBuffer Atomics WeakRef FinalizationRegistry performance Intl host'.split(
    ' ',
  );

const WAYS_OUT: Readonly<Record<string, string>> = {
  'the constructor of a function': `return (() => {}).constructor(${SEES})()`,
  'the constructor of an async function': `return (async () => {}).constructor(${SEES})()`,
  'the constructor of a generator': `return (function* () {}).constructor(${SEES})().next().value`,
  'the constructor of an async generator': `return (await (async function* () {}).constructor(${SEES})().next()).value`,
  'the constructor of a tool': `return tools.echo.constructor(${SEES})()`,
  'the constructor of what a tool answers': `return (await tools.echo({})).constructor.constructor(${SEES})()`,
  'the constructor of an error': `try { await tools.no_such({}) } catch (e) { return e.constructor.constructor(${SEES})() }`,
  'the constructor of a promise': `return tools.echo({}).constructor.constructor(${SEES})()`,
  'the constructor of the clock': `return now.constructor(${SEES})()`,
  'the constructor of a date': `return new Date().constructor.constructor(${SEES})()`,
  'the constructor of the global object': `return globalThis.constructor.constructor(${SEES})()`,
  'the constructor of the input': `return input.constructor.constructor(${SEES})()`,
  'an indirect eval': `return (0, eval)('(() => {' + ${SEES} + '})()')`,
  'a function made by reflection': `return Reflect.construct(Reflect.getPrototypeOf(() => {}).constructor, [${SEES}])()`,
  'an import': `return import('node:fs').then(() => input.out, () => 'in')`,
  ...Object.fromEntries(
    GLOBALS.map((name) => [`the global ${name}`, `return typeof ${name} === 'undefined' ? 'in' : input.out`]),
  ),
  'a clock that advances': `const at = Date.now(); for (let n = 0; n < 1e5; n += 1) if (Date.now() !== at) return input.out; return 'in'`,
  'the clock of new dates': `const at = +new Date(); for (let n = 0; n < 1e5; n += 1) if (+new Date() !== at) return input.out; return 'in'`,
  'the clock behind the clock': `const { now } = Date.prototype.constructor; const at = now(); for (let n = 0; n < 1e5; n += 1) if (now() !== at) return input.out; return 'in'`,
  'paths of the host in a stack': `return ${HOST}.test(new Error('x').stack) ? input.out : 'in'`,
  'paths of the host in an error of a call': `try { await tools.no_such({}) } catch (e) { return ${HOST}.test(e.stack) ? input.out : 'in' }`,
  'another tools object': `try { tools = { echo: () => input.out } } catch {} return tools.echo({})`,
  'another tool': `try { tools.echo = () => input.out } catch {} return tools.echo({})`,
  'a defined property of tools': `try { Object.defineProperty(tools, 'echo', { value: () => input.out }) } catch {} return tools.echo({})`,
  'a prototype of tools': `try { Object.setPrototypeOf(tools, { other: () => input.out }) } catch {} return tools.other({})`,
  'a tool that is denied': `return (await tools.forbidden({})).result`,
  'the same by reflection': `return (await Reflect.get(tools, 'forbid' + 'den')({})).result`,
  'the same as a callback': `return (await Promise.all([{}].map(tools.forbidden)))[0].result`,
  'a program in a program': `return (await tools.script({ code: 'return input' })).result`,
  'a tool that only widgets call': `return (await tools.run_status_internal({})).result`,
  'what an earlier program left': `return globalThis.left ?? 'in'`,
  'what it left on a prototype': `return {}.left ?? 'in'`,
  'what it left on a function': `return Array.isArray.left ?? JSON.left ?? 'in'`,
};

describe('a way out', () => {
  beforeAll(() => run(PLANT));

  it.each(Object.entries(WAYS_OUT))('%s', async (_, code) => {
    expect((await run(code)).text).not.toContain(OUT);
    expect(denied).toEqual([]);
    const outside = unguarded();
    await outside(PLANT);
    expect(await outside(code)).toBe(OUT);
  });
});

describe('a secret of another session', () => {
  const token = `ghp_${'a1B2c3'.repeat(6)}`;
  beforeAll(async () => {
    const keeps = `
      globalThis.left = input.token;
      log(input.token);
      await tools.echo({ token: input.token });
      emit(input.token);
      return { has: input.token.length };`;
    const { notes } = await callTool(await server.connect(), 'script', { code: keeps, input: { token } });
    expect(notes).toContain(String(token.length));
  });

  it.each(['run_list', 'run_output', 'run_log', 'oc_journal'])('is not in %s', async (tool) => {
    const code = `
      const { runs } = await tools.run_list({});
      return tools.${tool}({ run_list: {}, oc_journal: { action: 'recent', count: 100 } }.${tool} ?? { run_id: runs.at(-1).run_id });`;
    const { text, isError } = await run(code);
    expect(isError, text).toBe(false);
    expect(text).not.toContain(token);
  });

  it('is not in the memory of a sandbox', async () => {
    const code = `
      const bytes = new Uint8Array(2 ** 24);
      return bytes.some(Boolean) || 'left' in globalThis || JSON.stringify(input).includes('ghp_')`;
    expect((await run(code)).text).toBe('false');
  });
});

/** Ended with this code, or answers this. */
type Burdens = Readonly<Record<string, Readonly<Record<string, string>>>>;
const each = (burdens: Burdens) =>
  Object.entries(burdens).flatMap(([end, codes]) =>
    Object.entries(codes).map(([name, code]) => [name, code, new RegExp(end)] as const),
  );

/** They burn their five seconds of CPU, or nearly: the gate has one of them. */
const LONG: Burdens = {
  'program_limit.*5 seconds': {
    'jobs that catch their interruption': `const burn = async () => { for (;;); }; for (;;) await burn().catch(() => null)`,
    'a regular expression that never ends': `return /^(a|a)*$/.test('a'.repeat(64) + 'b')`,
    'an answer that computes without end': `return { toJSON() { for (;;); } }`,
  },
  program_limit: {
    'a chain of jobs without end': `const again = () => Promise.resolve().then(again); await again()`,
    'jobs without end': `const again = () => { Promise.resolve().then(again) }; await new Promise(again)`,
    'calls without end, job by job': `const f = async () => { await null; await f() }; await f()`,
    'data without end': `let deep = []; for (let n = 0; n < 1e6; n += 1) deep = [deep]; return deep`,
  },
  'program_limit.*64 MiB': { 'a list that grows': `const all = []; for (;;) all.push(Array(1e5).fill(1))` },
};

const BURDENS: Burdens = {
  program_failed: {
    'a promise that never settles': `await new Promise(() => {})`,
    'a thenable that never settles': `await { then() {} }`,
    'a stack of its own': `const error = new Error('x'); error.stack = 'program.ts:9999:9999'; throw error`,
  },
  'program_limit.*more than 1000 calls': { 'a million calls': `for (let n = 1e6; n--; ) tools.echo({ n })` },
  'program_limit.*too deep': {
    'a stack without end': `const f = () => [f()]; return f()`,
    'arguments without end': `const nest = (depth) => { let deep = {}; for (let n = 0; n < depth; n += 1) deep = { deep }; return deep; };
     await tools.echo(nest(4e3)).catch(() => 0); emit(nest(4e3)); return tools.echo(nest(1e5))`,
  },
  program_limit: {
    'a text that doubles': `let text = 'x'; for (;;) text += text`,
    'an item of 128 MiB': `emit('x'.repeat(2 ** 27)); return 'kept'`,
  },
  logged: { 'a log without end': `for (let n = 0; n < 1e4; n += 1) log('x'.repeat(1e3)); return 'logged'` },
  'no keys': {
    'arguments that throw': `return tools.echo(new Proxy({}, { ownKeys() { throw new Error('no keys') } }))`,
  },
  forged: { 'the forged place of an error': `throw Object.assign(new Error('forged'), { place: 1 })` },
  echo: {
    'prototypes in arguments': `return tools.echo(JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'))`,
  },
  '"a":1': { 'prototypes in items': `emit(JSON.parse('{"a":1,"__proto__":{"polluted":"yes"}}'))` },
  kept: { 'every object is a thenable': `Object.prototype.then = (f) => f('kept'); return tools.echo({})` },
};

it.each([...sample(each(LONG), each(LONG).length), ...sample(each(BURDENS), 5)])(
  'a burden %s',
  { timeout: 240_000 },
  async (_, code, end) => {
    const started = await server.call('script', { code, async: true });
    const { run_id } = started.json<{ run_id: string }>();
    const ended = async (): Promise<string> => {
      const { text } = await server.call('run_status', { run_id });
      expect(text).not.toMatch(/"status":"(?:queued|running)"/);
      return text;
    };
    const status = await vi.waitFor(ended, { timeout: 200_000, interval: 20 });
    const { text } = await server.call('run_output', { run_id, offset: 0 });
    expect(status + text).toMatch(end);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const after = await run('return (await tools.echo({ n: 1 })).echo');
    expect(after.json()).toEqual({ n: 1 });
  },
);
