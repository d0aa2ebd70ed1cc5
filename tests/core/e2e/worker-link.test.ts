import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';
import { spawnBrowser, type SpawnedBrowser } from '../../support/worker/browser.ts';
import { CaptureRig } from '../../support/worker/capture-rig.ts';

/* One browser, one host. Times and faults are in tests/core/unit/extension/host-link.test.ts. */

let rig: CaptureRig;
beforeAll(async () => (rig = await CaptureRig.start()));

/** The badge's tooltip, once it `matches`. */
const badge = (
  matches: (text: string, title: string) => boolean,
  { devtools }: SpawnedBrowser = rig.browser,
): Promise<string> =>
  vi.waitFor(async () => {
    const worker = devtools
      .contexts()[0]
      ?.serviceWorkers()
      .find((candidate) => candidate.url() === `chrome-extension://${EXTENSION_ID}/worker.js`);
    const [text = '', title = ''] =
      (await worker?.evaluate(async () => [
        await chrome.action.getBadgeText({}),
        await chrome.action.getTitle({}),
      ])) ?? [];
    if (!matches(text, title)) throw new Error(`The badge says "${text}", its tooltip "${title}".`);
    return title;
  }, PATIENCE);

it('says hello first, with product, version, wire, profile and browser', async () => {
  expect(rig.port.origin).toBe(`chrome-extension://${EXTENSION_ID}/`);
  expect(rig.port.frames[0]).toMatchObject({
    channel: 0,
    message: {
      type: 'hello',
      role: 'extension',
      identity: { product: 'spillway', version: VERSION, wire: { min: 1, max: 2 } },
      browser: { name: 'Chromium', version: expect.stringMatching(/^\d+\./) as string, label: null },
    },
  });
  await badge((text, title) => text === 'on' && title.includes('1 server'));
});

it('lets no page command it: not a site, not its own pages opened in a tab', async () => {
  const page = await rig.openPage(`chrome-extension://${EXTENSION_ID}/install/popup/popup.html`);
  for (const name of ['popup', 'feed']) {
    const messages = await page.evaluate(
      (as) =>
        new Promise<number>((resolve) => {
          let count = 0;
          const port = chrome.runtime.connect({ name: as });
          port.onMessage.addListener(() => (count += 1));
          port.onDisconnect.addListener(() => resolve(count));
          if (as === 'feed') port.postMessage({ type: 'begin', cursors: {} });
        }),
      name,
    );
    expect(messages, name).toBe(0);
  }
  await page.close();
});

it('says to install a host where there is none', async () => {
  const alone = await spawnBrowser(testFolder());
  onTestFinished(() => alone.close());
  const title = await badge((text, said) => text === '' && said.includes('not connected'), alone);
  expect(title).toContain('npx -y spillway@latest install');
});
