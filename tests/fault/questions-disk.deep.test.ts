import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { waitForNoProcess } from '../support/processes.ts';
import { QuestionRig, type Shopping } from '../support/question-rig.ts';

/*
 * The disk is full while a person is asked, at each line that the server writes on the way. What the ledger could not take is not
 * done, and the next call works when there is room.
 */

const order = { steps: ['click text=Buy'] };
const HASTY = ['--sync-wait-ms', '300'];

vi.setConfig({ testTimeout: 300_000 });

let rig: QuestionRig;
beforeAll(async () => {
  rig = await QuestionRig.start();
});
afterEach(() => rig.person.isLeftAlone());

const act = ({ server }: Shopping) => server.call('interact', order);

it.each(['question', 'act'] as const)(
  'the ledger cannot take the %s: nothing is done, and a person is asked when there is room',
  async (spot) => {
    const shopping = await rig.shop();
    rig.stage.fill(spot);
    const acting = act(shopping);
    if (spot === 'act') await rig.person.allow();
    const refused = await acting;
    expect(refused.code(), refused.text).toBe('ledger_unavailable');
    expect(refused.text).toContain('the disk is full');
    await rig.person.isLeftAlone();
    expect(shopping.orders()).toEqual([]);
    rig.stage.clear();
    const again = act(shopping);
    await rig.person.allow();
    expect((await again).text).toContain('done 1');
    expect(shopping.orders()).toEqual([{ site: shopping.site, hadLine: true }]);
    expect(shopping.verify()).toContain('intact');
  },
);

it('a no that the ledger could not take does nothing, and is written when there is room', async () => {
  const shopping = await rig.shop();
  const acting = act(shopping);
  await rig.person.card();
  rig.stage.fill('decision');
  await rig.person.deny('Not today.');
  expect((await acting).code()).toBe('ledger_unavailable');
  rig.stage.clear();
  const again = act(shopping);
  await rig.person.allow();
  expect((await again).text).toContain('done 1');
  const outcomes = () => shopping.lines('decision').map(({ outcome }) => outcome);
  await expect.poll(outcomes).toEqual(expect.arrayContaining(['denied', 'approved']));
  expect(shopping.orders()).toHaveLength(1);
});

it('an act whose outcome the ledger could not take was done, and its answer says both', async () => {
  const shopping = await rig.shop();
  rig.stage.fill('outcome');
  const acting = act(shopping);
  await rig.person.allow();
  const answer = await acting;
  expect(answer.text).toContain('done 1');
  expect(answer.notes).toContain('its outcome is not in the ledger');
  expect(shopping.orders()).toEqual([{ site: shopping.site, hadLine: true }]);
  expect(shopping.lines('outcome')).toEqual([]);
  expect(shopping.verify()).toContain('intact');
});

it('a call that could not be kept ends with its server, and a late yes does nothing', async () => {
  const shopping = await rig.shop(HASTY);
  rig.stage.fill('kept');
  const left = await act(shopping);
  process.kill(shopping.server.pid, 'SIGKILL');
  await waitForNoProcess(shopping.home);
  rig.stage.clear();
  await rig.person.allow();
  const next = await shopping.start();
  const id = /Id: (\S+?)"/.exec(left.text)?.[1] ?? '';
  expect((await next.call('resume_call', { id })).code()).toBe('call_not_pending');
  expect(shopping.orders()).toEqual([]);
});
