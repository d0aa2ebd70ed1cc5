import { describe, expect, it } from 'vitest';
import type { ModeRow, PassedThrough, ProvidedRuntime } from '../../../server/core/registry/definition.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { sample } from '../../support/depth.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

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

describe.each(sample(MODES.map(({ name }) => name).toReversed(), MODES.length))(
  'a tool of another server in mode %s',
  (mode) => {
    const path = { type: 'string', pattern: '^/' };
    const properties = { path, 'at<': { description: 'Until.' }, at_: {} };
    const inputSchema: JsonObject = { type: 'object', properties, required: ['at<', 'path'] };
    const until = { description: 'Until. Sent as "at<".' };
    const array = { type: 'array' };
    const outputSchema: JsonObject = { type: 'object', properties: { list: array }, required: ['list'] };

    it('shows that server’s descriptions, gets arguments by its names, and passes its answers through', async () => {
      const given: unknown[] = [];
      const run: ProvidedRuntime = async (args) => {
        given.push(args);
        return PASSED;
      };
      const row: Partial<ModeRow> = { description: 'Ours.', keys: [], execution: 'async' };
      const modes = MODES.map((each) => ({ ...each, rows: { ...each.rows, files_read: row } }));
      const does = 'Theirs.';
      const tool = testTool({ name: 'files_read', kind: 'upstream', run, inputSchema, outputSchema, does });
      const server = await startMemoryServer({ mode }, { modes, providers: [testProvider('files', [tool])] });
      const { tools } = await server.client.listTools();
      const shown = tools.find(({ name }) => name === 'files_read');
      expect(shown?.outputSchema).not.toHaveProperty('required');
      const names = { properties: { path, at__2: until, at_: {} }, required: ['at__2', 'path'] };
      expect(shown?.inputSchema).toEqual({ type: 'object', ...names });
      expect(shown).toMatchObject({
        // Nothing is required: a question may replace a result.
        outputSchema: { type: 'object', properties: { list: array } },
        description: 'Theirs.',
      });
      const args = { path: 'not a path', output_mode: 'handle', at_: 1 };
      const { raw } = await server.call('files_read', { ...args, at__2: 2 });
      expect(given).toEqual([{ ...args, 'at<': 2 }]);
      const { content, structuredContent } = PASSED.passed;
      const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' } };
      const { isError = false, ...answer } = raw;
      expect({ ...answer, isError }).toEqual({ content, structuredContent, _meta, isError: false });
    });

    const text = (said: string): JsonObject => ({ type: 'text', text: said });

    it('fails with its cause', async () => {
      const caused = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
      const throwing = (thrown: unknown) => (): never => {
        throw thrown;
      };
      const CASES: Readonly<Record<string, readonly [ProvidedRuntime, RegExp]>> = {
        thrown_error: [throwing(new Error('the pipe broke')), /thrown_error: the pipe broke/],
        with_cause: [() => Promise.reject(caused), /fetch failed: connect ECONNREFUSED/],
        as_ours: [async () => produceJson(1), /malformed/],
      };
      const tools = Object.entries(CASES).map(([name, [run]]) => testTool({ name, kind: 'upstream', run }));
      const server = await startMemoryServer({ mode }, { providers: [testProvider('files', tools)] });
      for (const [name, [, cause]] of Object.entries(CASES)) {
        const { error } = (await server.call(name)).json<{ error: { message: string } }>();
        expect(error).toMatchObject({ code: 'upstream_error', retryable: name !== 'as_ours' });
        expect(error.message).toMatch(cause);
        expect(error.message.length).toBeLessThan(700);
      }
    });

    it('that promises structured content and answers none has failed, unless it says so itself', async () => {
      const answering = (name: string, isError: boolean) => {
        const run: ProvidedRuntime = async () => ({ passed: { content: [text('bare')], isError } });
        return testTool({ name, kind: 'upstream', outputSchema, run });
      };
      const tools = [answering('files_bare', false), answering('files_sorry', true)];
      const server = await startMemoryServer({ mode }, { providers: [testProvider('files', tools)] });
      // The client checks answers by the schemas of the list.
      await server.client.listTools();
      const bare = await server.call('files_bare');
      expect(bare.code()).toBe('upstream_error');
      expect(bare.text).toMatch(/files_bare: .*structuredContent/);
      expect((await server.call('files_sorry')).raw).toEqual({ content: [text('bare')], isError: true });
    });

    it('whose schema no client accepts is left out, or promises nothing, and breaks no list', async () => {
      const schema: JsonObject = { type: 'object', required: 'a' };
      const tools = [
        testTool({ name: 'in_bad', kind: 'upstream', inputSchema: schema }),
        testTool({ name: 'out_bad', kind: 'upstream', outputSchema: schema }),
        testTool({ name: 'in_bare', kind: 'upstream', inputSchema: { properties: { b: true } } }),
        testTool({ name: 'in_none', kind: 'upstream', inputSchema: { type: 'object' } }),
      ];
      const server = await startMemoryServer({ mode }, { providers: [testProvider('files', tools)] });
      const list = new Map((await server.client.listTools()).tools.map((tool) => [tool.name, tool]));
      expect(list.has('in_bad')).toBe(false);
      expect(list.get('in_bare')?.inputSchema).toEqual({ type: 'object', properties: { b: {} } });
      expect(list.get('in_none')?.inputSchema).toEqual({ type: 'object', properties: {} });
      expect(list.get('out_bad')?.outputSchema).toBeUndefined();
      expect((await server.call('out_bad', { a: 1 })).raw.content).toEqual([text('{"a":1}')]);
    });
  },
);
