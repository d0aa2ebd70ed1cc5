import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

/*
 * What a program tries that wants out of its sandbox, or wants to stop the server. A trick that works says `got out`, which neither
 * its code nor an id contains; each may end in any other way, and after it the server answers, with nothing of its own changed.
 */

const OUT = 'got out';
let server: MemoryServer;
const denied: string[] = [];

const json = (value: JsonObject) => ({
  payload: { kind: 'json' as const, mimeType: MIME.json, value },
  done: Promise.resolve({ state: {}, coverage: [] }),
});

beforeAll(async () => {
  const provider = testProvider('test', [
    testTool({ name: 'echo', kind: 'direct' }),
    testTool({
      name: 'forbidden',
      kind: 'direct',
      run: async () => {
        denied.push('done');
        return json({ result: OUT });
      },
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
afterAll(() => server.close());

/** Whether the code of a function that was found sees this process. */
const SEES = `return typeof process !== 'undefined' || typeof require !== 'undefined' || typeof fetch !== 'undefined' ? 'got ' + 'out' : 'in'`;
const asText = JSON.stringify(SEES);

const TRICKS: readonly (readonly [name: string, code: string])[] = [
  ['the constructor of a function', `return (() => {}).constructor(${asText})()`],
  ['the constructor of an async function', `return await (async () => {}).constructor(${asText})()`],
  ['the constructor of a generator', `return (function* () {}).constructor(${asText})().next().value`],
  [
    'the constructor of an async generator',
    `return (await (async function* () {}).constructor(${asText})().next()).value`,
  ],
  ['the constructor of a tool', `return tools.echo.constructor(${asText})()`],
  [
    'the constructor of what a tool answers',
    `return (await tools.echo({})).constructor.constructor(${asText})()`,
  ],
  [
    'the constructor of an error',
    `try { await tools.forbidden({}) } catch (e) { return e.constructor.constructor(${asText})() }`,
  ],
  ['the constructor of a promise', `return tools.echo({}).constructor.constructor(${asText})()`],
  ['the constructor of the clock', `return now.constructor(${asText})()`],
  ['the constructor of a date', `return new Date().constructor.constructor(${asText})()`],
  ['the constructor of this', `return (function () { return this })?.constructor(${asText})()`],
  ['an indirect eval', `return (0, eval)('(() => {' + ${asText} + '})()')`],
  ['what functions were called by', `const f = () => f.caller ?? f.arguments; return f() ? input.out : 'in'`],
  ['an import', `return await import('node:fs').then(() => input.out, () => 'in')`],
  [
    'the modules of Node',
    `return typeof module + typeof exports + typeof __dirname === 'undefinedundefinedundefined' ? 'in' : input.out`,
  ],
  [
    'the globals of QuickJS',
    `return typeof std + typeof os + typeof scriptArgs === 'undefinedundefinedundefined' ? 'in' : input.out`,
  ],
  [
    'workers and shared memory',
    `return typeof Worker + typeof SharedArrayBuffer + typeof Atomics === 'undefinedundefinedundefined' ? 'in' : input.out`,
  ],
  ['WebAssembly', `return typeof WebAssembly === 'undefined' ? 'in' : input.out`],
  ['timers', `return typeof setTimeout + typeof setInterval + typeof queueMicrotask`],
  [
    'the host object of the prelude',
    `return typeof host === 'undefined' && typeof call === 'undefined' ? 'in' : input.out`,
  ],
  [
    'another tools object',
    `try { globalThis.tools = { echo: () => input.out } } catch {} return await tools.echo({ n: 1 })`,
  ],
  [
    'a defined property of tools',
    `try { Object.defineProperty(tools, 'echo', { value: () => input.out }) } catch {} return await tools.echo({ n: 1 })`,
  ],
  [
    'a prototype of tools',
    `try { Object.setPrototypeOf(tools, { echo: () => input.out }) } catch {} return await tools.echo({ n: 1 })`,
  ],
  [
    'a Proxy around what is sent',
    `const spy = new Proxy({}, { get: (_, name) => name === 'toJSON' ? undefined : input.out, ownKeys: () => [] }); return await tools.echo(spy)`,
  ],
  [
    'a Proxy that never ends',
    `const spy = new Proxy({}, { ownKeys() { throw new Error('no') } }); return await tools.echo(spy)`,
  ],
  [
    'a prototype in arguments',
    `return await tools.echo(JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'))`,
  ],
  ['a prototype in the result', `return JSON.parse('{"__proto__":{"polluted":"yes"}}')`],
  ['a prototype in items', `emit(JSON.parse('{"__proto__":{"polluted":"yes"}}')); return 'in'`],
  ['toJSON of everything', `Object.prototype.toJSON = () => ({ own: 1 }); return 'in'`],
  [
    'then of every object',
    `Object.prototype.then = (resolve) => resolve('in'); return await tools.echo({ n: 1 })`,
  ],
  ['the place of an error', `const error = new Error('forged'); error.place = 1; throw error`],
  [
    'a stack of its own',
    `Error.prepareStackTrace = () => input.out; const e = new Error('x'); e.stack = 'program.ts:9999:9999'; throw e`,
  ],
  ['a tool that is denied', `return await tools.forbidden({})`],
  ['the same under another name', `return await tools['forbid' + 'den']({})`],
  ['the same by reflection', `return await Reflect.get(tools, 'forbidden')({})`],
  ['a program in a program', `return await tools.script({ code: "return 7" })`],
  ['a tool that only widgets call', `return await tools.run_status_internal({})`],
  [
    'an output of another session',
    `const all = []; for await (const one of items('oh_AAAAAAAAAAAA')) all.push(one); return input.out`,
  ],
  [
    'the program of another session',
    `return (await tools.run_output({ run_id: 'run_AAAAAAAAAAAA' })) && input.out`,
  ],
  [
    'a secret by its name',
    `const { echo } = await tools.echo({ value: 'secret:BANK' }); return echo.value === 'secret:BANK' ? 'in' : input.out`,
  ],
  ['a promise that never settles', `await new Promise(() => {})`],
  ['a thenable that never settles', `await { then() {} }`],
  ['a million calls', `for (let n = 0; n < 1e6; n += 1) tools.echo({ n })`],
  [
    'more calls than a program may make',
    `const all = []; for (let n = 0; n < 1001; n += 1) all.push(sleep(1)); await Promise.all(all)`,
  ],
  ['a stack without end', `const f = () => [f()]; return f()`],
  ['a text that doubles', `let text = 'x'; for (;;) text += text`],
  ['a list that grows', `const all = []; for (;;) all.push(new Array(1e5).fill(1))`],
  ['a log without end', `for (let n = 0; n < 1e4; n += 1) log('x'.repeat(1e3)); return 'in'`],
  ['a jobs queue without end', `const again = () => Promise.resolve().then(again); await again()`],
  ['a regular expression that never ends', `return /^(a|a)*$/.test('a'.repeat(64) + 'b')`],
];

describe('a trick', () => {
  it.each(TRICKS)('%s', { timeout: 240_000 }, async (_, code) => {
    const started = await server.call('script', { code, input: { out: OUT }, async: true });
    const { run_id } = started.json<{ run_id: string }>();
    const ended = async (): Promise<string> => {
      const { text } = await server.call('run_status', { run_id });
      expect(text).not.toMatch(/"status":"(?:queued|running)"/);
      return text;
    };
    const status = await vi.waitFor(ended, { timeout: 200_000, interval: 20 });
    const { text } = await server.call('run_output', { run_id, offset: 0 });
    expect(status + text).not.toContain(OUT);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(denied).toEqual([]);
    const after = await server.call('script', { code: 'return (await tools.echo({ n: 1 })).echo' });
    expect(after.json()).toEqual({ n: 1 });
  });
});
