import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { PassedThrough } from '../../server/core/registry/runtime.ts';
import { checkSelectors } from '../../server/core/registry/selection.ts';
import type { Logger } from '../../server/core/services.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import { callTool } from '../support/call-tool.ts';
import { silentLogger } from '../support/app-options.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { testProvider, testTool, type TestProvider } from '../support/test-provider.ts';

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const names = async (of = server?.client): Promise<readonly string[]> =>
  ((await of?.listTools())?.tools ?? []).map(({ name }) => name);

interface Warned {
  readonly provider: string;
  readonly tool?: string;
}

/** What was logged of providers. */
function warnings(): { readonly logger: Logger; readonly logged: Warned[] } {
  const logged: Warned[] = [];
  return { logged: logged, logger: { ...silentLogger, warn: (facts) => void logged.push(facts as Warned) } };
}

describe('what a provider offers', () => {
  it('is listed up to tier 2, and selectable by name and by category', async () => {
    const recipes = testProvider('recipes', [
      testTool({ name: 'recipe_two', kind: 'direct' }),
      testTool({ name: 'recipe_three', kind: 'direct', tier: 3, needs: ['screenshot'] }),
    ]);
    const files = testProvider('files', [
      testTool({ name: 'files_read', kind: 'upstream' }),
      testTool({ name: 'files_write', kind: 'upstream', tier: 3 }),
    ]);
    server = await startMemoryServer({}, { providers: [recipes, files] });
    const only = async (...selectors: string[]): Promise<readonly string[]> =>
      (await names(await server?.connect(selectors))).filter((name) => name !== 'oc_output_fetch').toSorted();
    expect((await names()).filter((name) => /^(recipe|files)_/.test(name))).toEqual([
      'recipe_two',
      'files_read',
    ]);
    expect(await only('recipes')).toEqual(
      expect.arrayContaining(['recipe_run', 'recipe_three', 'recipe_two', 'screenshot']),
    );
    expect(await only('upstream')).toEqual(['files_read', 'files_write']);
    expect(await only('files_write')).toEqual(['files_write']);
    expect(await only('experimental')).toEqual([]);
    expect((await server.call('files_write', { a: 1 })).text).toBe('{"a":1}');
  });

  it('that is invalid is skipped and logged', async () => {
    const { logger, logged } = warnings();
    const good = testTool({ name: 'good_one', kind: 'direct' });
    const again = testProvider('again');
    const broken = {
      ...good,
      manifest: { ...good.manifest, name: 'broken_one', input: 'no schema' as never },
    };
    const taken = ['read_page', 'default', 'capture', 'run_status_internal'];
    const bad = testProvider('bad', [
      testTool({ name: 'Bad.Name', kind: 'direct' }),
      testTool({ name: 'x'.repeat(65), kind: 'direct' }),
      ...taken.map((name) => testTool({ name, kind: 'upstream' })),
      null as never,
      { kind: 'direct' } as never,
      broken,
      good,
      testTool({ name: 'good_one', kind: 'upstream' }),
    ]);
    const later = testProvider('later', [
      testTool({ name: 'good_one', kind: 'upstream' }),
      testTool({ name: 'late_one', kind: 'direct' }),
    ]);
    server = await startMemoryServer({ logger }, { providers: [bad, again, later] });
    expect((await names()).filter((name) => !MANIFESTS.some((each) => each.name === name))).toEqual([
      'good_one',
      'late_one',
    ]);
    expect((await server.call('good_one', { a: 1 })).json()).toEqual({ echo: { a: 1 } });
    const once = logged.length;
    again.offer([]);
    // What has no name is said again, since it may be a different one.
    expect(logged.slice(once).map(({ tool }) => tool)).toEqual(['undefined']);
    const refused = [
      'Bad.Name',
      'x'.repeat(65),
      ...taken,
      'undefined',
      'undefined',
      'broken_one',
      'good_one',
    ];
    expect(logged.slice(0, once).map(({ provider, tool }) => [provider, tool])).toEqual([
      ...refused.map((tool) => ['bad', tool]),
      ['later', 'good_one'],
    ]);
  });

  it('is what it was while a provider does not say', async () => {
    const { logger, logged } = warnings();
    const silent = testProvider('silent');
    silent.fail(new Error('not now'));
    const shaky = testProvider('shaky', [testTool({ name: 'shaky_one', kind: 'direct' })]);
    server = await startMemoryServer({ logger }, { providers: [silent, shaky] });
    expect(logged.map(({ provider }) => provider)).toEqual(['silent']);
    shaky.fail(new Error('not now'));
    expect(logged.map(({ provider }) => provider)).toEqual(['silent', 'silent', 'shaky']);
    expect(await names()).toContain('shaky_one');
    expect((await server.call('shaky_one')).isError).toBe(false);
    silent.offer([testTool({ name: 'silent_one', kind: 'direct' })]);
    silent.fail(null);
    expect(await names()).toContain('silent_one');
  });

  it('reaches the lists that it changes, and no other; a removed one is unknown', async () => {
    const provider = testProvider('files');
    server = await startMemoryServer({}, { providers: [provider] });
    const reading = await server.connect(['read']);
    const changes = { all: 0, reading: 0 };
    server.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes.all += 1));
    reading.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes.reading += 1));
    const before = await names();

    const tool = testTool({ name: 'files_read', kind: 'upstream' });
    provider.offer([tool, testTool({ name: 'files_rare', kind: 'upstream', tier: 3 })]);
    await expect.poll(() => changes.all).toBe(1);
    expect(await names()).toEqual([...before, 'files_read']);

    // The same name, but another schema.
    provider.offer([{ ...tool, inputSchema: { type: 'object', properties: { path: {} } } }]);
    await expect.poll(() => changes.all).toBe(2);
    // Nothing that this list shows.
    provider.offer(provider.tools());
    expect(await names()).toEqual([...before, 'files_read']);

    provider.offer([]);
    await expect.poll(() => changes.all).toBe(3);
    expect(await names()).toEqual(before);
    expect((await server.call('files_read')).code()).toBe('unknown_tool');

    provider.offer([tool]);
    await expect.poll(() => changes.all).toBe(4);
    expect(await names(reading)).not.toContain('files_read');
    expect((await callTool(reading, 'files_read', { a: 1 })).text).toBe('{"a":1}');
    expect(changes.reading).toBe(0);
  });

  it('may be selected before it is there, where the provider says that it will come', async () => {
    const provider = { ...testProvider('files'), expects: (name: string) => name.startsWith('files_') };
    server = await startMemoryServer({ tools: ['read', 'files_rare'] }, { providers: [provider] });
    let changes = 0;
    server.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    expect(await names()).not.toContain('files_rare');
    provider.offer([
      testTool({ name: 'files_rare', kind: 'upstream', tier: 3 }),
      testTool({ name: 'files_read', kind: 'upstream' }),
    ]);
    await expect.poll(() => changes).toBe(1);
    expect((await names()).filter((name) => name.startsWith('files_'))).toEqual(['files_rare']);
  });

  it('is there again for a session that chose it, and its removal does not end an active call', async () => {
    const release: (() => void)[] = [];
    const slow = testTool({
      name: 'files_slow',
      kind: 'upstream',
      tier: 3,
      run: () =>
        new Promise<PassedThrough>((resolve) =>
          release.push(() => resolve({ passed: { content: [], isError: false } })),
        ),
    });
    const provider = testProvider('files', [slow]);
    server = await startMemoryServer({}, { providers: [provider] });
    const choosing = await server.connect(['files_slow']);
    const call = callTool(choosing, 'files_slow');
    await expect.poll(() => release.length).toBe(1);
    provider.offer([]);
    expect(await names(choosing)).not.toContain('files_slow');
    release[0]?.();
    expect((await call).isError).toBe(false);
    provider.offer([slow]);
    expect(await names(choosing)).toContain('files_slow');
  });
});

