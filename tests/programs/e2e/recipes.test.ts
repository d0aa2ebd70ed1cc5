import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODES } from '../../../server/core/modes/loader.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { broken, called, OPEN, stepTools } from '../../support/recipes/step-tools.ts';

/* Recipes saved as code, through a whole server whose sandbox is the built one: as a recipe of steps, in every mode. */

let server: MemoryServer;
beforeEach(() => {
  called.length = 0;
  broken.is = false;
});
afterEach(() => server.close());

const { steps: _, output: __, ...HEAD } = OPEN;
const CODE = `
  interface Opened { readonly items: readonly { readonly url: string }[] }
  const { word, times }: { word: string; times: number } = input;
  const { items }: Opened = await tools.test_open({ text: 'say ' + word + ' ' + times + ' times', deep: [times] });
  const second = items[1].url;
  const { was } = await tools.test_break({ url: second });
  return { second, was };`;
const DONE = { second: 'https://example.org/2', was: 'whole' };

const start = async (options: Parameters<typeof startMemoryServer>[0] = {}): Promise<void> => {
  server = await startMemoryServer(options, stepTools());
};
const save = (code: string) => server.call('recipe_save', { code, definition: HEAD, replace: true });
const idOf = (text: string): string => /run_[A-Z2-7]{12}/.exec(text)?.[0] ?? '';

describe.each(MODES)('in mode $name', ({ name: mode }) => {
  beforeEach(() => start({ mode }));

  it('is done by its own tool and by recipe_run with the result of its steps', async () => {
    const saved = await save(CODE);
    expect(saved.isError, saved.text).toBe(false);
    await server.call('recipe_save', { definition: { ...OPEN, name: 'by_steps' } });
    const args = { word: 'hello' };
    const ways: readonly [string, JsonObject][] = [
      ['open-One', args],
      ['recipe_run', { name: 'open-One', args }],
      ['by_steps', args],
      ['recipe_run', { name: 'by_steps', args }],
    ];
    const results: unknown[] = [];
    for (const [tool, given] of ways) {
      const { raw } = await server.call(tool, { ...given, async: false });
      const { content, structuredContent } = raw;
      results.push({ content, structuredContent });
      expect(JSON.stringify(raw)).toContain('https://example.org/2');
    }
    for (const result of results) expect(result).toEqual(results[0]);
    expect(called).toHaveLength(8);
    expect(called[0]).toEqual({ text: 'say hello 2 times', deep: [2] });
    expect((await server.call('open-One', { word: 7 })).code()).toBe('invalid_argument');
    expect(called).toHaveLength(8);
  });
});

describe('a recipe of code', () => {
  beforeEach(() => start());

  it('is found and shown, and is journalled under its name', async () => {
    await save(CODE);
    expect((await server.call('recipe_get', { name: 'open-One' })).json()).toMatchObject({
      input_schema: HEAD['parameters'],
      definition: { version: 1, code: CODE },
    });
    expect((await server.call('recipe_search')).text).toContain('- open-One: Open one.');
    const answer = await server.call('open-One', { word: 'x' });
    expect(answer.json()).toEqual(DONE);
    expect(answer.notes).toContain('Untrusted page text from https://example.org/');
    const lines = (await server.call('oc_journal', { action: 'recent', count: 20 })).json<JsonObject[]>();
    expect(lines.filter(({ recipe }) => recipe === 'open-One')).toHaveLength(2);
  });

  it('that is edited meanwhile does not take the record of another call for its own', async () => {
    await save(CODE);
    broken.is = true;
    const run_id = idOf((await server.call('open-One', { word: 'x' })).text);
    await save(CODE.replace("'say '", "'tell '"));
    expect((await server.call('run_resume', { run_id })).code()).toBe('program_diverged');
  });

  it('calls no recipe, and answers an object whatever it returns', async () => {
    await save(`
      const codes = [];
      for (const [name, args] of [['open-One', { word: 'x' }], ['recipe_run', { name: 'open-One' }]])
        await tools[name](args).catch(({ code }) => codes.push(code));
      return codes;`);
    expect((await server.call('open-One', { word: 'x' })).json()).toEqual({
      value: ['recipe_invalid', 'recipe_invalid'],
    });
  });
});
