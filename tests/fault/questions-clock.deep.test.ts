import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { QuestionRig, type Shopping } from '../support/question-rig.ts';

/*
 * The clock of the browser or of the server jumps with a question open. It lives no longer than it says by the clock that
 * nobody sets, and no act is without its line. `unit/extension/questions/grants.test.ts` has the clocks of grants.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const order = { steps: ['click text=Buy'] };

vi.setConfig({ testTimeout: 300_000 });

let rig: QuestionRig;
beforeAll(async () => {
  rig = await QuestionRig.start();
});
afterEach(async () => {
  await rig.stepClocks({ wallMs: 0 });
  await rig.person.isLeftAlone();
});

const act = ({ server }: Shopping) => server.call('interact', order);

function expectOrders({ orders, verify, site }: Shopping, count: number): void {
  expect(orders()).toEqual(Array(count).fill({ site, hadLine: true }));
  expect(verify()).toContain('intact');
}

it('a browser’s clock that jumps over the ten minutes of a question ends it', async () => {
  const shopping = await rig.shop();
  const acting = act(shopping);
  await rig.person.card();
  await rig.stepClocks({ wallMs: 9 * MINUTE });
  await rig.wake();
  expect(await rig.person.isAsked()).toBe(true);
  await rig.stepClocks({ wallMs: 11 * MINUTE });
  await rig.wake();
  expect((await acting).code()).toBe('approval_timeout');
  await rig.person.isLeftAlone();
  expectOrders(shopping, 0);
  const [{ question = '' } = {}] = shopping.lines('question');
  await expect.poll(() => shopping.lines('question_end')).toMatchObject([{ question, outcome: 'timeout' }]);
});

it.each([
  ['a day ahead', 24 * HOUR],
  ['an hour back', -HOUR],
])('a server’s clock that is set %s neither ends a question nor loses its yes', async (_how, stepMs) => {
  const shopping = await rig.shop();
  const acting = act(shopping);
  await rig.person.card();
  rig.stage.stepClock(stepMs);
  await rig.person.allow();
  expect((await acting).text).toContain('done 1');
  expectOrders(shopping, 1);
});
