import { expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { TAB } from '../../support/tool-cases.ts';

const rule = { tab: TAB, action: 'add', block: true };

it('names rules that are added at once differently', async () => {
  const server = await startMemoryServer();
  server.bridge.addBrowser();
  const urls = ['**/ads/**', '**/api/**'];
  const answers = await Promise.all(urls.map((url) => server.call('intercept', { ...rule, url })));
  expect(answers.map((answer) => answer.json<{ rules: object[] }>().rules)).toMatchObject([
    [{ id: 'r1', url: urls[0] }],
    [{ id: 'r2', url: urls[1] }],
  ]);
  await server.close();
});

it('bounds the rules that a tab has, whatever was removed, and a person was asked before', async () => {
  const server = await startMemoryServer();
  server.bridge.addBrowser();
  let isAsked = false;
  server.bridge.answer({
    'question.wait': async () => ({ decision: null, end: 'gone' }),
    'tab.intercept': async () => {
      isAsked = !isAsked;
      if (isAsked) throw new SpillwayError('approval_required', 'It asks.', { questionId: 'b1:q_1' });
      return { rules: [] };
    },
  });
  const add = async () => (await server.call('intercept', { ...rule, url: '**' })).code();
  for (let rules = 0; rules < 50; rules += 1) expect(await add()).toBeUndefined();
  expect(await add()).toBe('invalid_argument');
  await server.call('intercept', { tab: TAB, action: 'remove', rule: 'r2' });
  expect(await add()).toBeUndefined();
  await server.close();
});
