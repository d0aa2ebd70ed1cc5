import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { broken, called, OPEN, stepTools } from '../../support/recipes/step-tools.ts';

let server: MemoryServer;
const start = async (options: Parameters<typeof startMemoryServer>[0] = {}): Promise<void> => {
  server = await startMemoryServer(options, stepTools());
};
beforeEach(() => {
  called.length = 0;
  broken.is = false;
});

const save = (definition: JsonObject, replace = false) => server.call('recipe_save', { definition, replace });
const folder = (): string => join(server.home, 'recipes');

describe('a recipe that is saved', () => {
  beforeEach(() => start());

  it('is a private file, and a tool under its own name, whose steps are journalled with it', async () => {
    const answer = await save(OPEN);
    expect(answer.json()).toMatchObject({ saved: 'open-One', input_schema: { required: ['word'] } });
    expect(await readdir(folder())).toEqual(['open-One.json']);
    const { mode } = await stat(join(folder(), 'open-One.json'));
    expect(mode & 0o777).toBe(0o600);
    const { tools } = await server.client.listTools();
    const tool = tools.find(({ name }) => name === 'open-One');
    const takes = Object.keys(tool?.inputSchema.properties ?? {}).join(' ');
    expect(takes).toBe('word times async output_mode output_inline_limit_bytes');

    const result = await server.call('open-One', { word: 'hello' });
    expect(result.json()).toEqual({ second: 'https://example.org/2', was: 'whole' });
    expect(result.notes).toContain('Untrusted page text from https://example.org/');
    expect(called).toEqual([{ text: 'say hello 2 times', deep: [2] }, { url: 'https://example.org/2' }]);
    const lines = (await server.call('oc_journal', { action: 'recent', count: 20 })).json<JsonObject[]>();
    const steps = lines.filter(({ recipe }) => recipe === 'open-One');
    expect(steps.map(({ tool: name }) => name).sort()).toEqual(['test_break', 'test_open']);
  });

  it('is found, shown and deleted', async () => {
    await save(OPEN);
    const found = await server.call('recipe_search', { query: 'second item of an address' });
    expect(found.text).toContain(
      '- open-One: Open one. Opens one address and names the second item. (2 steps, parameters ["word","times"])',
    );
    expect((await server.call('recipe_get', { name: 'open-One' })).json()).toMatchObject({
      input_schema: OPEN['parameters'],
      output_schema: { type: 'object', required: ['second', 'was'] },
    });
    const deleted = await server.call('recipe_delete', { name: 'open-One' });
    expect(deleted.json()).toEqual({ deleted: 'open-One' });
    expect(await readdir(folder())).toEqual([]);
    expect((await server.call('open-One', { word: 'hello' })).code()).toBe('unknown_tool');
    expect((await server.call('recipe_run', { name: 'open-One' })).code()).toBe('recipe_not_found');
  });

  it('does not take the place of a tool of another server, in whose recipes it changes nothing', async () => {
    await save(OPEN);
    await writeFile(join(folder(), 'test_open.json'), JSON.stringify({ ...OPEN, name: 'test_open' }));
    const problem = 'name: "test_open" is the name of a tool';
    await vi.waitFor(async () => {
      const { text } = await server.call('recipe_search');
      expect(text).toContain(`test_open.json is skipped: ${problem}`);
      expect(text).not.toContain('- test_open: ');
    }, PATIENCE);
    const inJson = problem.replaceAll('"', '\\"');
    for (const name of ['recipe_run', 'recipe_get'])
      expect((await server.call(name, { name: 'test_open' })).text).toContain(`cannot be used: ${inJson}`);
    expect((await save({ ...OPEN, name: 'test_open' }, true)).text).toContain(inJson);
    expect((await server.call('open-One', { word: 'hello' })).isError).toBe(false);
    expect((await server.call('recipe_delete', { name: 'test_open' })).isError).toBe(false);
    expect(await readdir(folder())).toEqual(['open-One.json']);
  });

  const TAKEN = { type: 'object', properties: { async: { type: 'boolean' } } };
  const step = (tool: string, args: JsonObject): JsonObject[] => [{ id: 'a', tool, args }];
  it.each<[JsonObject, string]>([
    [{ name: 'tabs' }, 'name: "tabs" is the name of a tool'],
    [{ name: '../evil' }, 'name: takes 1 to 64 letters'],
    [
      { steps: Array.from({ length: 101 }, (_, at) => ({ id: `s${at}`, tool: 'tabs', args: {} })) },
      'steps: ',
    ],
    [{ parameters: TAKEN, output: 1 }, 'parameters.properties.async: every recipe takes this already'],
    [
      { steps: step('test_open', { x: { $ref: 'steps.b.ok' } }) },
      'steps[0].args.x: "steps.b.ok" names no earlier step',
    ],
    [{ output: '{{params.nothing}}' }, 'output: "params.nothing" names a parameter'],
    [{ steps: step('recipe_run', {}), output: 1 }, 'a recipe cannot call recipe_run'],
  ])('is refused: $1', async (changes, message) => {
    const answer = await save({ ...OPEN, ...changes });
    expect(answer.code()).toBe('recipe_invalid');
    expect(answer.text).toContain(JSON.stringify(message).slice(1, -1));
    expect(await readdir(server.home)).not.toContain('recipes');
  });

  it('is refused where its code is wrong, with the place', async () => {
    const { steps: _, output: __, ...definition } = OPEN;
    const wrong = (code: string) => server.call('recipe_save', { code, definition });
    const answer = await wrong('const a = 1;\nconst b: number = ;');
    expect(answer.code()).toBe('program_invalid');
    expect(answer.text).toContain('line 2, column 19: const b: number = ;');
    expect(answer.text).not.toContain('script');
    const secret = await wrong("const key = 'sk_live_51H8xkqJ2eZvKYlo2C9aBcDeFgHiJkLmNoPq';");
    expect(secret.code()).toBe('recipe_has_secret');
    const unfit = { code: 'return 1' };
    for (const definition of [OPEN, { title: 'No name' }])
      expect((await server.call('recipe_save', { ...unfit, definition })).code()).toBe('recipe_invalid');
    expect(await readdir(server.home)).not.toContain('recipes');
  });

  it('is replaced only when that is asked for', async () => {
    await save(OPEN);
    expect((await save({ ...OPEN, title: 'Other' })).code()).toBe('recipe_exists');
    expect((await save({ ...OPEN, title: 'Other' }, true)).isError).toBe(false);
    expect(await readFile(join(folder(), 'open-One.json'), 'utf8')).toContain('"title": "Other"');
  });
});

