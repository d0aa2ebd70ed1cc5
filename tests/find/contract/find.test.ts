import { expect, test } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });

test.each([
  [{ query: 'save the page' }, { query: 'save the page' }],
  [{ query: 'role=button >> nth=0' }, { selector: 'role=button >> nth=0' }],
  [{ role: 'button' }, { parts: [{ engine: 'role', body: 'button' }] }],
  [
    { role: 'button', name: 'a "b" \\' },
    { parts: [{ engine: 'role', body: String.raw`button[name*="a \"b\" \\"i]` }] },
  ],
  [{ text: 'a >> b' }, { parts: [{ engine: 'text', body: 'a >> b' }] }],
])('%j is sought as %j', async (args, target) => {
  const answer = await server.call('find', { tab: 'b1:1', ...args });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toBe(`e1 button Save\n${JSON.stringify(target)}\n`);
  expect(answer.notes).toContain('2 more match');
  expect(answer.notes).toContain('Untrusted');
});

const REFUSED = [{}, { name: 'x' }, { query: 'a', text: 'b' }, { query: ' ' }];
test.each(REFUSED)('%j is refused', async (args) => {
  expect((await server.call('find', { tab: 'b1:1', ...args })).code()).toBe('invalid_argument');
});
