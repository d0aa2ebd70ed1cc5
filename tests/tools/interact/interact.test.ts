import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';

let server: MemoryServer;
beforeAll(async () => {
  server = await startMemoryServer();
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
});
afterAll(() => server.close());

test('says how many steps were done', async () => {
  const answer = await server.call('interact', { tab: 'b1:1', fields: { Name: 'Ada' }, steps: ['click e6'] });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toBe('done 2');
});

test.each([
  [{}, 'pass fields or steps'],
  [{ steps: ['press'] }, 'takes keys'],
  [{ steps: ['click e6', 'clik e7'] }, 'steps.1:'],
  [{ steps: [{ do: 'fly' }] }, 'steps.0.do'],
  [{ steps: [{ do: 'click', targt: 'e6' }] }, 'targt'],
])('refuses %j', async (args, said) => {
  const answer = await server.call('interact', { tab: 'b1:1', ...args });
  expect(answer.code()).toBe('invalid_argument');
  expect(answer.text).toContain(said);
});