describe('a provider', () => {
  it('has one listener, and none after the end, whatever it does then', async () => {
    const { logger, logged } = warnings();
    const files = testProvider('files');
    const clinging: TestProvider = {
      ...files,
      id: 'clinging',
      onChange: (listener) => {
        files.onChange(listener);
        return () => {
          throw new Error('it stays');
        };
      },
    };
    const last = testProvider('last');
    server = await startMemoryServer({ logger }, { providers: [files, clinging, last] });
    expect([files.listening(), last.listening()]).toEqual([2, 1]);
    const { registry } = server.executor;
    await server.close();
    // Only the one that would not let go is left.
    expect([files.listening(), last.listening()]).toEqual([1, 0]);
    expect(logged.map(({ provider }) => provider)).toEqual(['clinging']);
    files.offer([testTool({ name: 'files_read', kind: 'upstream' })]);
    expect(registry.has('files_read')).toBe(false);
    server = undefined;
  });

  it('is let go when the server cannot start', async () => {
    const files = testProvider('files');
    await expect(startMemoryServer({ tools: ['nothing_like_it'] }, { providers: [files] })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
    expect(files.listening()).toBe(0);
  });

  const boom = (): never => {
    throw new Error('not now');
  };
  it.each<[string, Partial<TestProvider>, readonly string[]]>([
    ['cannot be listened to', { onChange: boom }, ['bad']],
    ['does not say how to stop listening', { onChange: () => undefined as never }, ['bad']],
    ['does not say whether it expects a name', { expects: boom }, ['bad']],
    ['offers nothing that is a list', { tools: () => null as never }, ['bad']],
  ])('that %s breaks no start and no session, and is logged', async (_, over, named) => {
    const { logger, logged } = warnings();
    const bad = { ...testProvider('bad', [testTool({ name: 'bad_one', kind: 'direct' })]), ...over };
    const good = {
      ...testProvider('good', [testTool({ name: 'good_one', kind: 'direct' })]),
      expects: (name: string) => name === 'good_later',
    };
    server = await startMemoryServer(
      { logger, tools: ['good_later', 'recipes'] },
      { providers: [bad, good] },
    );
    expect(logged.map(({ provider }) => provider)).toEqual(named);
    expect(await names()).toContain('good_one');
    expect(() => checkSelectors(server?.executor.registry as never, ['god_one'], '?tools=')).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
    good.offer([testTool({ name: 'good_later', kind: 'direct', tier: 3 })]);
    expect(await names()).toContain('good_later');
  });
});
