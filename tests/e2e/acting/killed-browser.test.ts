import { afterAll, afterEach, expect, it } from 'vitest';
import type { WireError } from '../../../shared/errors.ts';
import { spawnChromium, type TestChromium } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { CHECKED, Gates, written } from './gated-page.ts';
import { actingRigOf } from './rig.ts';

const gates = new Gates();
const rig = actingRigOf(spawnChromium, gates.pages);
let next: TestChromium | null = null;
afterEach(() => gates.open());
afterAll(() => next?.kill());

it('a browser that is killed midway: the server says so, and works with the next one', async () => {
  const tab = await rig.open('events?at=mousemove:1');
  const acting = rig.act(tab, 'drag css=#first css=#second', 'click css=#check');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  await rig.browser.kill();
  const { error } = (await acting).json<{ readonly error: WireError }>();
  expect(error).toMatchObject({ code: 'browser_disconnected', retryable: false });
  expect(error.message).toContain('outcome is unknown');
  expect(error.hint).toContain('navigate');
  gates.open();
  next = await spawnChromium({ profile: rig.browser });
  // The tabs of the first browser are not in the next one.
  const gone = await rig.act(tab, 'click css=#check');
  expect(gone.code(), gone.text).toMatch(/^(?:browser_disconnected|tab_not_found)$/);
  const other = await rig.open('events');
  const answer = await rig.act(other, 'click css=#check', 'press x');
  expect(answer.isError, answer.text).toBe(false);
  expect(await written(rig, other)).toMatch(new RegExp(`^${CHECKED}$`));
});
