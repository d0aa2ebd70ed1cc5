import { expect, test } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });

test('says what happened and how long it took', async () => {
  const answer = await server.call('wait_for', { tab: 'b1:1', text: 'sails', load: true });
  expect(answer.text).toBe('After 12 ms: text, load.\n');
});

test.each([[{}], [{ load: false }], [{ text: 'a', mode: 'some' }]])('%j is refused', async (args) => {
  expect((await server.call('wait_for', { tab: 'b1:1', ...args })).code()).toBe('invalid_argument');
});
