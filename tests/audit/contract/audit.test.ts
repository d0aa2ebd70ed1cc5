import { expect, it, onTestFinished } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

it('an audit asks with its defaults, and gives each finding its fix in one line', async () => {
  const server = await startMemoryServer();
  onTestFinished(() => server.close());
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => [] } });
  const answer = await server.call('audit', { tab: 'b1:1', scope: '#form' });
  const asked = '{"scope":"#form","level":"AA","best_practices":false,"rules":null}';
  const fix = `Fix any: ${asked}; Another way. Fix all: Set a role`;
  const [first, second] = answer.json<object[]>();
  expect(first).toMatchObject({ message: 'Contrast', fix });
  expect(second).not.toHaveProperty('fix');
  expect(answer.json<object[]>()[1]).not.toHaveProperty('message');
  for (const note of ['not decide: 3', 'of the page. color-contrast', 'Frame https://c.test/', 'Untrusted'])
    expect(answer.notes).toContain(note);
});