describe('a secret in a recipe', () => {
  beforeEach(() => start());

  const PASSWORD = 'hunter2-abcdef';
  const acts = (args: JsonObject): JsonObject => ({
    ...OPEN,
    parameters: { type: 'object', properties: { password: { type: 'string' } } },
    steps: [{ id: 'a', tool: 'interact', args }],
    output: 1,
  });

  it('is refused, also in a text and as the default of a parameter', async () => {
    for (const args of [
      { fields: { Password: PASSWORD } },
      { fields: { Password: { $literal: PASSWORD } } },
      { fields: { Password: { $ref: 'params.password', default: PASSWORD } } },
      { steps: [`fill label=Password ${PASSWORD}`] },
      { steps: [{ do: 'fill', target: { role: 'password', name: 'Kennwort' }, value: PASSWORD }] },
    ]) {
      const answer = await save(acts(args));
      expect(answer.code(), JSON.stringify(args)).toBe('recipe_has_secret');
      expect(answer.text).toContain('steps[0].args');
      expect(answer.text).not.toContain(PASSWORD);
    }
    const properties = { password: { type: 'string', default: PASSWORD } };
    const byDefault = await save({ ...acts({}), parameters: { type: 'object', properties } });
    expect(byDefault.code()).toBe('recipe_has_secret');
    const description = 'Uses sk_live_51H8xkqJ2eZvKYlo2C9aBcDeFgHiJkLmNoPq for it.';
    const described = await save({ ...OPEN, description });
    expect(described.code()).toBe('recipe_has_secret');
    expect(described.text).toContain('at description');
    expect(await readdir(server.home)).not.toContain('recipes');
  });

  it('is named, or a parameter', async () => {
    for (const [at, args] of [
      { fields: { Password: 'secret:SHOP', City: 'Ede' } },
      { fields: { Password: { $ref: 'params.password' } } },
      { fields: { Password: '{{params.password}}' } },
      { steps: ['fill label=Password secret:SHOP', 'click text=Password', 'press Enter'] },
      { steps: [{ do: 'fill', target: { role: 'password', name: 'Password' }, value: 'secret:SHOP' }] },
    ].entries()) {
      const answer = await save({ ...acts(args), name: `named${at}` });
      expect(answer.isError, answer.text).toBe(false);
    }
  });
});

