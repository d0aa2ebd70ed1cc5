import { expect, it } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';
import { TAB } from '../../support/tool-cases.ts';

it('names rules that are added at once differently', async () => {
  const server = await startMemoryServer();
  server.bridge.addBrowser();
  const rule = { tab: TAB, action: 'add', block: true };
  const urls = ['**/ads/**', '**/api/**'];
  const answers = await Promise.all(urls.map((url) => server.call('intercept', { ...rule, url })));
  expect(answers.map((answer) => answer.json<{ rules: object[] }>().rules)).toMatchObject([
    [{ id: 'r1', url: urls[0] }],
    [{ id: 'r2', url: urls[1] }],
  ]);
  await server.close();
});
