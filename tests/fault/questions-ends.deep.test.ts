import { expect, it, vi } from 'vitest';
import { order, startQuestionFaults } from '../support/question-faults.ts';

vi.setConfig({ testTimeout: 300_000 });
const { rig, victims, fault, expectSound, leave } = await startQuestionFaults();

it.each(['the worker', 'the native host'] as const)(
  'a late yes, after %s ended, does nothing until the call is resumed, and then once',
  async (victim) => {
    const { shopping, id } = await leave();
    const { server, orders } = shopping;
    await victims[victim]();
    await rig.person.allow();
    await rig.person.isLeftAlone();
    expect((await server.call('tabs')).isError).toBe(false);
    expect(orders()).toEqual([]);
    expect((await server.call('resume_call', { id })).text).toContain('done 1');
    expect((await server.call('resume_call', { id })).code()).toBe('call_not_pending');
    await expectSound(shopping, 1);
  },
);

it('a yes to a server that was killed does nothing, and the next one has to ask again', async () => {
  const { shopping, ending } = await fault('a question is shown', 'the server');
  expect(await ending).toBe('gone');
  await rig.person.allow();
  await rig.person.isLeftAlone();
  const next = await shopping.start();
  expect((await next.call('navigate', { url: `${shopping.site}/` })).isError).toBe(false);
  const again = next.call('interact', order);
  await rig.person.deny('That was for the other one.');
  expect((await again).code()).toBe('call_denied');
  await expectSound(shopping, 0);
});