describe('a recipe of a name that there is', () => {
  beforeEach(() => start());

  it('is saved by one of several calls at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `round${round}`;
      const answers = await Promise.all(['A', 'B', 'C'].map((title) => save({ ...OPEN, name, title })));
      expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
      const codes = answers.filter(({ isError }) => isError).map((answer) => answer.code());
      expect(codes).toEqual(['recipe_exists', 'recipe_exists']);
    }
    expect((await readdir(folder())).filter((file) => !file.endsWith('.json'))).toEqual([]);
  });

  it('is not one that differs in upper and lower case alone', async () => {
    await save(OPEN);
    for (const replace of [false, true]) {
      const answer = await save({ ...OPEN, name: 'OPEN-one' }, replace);
      expect(answer.code()).toBe('recipe_exists');
      expect(answer.text).toContain('open-One');
    }
  });
});

it('a recipe that is run does not call another', async () => {
  await start();
  const steps = [{ id: 'a', tool: 'open-One', args: { word: 'x' } }];
  const outer = { ...OPEN, name: 'outer', steps, output: 1 };
  await save(outer);
  await save(OPEN);
  expect((await server.call('outer', { word: 'x' })).code()).toBe('recipe_invalid');
  const refused = await save(outer, true);
  expect(refused.code()).toBe('recipe_invalid');
  expect(refused.text).toContain('step a: open-One is a recipe');
  expect(called).toEqual([]);
});

it('a recipe that is run takes what an answer has as data: references in it stay text', async () => {
  await start();
  const ask = (id: string, $ref: string) => ({ id, tool: 'test_open', args: { text: { $ref } } });
  await save({
    ...OPEN,
    steps: [ask('one', 'params.word'), ask('two', 'steps.one.structured.text')],
    output: { text: { $ref: 'steps.two.structured.text' } },
  });
  const word = '{{params.times}} {"$ref":"params.times"}';
  expect((await server.call('open-One', { word })).json()).toEqual({ text: word });
});

describe('the folder', () => {
  beforeEach(() => start({ tools: ['default', 'recipes'] }));

  const changes = (): { count: number } => {
    const seen = { count: 0 };
    server.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (seen.count += 1));
    return seen;
  };
  const put = async (file: string, value: unknown): Promise<void> => {
    await mkdir(folder(), { recursive: true, mode: 0o700 });
    // In one turn: a server that looks between the opening and the writing finds an empty file, which is a change too.
    writeFileSync(join(folder(), file), typeof value === 'string' ? value : JSON.stringify(value));
  };

  it('is read again when a file is added, edited or removed', async () => {
    await server.call('recipe_search');
    await server.call('find_tools', { select: ['recipes'] });
    await put('open-One.json', OPEN);
    await vi.waitFor(async () => {
      expect((await server.call('open-One', { word: 'x' })).isError).toBe(false);
    }, PATIENCE);
    await server.call('find_tools', { select: ['open-One'] });

    const seen = changes();
    await put('open-One.json', { ...OPEN, title: 'Edited' });
    await vi.waitFor(() => expect(seen.count).toBe(1), PATIENCE);
    const { tools } = await server.client.listTools();
    expect(tools.find(({ name }) => name === 'open-One')?.title).toBe('Edited');
    await rm(join(folder(), 'open-One.json'));
    await vi.waitFor(() => expect(seen.count).toBe(2), PATIENCE);
    expect((await server.call('open-One', { word: 'x' })).code()).toBe('unknown_tool');
  });

  it('keeps what is valid, and says of the rest where it is wrong', async () => {
    await put('broken.json', '{');
    await put('odd.json', { ...OPEN, name: 'even' });
    await put('deep.json', '['.repeat(100_000) + ']'.repeat(100_000));
    await put('open-One.json', `\uFEFF${JSON.stringify(OPEN)}`);
    await server.call('recipe_search');
    await vi.waitFor(async () => {
      const { text } = await server.call('recipe_search');
      const named = text.match(/(?<=^- )\S+(?=:| is skipped)/gm)?.join(' ');
      expect(named).toBe('open-One broken.json deep.json odd.json');
    }, PATIENCE);
    const broken = await server.call('recipe_run', { name: 'odd' });
    expect(broken.code()).toBe('recipe_invalid');
    expect(broken.text).toContain('belongs in even.json');
  });
});
