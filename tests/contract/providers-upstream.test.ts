import { afterEach, describe, expect, it } from 'vitest';
import type { ModeRow } from '../../server/core/registry/definition.ts';
import type { Logger } from '../../server/core/services.ts';
import type { PassedThrough, ProvidedRuntime } from '../../server/core/registry/runtime.ts';
import { MODES } from '../../server/modes/loader.ts';
import { produceJson } from '../../server/core/calls/produce.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { silentLogger } from '../support/app-options.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { testProvider, testTool } from '../support/test-provider.ts';

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const PASSED: PassedThrough = {
  passed: {
    content: [
      { type: 'text', text: 'api_key=sk-live-0123456789abcdef0123456789 stays as it came\u200b' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', description: 'theirs', size: 7 },
    ],
    structuredContent: { list: [1, 2], nested: { of: 'theirs' } },
    isError: false,
    meta: {
      'theirs.example/key': 1,
      'openai/outputTemplate': 'ui://evil',
      'io.modelcontextprotocol/related-task': { taskId: 't' },
    },
  },
};

describe.each(MODES.map(({ name }) => name))('a tool of another server in mode %s', (mode) => {
  const inputSchema: JsonObject = {
    type: 'object',
    properties: { path: { type: 'string', pattern: '^/' } },
    required: ['path'],
  };
  const outputSchema: JsonObject = {
    type: 'object',
    properties: { list: { type: 'array' } },
    required: ['list'],
  };

  it('shows what that server says, and passes through what it answers', async () => {
    const given: unknown[] = [];
    const run: ProvidedRuntime['run'] = async (args) => {
      given.push(args);
      return PASSED;
    };
    const row: Partial<ModeRow> = { description: 'Ours.', text: [], note: 'Ours.', execution: 'async' };
    const modes = MODES.map((each) => ({ ...each, rows: { ...each.rows, files_read: row } }));
    const does = 'Theirs.';
    const tool = testTool({ name: 'files_read', kind: 'upstream', run, inputSchema, outputSchema, does });
    server = await startMemoryServer({ mode }, { modes, providers: [testProvider('files', [tool])] });
    const { tools } = await server.client.listTools();
    const shown = tools.find(({ name }) => name === 'files_read');
    expect(shown?.outputSchema).not.toHaveProperty('required');
    expect(shown).toMatchObject({
      inputSchema,
      // Nothing is required: a question may replace a result.
      outputSchema: { type: 'object', properties: { list: { type: 'array' } } },
      description: 'Theirs.',
    });
    const { raw } = await server.call('files_read', { path: 'not a path', output_mode: 'handle' });
    expect(given).toEqual([{ path: 'not a path', output_mode: 'handle' }]);
    const { content, structuredContent, isError } = PASSED.passed;
    expect(raw.content).toEqual(content);
    expect(raw.structuredContent).toEqual(structuredContent);
    expect(raw.isError ?? false).toBe(isError);
    expect(raw._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: 't' } });
  });

  /** Calls a tool of each name, which does this. */
  const startAll = async (runs: Readonly<Record<string, ProvidedRuntime['run']>>): Promise<void> => {
    const tools = Object.entries(runs).map(([name, run]) => testTool({ name, kind: 'upstream', run }));
    server = await startMemoryServer({ mode }, { providers: [testProvider('files', tools)] });
  };
  const failing = (content: JsonObject[], structuredContent?: JsonObject) => async () => ({
    passed: { content, isError: true, ...(structuredContent === undefined ? {} : { structuredContent }) },
  });
  const text = (said: string): JsonObject => ({ type: 'text', text: said });
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

  it('that says of itself that it failed is passed through, with a reason where it gives none', async () => {
    await startAll({
      says: failing([text('no such file')]),
      shows: failing([picture]),
      object: failing([], { reason: 'full' }),
      nothing: failing([], {}),
      empty: failing([text('')], {}),
      blank: failing([text(' '), text('\n')], {}),
    });
    const call = async (name: string) => server?.call(name);
    expect((await call('says'))?.raw).toEqual({ content: [text('no such file')], isError: true });
    expect((await call('shows'))?.raw).toEqual({ content: [picture], isError: true });
    // Some clients read no objects.
    expect((await call('object'))?.json()).toEqual({ reason: 'full' });
    for (const name of ['nothing', 'empty', 'blank']) {
      const answer = await call(name);
      expect(answer?.isError).toBe(true);
      expect(answer?.json()).toMatchObject({
        error: { code: 'upstream_error', message: 'The other server gave no reason.', retryable: true },
      });
    }
  });

  it('fails with its cause', async () => {
    const caused = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    const throwing = (thrown: unknown) => (): never => {
      throw thrown;
    };
    const answering = (answer: unknown) => async () => answer as never;
    const malformed = (passed: object) => answering({ passed: { isError: false, ...passed } });
    const CASES: Readonly<Record<string, readonly [ProvidedRuntime['run'], RegExp]>> = {
      thrown_error: [throwing(new Error('the pipe broke')), /thrown_error: the pipe broke/],
      thrown_text: [throwing('no more'), /thrown_text: no more/],
      thrown_nothing: [throwing(undefined), /thrown_nothing: .*undefined/],
      rejects: [() => Promise.reject(new Error('the server left')), /rejects: the server left/],
      with_cause: [() => Promise.reject(caused), /fetch failed: connect ECONNREFUSED/],
      aborts: [() => Promise.reject(new DOMException('its own limit', 'AbortError')), /its own limit/],
      no_answer: [answering(undefined), /malformed/],
      a_text: [answering('hello'), /malformed/],
      as_ours: [async () => produceJson(1), /malformed/],
      no_list: [malformed({ content: 'hello' }), /malformed at content/],
      odd_block: [malformed({ content: ['hello'] }), /malformed at content\.0/],
      textless: [malformed({ content: [{ type: 'text' }] }), /content\.0\.text/],
      list_for_object: [malformed({ content: [], structuredContent: [] }), /structuredContent/],
    };
    await startAll(Object.fromEntries(Object.entries(CASES).map(([name, [run]]) => [name, run])));
    for (const [name, [, cause]] of Object.entries(CASES)) {
      const answer = await server?.call(name);
      const { error } =
        answer?.json<{ error: { code: string; message: string; retryable: boolean } }>() ?? {};
      expect(error).toMatchObject({ code: 'upstream_error', retryable: true });
      expect(error?.message).toMatch(cause);
      expect(error?.message.length).toBeLessThan(700);
    }
  });

  it('keeps a code that was given, and cannot load counts as its failure', async () => {
    const refused = new SpillwayError('call_denied', 'The person said no.');
    const tools = [
      testTool({ name: 'files_read', kind: 'upstream', run: () => Promise.reject(refused) }),
      {
        ...testTool({ name: 'files_lost', kind: 'upstream' }),
        runtime: () => Promise.reject(new Error('not installed')),
      },
    ];
    server = await startMemoryServer({ mode }, { providers: [testProvider('files', tools)] });
    expect((await server.call('files_read')).code()).toBe('call_denied');
    const lost = await server.call('files_lost');
    expect([lost.code(), lost.text]).toEqual([
      'upstream_error',
      expect.stringContaining('files_lost: not installed'),
    ]);
  });

  it('that promises structured content and answers none has failed, unless it says so itself', async () => {
    const answering = (name: string, isError: boolean) =>
      testTool({
        name,
        kind: 'upstream',
        outputSchema,
        run: async () => ({ passed: { content: [{ type: 'text', text: 'bare' }], isError } }),
      });
    const provider = testProvider('files', [answering('files_bare', false), answering('files_sorry', true)]);
    server = await startMemoryServer({ mode }, { providers: [provider] });
    // The client checks answers by the schemas of the list.
    await server.client.listTools();
    const bare = await server.call('files_bare');
    expect(bare.code()).toBe('upstream_error');
    expect(bare.text).toMatch(/files_bare: .*structuredContent/);
    expect((await server.call('files_sorry')).raw).toEqual({
      content: [{ type: 'text', text: 'bare' }],
      isError: true,
    });
  });

  it('whose schema no client accepts breaks no list; an equivalent schema is rewritten', async () => {
    const object = { type: 'object' } as const;
    const good: Readonly<Record<string, JsonObject>> = {
      true: { ...object, properties: { b: true, c: false, d: { type: 'string' } } },
      untyped: { properties: { a: {} }, required: ['a'] },
    };
    const bad: Readonly<Record<string, JsonObject>> = {
      required: { ...object, required: 'a' },
      numbered: { ...object, properties: { a: {} }, required: [1] },
      texts: { ...object, properties: { a: 'string' } },
      lists: { ...object, properties: { a: [] } },
      null: { ...object, properties: { a: null } },
      list: { type: ['object'] },
    };
    // Clients compile what they hold answers against.
    const uncompilable: Readonly<Record<string, JsonObject>> = {
      type: { ...object, properties: { a: { type: 'strin' } } },
      pattern: { ...object, properties: { a: { pattern: '(' } } },
      reference: { ...object, properties: { a: { $ref: '#/nope' } } },
    };
    const tools = Object.entries({ ...good, ...bad, ...uncompilable }).flatMap(([name, schema]) => [
      testTool({ name: `in_${name}`, kind: 'upstream', inputSchema: schema }),
      testTool({ name: `out_${name}`, kind: 'upstream', outputSchema: schema }),
      testTool({ name: `direct_${name}`, kind: 'direct', outputSchema: schema }),
    ]);
    const warnings: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (facts) => void warnings.push(String((facts as { err?: Error }).err?.message)),
    };
    server = await startMemoryServer({ mode, logger }, { providers: [testProvider('files', tools)] });
    const list = new Map((await server.client.listTools()).tools.map((tool) => [tool.name, tool]));
    const missing = tools.map(({ manifest }) => manifest.name).filter((name) => !list.has(name));
    expect(missing).toEqual(Object.keys(bad).map((name) => `in_${name}`));
    for (const name of Object.keys({ ...bad, ...uncompilable })) {
      expect(list.get(`out_${name}`)?.outputSchema).toBeUndefined();
      // Nothing was promised.
      expect((await server.call(`out_${name}`, { a: 1 })).raw.content).toEqual([
        { type: 'text', text: '{"a":1}' },
      ]);
    }
    const rewritten = { ...object, properties: { b: {}, c: { not: {} }, d: { type: 'string' } } };
    expect(list.get('in_true')?.inputSchema).toEqual(rewritten);
    expect(list.get('out_true')?.outputSchema).toEqual(rewritten);
    expect(list.get('in_untyped')?.inputSchema).toEqual({ ...object, ...good['untyped'] });
    expect(
      warnings.filter((each) => /its input schema .*(properties|required|type)/.test(each)),
    ).toHaveLength(6);
    expect(warnings.filter((each) => /its output schema/.test(each)).length).toBeGreaterThanOrEqual(9);
  });
});
