import { afterEach, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { errorOf, Gates, nextActWorks, PRESSES, written } from './gated-page.ts';
import { actingRig } from './rig.ts';

const gates = new Gates();
const rig = actingRig(gates.pages);
afterEach(() => gates.open());

it.each<(typeof PRESSES)[number]>([
  ...sample(PRESSES, 4),
  [
    'type css=#field aB',
    'events?at=keydown:Shift',
    'keydown a;keyup a;keydown Shift shift;keydown B shift;keyup B shift;keyup Shift;',
  ],
])(
  'the worker is ended midway: nothing stays down, nothing is done twice, and the next call works %s, in %s',
  async (step, page, expected) => {
    const tab = await rig.open(page);
    const acting = rig.act(tab, step, 'click css=#check');
    await expect.poll(() => gates.held, PATIENCE).toBe(1);
    await rig.browser.scope.end();
    const error = errorOf(await acting);
    expect(error).toMatchObject({ code: 'browser_disconnected', retryable: false });
    expect(error.message).toContain('outcome is unknown');
    expect(error.hint).toContain('Read the page');
    gates.open();
    await expect.poll(() => written(rig, tab), PATIENCE).toMatch(new RegExp(`^${expected}$`));
    await nextActWorks(rig, tab, `^${expected}`);
    await rig.close(tab);
  },
);

it("the worker is ended midway: frames take a person's pointer again", async () => {
  const page = 'events?at=mousedown';
  const tab = await rig.open(page);
  const acting = rig.act(tab, 'click css=#first');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  await rig.browser.scope.end();
  expect(errorOf(await acting)).toMatchObject({ code: 'browser_disconnected' });
  gates.open();
  const style = `(() => { const frame = document.createElement('iframe'); document.body.append(frame);
    const { pointerEvents } = getComputedStyle(frame); frame.remove(); return pointerEvents; })()`;
  await expect.poll(() => rig.browser.scope.inPage(rig.url(page), style), PATIENCE).toBe('auto');
  await rig.close(tab);
});
