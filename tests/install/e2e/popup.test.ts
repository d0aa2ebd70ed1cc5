import { beforeAll, expect, it } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { expectFits } from '../../people/e2e/looks.ts';
import { CaptureRig } from '../../support/worker/capture-rig.ts';
import { SPILLWAY_COMMAND } from '../../support/worker/test-host.ts';

let rig: CaptureRig;
beforeAll(async () => (rig = await CaptureRig.start()));

it('welcomes a new person with the state and what to try with each client', async () => {
  const page = await rig.openPage(`chrome-extension://${EXTENSION_ID}/install/welcome/welcome.html`);
  await expect.poll(() => page.locator('#headline').textContent()).toBe('Connected');
  // The agent that is connected needs no entry.
  expect(await page.locator('#samples q').count()).toBe(3);
  expect(await page.locator('#samples code').count()).toBe(0);
  await expectFits(page, 'welcome');
  rig.port.send(0, { type: 'close', channel: 1, reason: 'The server ended.' });
  await page.getByText('Spillway is in the settings of Codex.').waitFor();
  expect(await page.locator('#samples code').count()).toBe(0);
  rig.port.open(1);
  await expect.poll(() => page.locator('#headline').textContent()).toBe('Connected');
  await page.close();
});

it('shows the command with absolute paths, stops agents, and keeps it while the host is disconnected', async () => {
  const popup = await rig.openPopup();
  const stop = `document.querySelector('#agent-list .stop')`;
  const pressed = async (then: string): Promise<void> => {
    await popup.evaluate(`${stop}.click()`);
    await expect.poll(() => popup.evaluate(`${stop}.textContent`)).toBe(then);
  };
  await expect.poll(() => popup.evaluate(`${stop}?.textContent`)).toBe('Stop');
  await pressed('Allow again');
  await pressed('Stop');
  rig.port.send(0, { type: 'close', channel: 1, reason: 'The server ended.' });
  const text = (id: string): Promise<string> =>
    popup.evaluate(`document.getElementById(${JSON.stringify(id)}).textContent`);
  await expect.poll(() => text('headline')).toBe('Ready');
  expect(await text('command-text')).toBe(
    `claude mcp add spillway -- ${SPILLWAY_COMMAND} --output-mode-default auto`,
  );
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await popup.evaluate(overflow)).toBe(0);
  await rig.host.close();
  await expect.poll(() => text('headline')).toBe('Not connected');
  expect(await text('command-text')).toBe(`${SPILLWAY_COMMAND} doctor`);
});
