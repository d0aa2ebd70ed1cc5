import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

let server: MemoryServer;

const names = async (of = server.client): Promise<readonly string[]> =>
  (await of.listTools()).tools.map(({ name }) => name);

it('what a provider offers is listed up to tier 2, and selectable by name and by category', async () => {
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
    (await names(await server.connect(selectors))).filter((name) => name !== 'oc_output_fetch').toSorted();
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

it('what a provider offers that is invalid is skipped', async () => {
  const good = testTool({ name: 'good_one', kind: 'direct' });
  const broken = { ...good, manifest: { ...good.manifest, name: 'broken_one', input: 'no schema' as never } };
  const taken = ['read_page', 'default', 'capture', 'run_status_internal'];
  const bad = testProvider('bad', [
    testTool({ name: 'Bad.Name', kind: 'direct' }),
    testTool({ name: 'x'.repeat(65), kind: 'direct' }),
    ...taken.map((name) => testTool({ name, kind: 'upstream' })),
    broken,
    good,
    testTool({ name: 'good_one', kind: 'upstream' }),
  ]);
  const later = testProvider('later', [
    testTool({ name: 'good_one', kind: 'upstream' }),
    testTool({ name: 'late_one', kind: 'direct' }),
  ]);
  server = await startMemoryServer({}, { providers: [bad, later] });
  expect((await names()).filter((name) => !MANIFESTS.some((each) => each.name === name))).toEqual([
    'good_one',
    'late_one',
  ]);
  expect((await server.call('good_one', { a: 1 })).json()).toEqual({ echo: { a: 1 } });
});

it('what a provider offers reaches the lists that it changes, and no other; a removed one is unknown', async () => {
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

  provider.offer([{ ...tool, inputSchema: { type: 'object', properties: { path: {} } } }]);
  await expect.poll(() => changes.all).toBe(2);
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
