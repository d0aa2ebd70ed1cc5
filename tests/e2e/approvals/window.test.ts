import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS } from './cards.ts';
import { ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

const wait = (id: string) => rig.port.call('question.wait', { id });
const grants = async () => (await rig.port.call('grants.list', {})).grants;

it('a question survives its worker, in the same window', async () => {
  await rig.ask([CARDS.submit]);
  const page = await rig.card('Act for you on this page?');
  const before = rig.capture.host.ports.length;
  await rig.capture.killWorker();
  const port = await rig.capture.host.port(before + 1);
  port.open(1);
  rig.capture.port = port;
  // The click may come before the page has noticed, and is then without effect.
  await expect
    .poll(async () => {
      const { length } = await grants();
      if (length === 0) await rig.press(page, '#allow').catch(() => undefined);
      return length;
    })
    .toBe(1);
  expect((await wait('q_submit')).decision).toMatchObject({ approve: true });
});
