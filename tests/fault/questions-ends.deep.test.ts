import { expect, it, vi } from 'vitest';
import { order, startQuestionFaults } from '../support/question-faults.ts';

vi.setConfig({ testTimeout: 300_000 });
const { rig, victims, fault, expectSound, leave } = await startQuestionFaults();

it('a question that is shown, and one behind it, survive their native host, and both can be allowed', async () => {
  const shopping = await rig.shop();
  const { server, site, start } = shopping;
  const other = await start();
  expect((await other.call('navigate', { url: `${site}/` })).isError).toBe(false);
  const first = server.call('interact', order);
  await rig.person.card();
  const behind = other.call('interact', order);
  await expect.poll(() => rig.countQuestions()).toBe(2);
  await rig.killHost();
  await rig.person.allow();
  expect((await first).text).toContain('done 1');
  await rig.person.allow();
  expect((await behind).text).toContain('done 1');
  await expectSound(shopping, 2);
});

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

it('a question of a server that was killed ends when a minute has passed, and the ledger says so', async () => {
  const { shopping, ending } = await fault('a question is shown', 'the server');
  expect(await ending).toBe('gone');
  await rig.wake();
  await rig.stepClocks({ wallMs: 0, monotonicMs: 61_000 });
  await rig.wake();
  await rig.person.isLeftAlone();
  await expectSound(shopping, 0);
  await expect
    .poll(() => shopping.lines('question_end'))
    .toMatchObject([{ site: shopping.site, outcome: 'withdrawn' }]);
  await rig.stepClocks({ wallMs: 0 });
});
