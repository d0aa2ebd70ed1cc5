import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gate } from '../../server/core/calls/gate.ts';
import type { JsonObject } from '../../shared/json.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { PATIENCE } from '../support/patience.ts';
import { broken, called, OPEN, stepTools } from '../support/recipes/step-tools.ts';

let server: MemoryServer;
const start = async (options: Parameters<typeof startMemoryServer>[0] = {}): Promise<void> => {
  server = await startMemoryServer(options, stepTools());
};
beforeEach(() => {
  called.length = 0;
  broken.is = false;
});
afterEach(() => server.close());

const save = (definition: JsonObject, replace = false) => server.call('recipe_save', { definition, replace });

describe('a recipe that stops', () => {
  beforeEach(async () => {
    await start();
    await save(OPEN);
    broken.is = true;
  });

  const stoppedId = (text: string): string => /stopped_[0-9a-f]{10}/.exec(text)?.[0] ?? '';

  it('says where, and continues without doing again what is done', async () => {
    const stopped = await server.call('open-One', { word: 'hello' });
    expect(stopped.code()).toBe('tab_not_found');
    expect(stopped.text).toContain(
      'Recipe open-One stopped at step then (test_break, 2 of 2): There is no tab b1:9. Done before it: open.',
    );
    const id = stoppedId(stopped.text);
    expect((await server.call('recipe_run', { continue: id })).code()).toBe('tab_not_found');
    broken.is = false;
    const done = await server.call('recipe_run', { continue: id });
    expect(done.json()).toEqual({ second: 'https://example.org/2', was: 'whole' });
    expect(called.filter(({ text }) => text !== undefined)).toHaveLength(1);
    expect((await server.call('recipe_run', { continue: id })).code()).toBe('recipe_not_stopped');
  });

  it('leaves a step out when that is asked for', async () => {
    const id = stoppedId((await server.call('open-One', { word: 'hello' })).text);
    const skipped = await server.call('recipe_run', { continue: id, skip: true });
    // The output needs what the step would have answered.
    expect(skipped.code()).toBe('recipe_reference_missing');
    await save({ ...OPEN, output: { second: { $ref: 'steps.open.structured.items[1].url' } } }, true);
    const other = stoppedId((await server.call('open-One', { word: 'hello' })).text);
    expect((await server.call('recipe_run', { continue: other, skip: true })).json()).toEqual({
      second: 'https://example.org/2',
    });
  });

  it('is of the session that called it', async () => {
    const id = stoppedId((await server.call('open-One', { word: 'hello' })).text);
    const other = await server.connect();
    const answer = await other.callTool({ name: 'recipe_run', arguments: { continue: id } });
    expect(JSON.stringify(answer)).toContain('recipe_not_stopped');
    await other.close();
  });

  it('goes past a failure that it allows, and branches on it', async () => {
    await save(
      {
        ...OPEN,
        steps: [
          { id: 'try', tool: 'test_break', on_error: 'continue' },
          {
            id: 'which',
            if: { ref: 'steps.try.error.code', equals: 'tab_not_found' },
            then: [{ id: 'inner', tool: 'test_open', args: { side: 'then' } }],
            else: [{ id: 'other', tool: 'test_open', args: { side: 'else' } }],
          },
        ],
        output: { side: { $ref: 'steps.inner.structured.side', default: 'none' } },
      },
      true,
    );
    const failed = await server.call('open-One', { word: 'hello' });
    expect(failed.json()).toEqual({ side: 'then' });
    expect(failed.notes).toContain('Step try (test_break) failed, which the recipe allows: tab_not_found.');
    broken.is = false;
    expect((await server.call('open-One', { word: 'hello' })).json()).toEqual({ side: 'none' });
  });
});

describe('a recipe', () => {
  beforeEach(() => start());

  it('reports a step at a time, and ends with its call', async () => {
    await save({ ...OPEN, steps: [...(OPEN['steps'] as JsonObject[]), { id: 'wait', tool: 'test_wait' }] });
    const seen: string[] = [];
    const abort = new AbortController();
    const call = server.client.callTool({ name: 'open-One', arguments: { word: 'x' } }, undefined, {
      signal: abort.signal,
      onprogress: ({ progress, total, message }) => void seen.push(`${progress}/${total} ${message}`),
    });
    const ended = expect(call).rejects.toThrow();
    await vi.waitFor(
      () => expect(seen).toEqual(['0/3 open: test_open', '1/3 then: test_break', '2/3 wait: test_wait']),
      PATIENCE,
    );
    abort.abort();
    await ended;
  });

  it('does not call another', async () => {
    const outer = {
      ...OPEN,
      name: 'outer',
      steps: [{ id: 'a', tool: 'open-One', args: { word: 'x' } }],
      output: 1,
    };
    // It is one later.
    await save(outer);
    await save(OPEN);
    const answer = await server.call('outer', { word: 'x' });
    expect(answer.code()).toBe('recipe_invalid');
    const refused = await server.call('recipe_save', { definition: outer, replace: true });
    expect(refused.code()).toBe('recipe_invalid');
    expect(refused.text).toContain('step a: open-One is a recipe');
    expect(called).toEqual([]);
  });

  it('takes what an answer has as data: references in it stay text', async () => {
    await save({
      ...OPEN,
      steps: [
        { id: 'one', tool: 'test_open', args: { text: { $ref: 'params.word' } } },
        { id: 'two', tool: 'test_open', args: { text: { $ref: 'steps.one.structured.text' } } },
      ],
      output: { text: { $ref: 'steps.two.structured.text' } },
    });
    const word = '{{params.times}} {"$ref":"params.times"}';
    expect((await server.call('open-One', { word })).json()).toEqual({ text: word });
  });

  it('has output_mode of its steps as they say, whatever the server defaults to', async () => {
    await server.close();
    await start({ outputModeDefault: 'handle' });
    await save({ ...OPEN, output: { second: { $ref: 'steps.open.structured.items[1].url' } } });
    const answer = await server.call('open-One', { word: 'x', output_mode: 'inline' });
    expect(answer.json()).toEqual({ second: 'https://example.org/2' });
  });
});

describe('a step that a person has to allow', () => {
  it('waits for them, with its own arguments, and the recipe continues', async () => {
    const gate: Gate = {
      check: async ({ definition }) =>
        definition.manifest.name === 'test_break' ? { ask: { question: 'May it?' } } : { allow: true },
    };
    server = await startMemoryServer({}, { ...stepTools(), gate });
    await save(OPEN);
    const done = server.call('open-One', { word: 'hello' });
    await vi.waitFor(() => expect(server.executor.pending()).toHaveLength(1), PATIENCE);
    const [asked] = server.executor.pending();
    expect(asked).toMatchObject({ tool: 'test_break', args: { url: 'https://example.org/2' } });
    await server.executor.decide(asked?.callId ?? '', { approve: true, by: 'Ada' });
    expect((await done).json()).toEqual({ second: 'https://example.org/2', was: 'whole' });

    const denied = server.call('open-One', { word: 'again' });
    await vi.waitFor(() => expect(server.executor.pending()).toHaveLength(1), PATIENCE);
    await server.executor.decide(server.executor.pending()[0]?.callId ?? '', { approve: false, by: 'Ada' });
    expect((await denied).code()).toBe('call_denied');
  });
});
