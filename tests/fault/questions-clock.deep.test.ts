import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { waitForNoProcess } from '../support/processes.ts';
import { QuestionRig, type Shopping } from '../support/question-rig.ts';

/*
 * The clock of the browser or of the server jumps with a question open, or with a grant that has an end. Neither lives
 * longer than it says by the clock that nobody sets, and no act is without its line.
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

async function open({ server, site }: Shopping): Promise<void> {
  const opened = await server.call('navigate', { url: `${site}/` });
  expect(opened.isError, opened.text).toBe(false);
}

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

it('a browser’s clock that is set back leaves a question open, and no longer than its ten minutes', async () => {
  const shopping = await rig.shop();
  const allowed = act(shopping);
  await rig.person.card();
  await rig.stepClocks({ wallMs: -HOUR });
  await rig.wake();
  await rig.person.allow();
  expect((await allowed).text).toContain('done 1');
  expectOrders(shopping, 1);
  await open(shopping);
  const acting = act(shopping);
  await rig.person.card();
  await rig.stepClocks({ wallMs: -HOUR + 9 * MINUTE });
  await rig.wake();
  await rig.stepClocks({ wallMs: -2 * HOUR });
  await rig.wake();
  expect(await rig.person.isAsked()).toBe(true);
  await rig.stepClocks({ wallMs: -2 * HOUR + 2 * MINUTE });
  await rig.wake();
  expect((await acting).code()).toBe('approval_timeout');
  expectOrders(shopping, 1);
});

it.each([
  ['set back by an hour', { wallMs: -HOUR }],
  ['set ahead by an hour', { wallMs: HOUR }],
  ['set back by 50 minutes after an hour', { wallMs: 10 * MINUTE, monotonicMs: HOUR }],
])('a yes for an hour ends when the clock is %s', async (_how, clocks) => {
  const shopping = await rig.shop();
  const first = act(shopping);
  await rig.person.allow('site_hour');
  await first;
  await open(shopping);
  expect((await act(shopping)).text).toContain('done 1');
  await open(shopping);
  await rig.stepClocks(clocks);
  const again = act(shopping);
  await rig.person.deny('An hour has passed.');
  expect((await again).code()).toBe('call_denied');
  expectOrders(shopping, 2);
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

it.each([
  ['a day ahead', 24 * HOUR],
  ['an hour back', -HOUR],
])('a call that was kept is resumed by a server whose clock is %s', async (_how, stepMs) => {
  const shopping = await rig.shop(['--sync-wait-ms', '300']);
  const left = await act(shopping);
  expect(left.code(), left.text).toBe('approval_required');
  process.kill(shopping.server.pid, 'SIGKILL');
  await waitForNoProcess(shopping.home);
  rig.stage.stepClock(stepMs);
  await rig.person.allow();
  const next = await shopping.start();
  const id = /Id: (\S+?)"/.exec(left.text)?.[1] ?? '';
  expect((await next.call('resume_call', { id })).text).toContain('done 1');
  expectOrders(shopping, 1);
});
