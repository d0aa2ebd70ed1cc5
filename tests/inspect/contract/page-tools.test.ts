import { expect, test } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';
import { TAB } from '../../support/tool-cases.ts';

const server = await startMemoryServer();
server.bridge.addBrowser();

test('arguments that the page would refuse do not reach it, each named by its path', async () => {
  const call = { tab: TAB, name: 'add_to_cart', arguments: { count: 0 } };
  const answer = await server.call('page_tool_call', call);
  expect(answer.code()).toBe('invalid_argument');
  expect(answer.text).toContain('arguments: item: is required; count: must be >= 1.');
  expect(answer.notes).toContain('Untrusted page text from https://example.com/');
});

test('those of another origin than that of the page have it', async () => {
  const { tools } = (await server.call('page_tools', { tab: TAB })).json<{ tools: { origin?: string }[] }>();
  expect(tools.map(({ origin }) => origin)).toEqual(['https://widgets.example', undefined, undefined]);
});

test('a name that two frames declare needs the origin of one', async () => {
  const call = { tab: TAB, name: 'share', arguments: {} };
  expect((await server.call('page_tool_call', call)).text).toContain(
    'origin: several frames declare \\"share\\": https://widgets.example, https://example.com.',
  );
  const answer = await server.call('page_tool_call', { ...call, origin: 'https://widgets.example' });
  expect(answer.json()).toMatchObject({ in: 'D2' });
});

test('an unknown name is refused with those that there are', async () => {
  const answer = await server.call('page_tool_call', { tab: TAB, name: 'fly' });
  expect(answer.text).toContain('it declares share, add_to_cart, share');
});
