import { itDeep } from '../../support/depth.ts';
import { beforeAll, expect, it } from 'vitest';
import { createProfile } from '../../support/browser.ts';
import { answerAt } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { ledgerOf } from '../../people/e2e/asked.ts';
import { expectFits } from '../../people/e2e/looks.ts';
import { PanelRig, until } from '../../support/side-panel.ts';

let rig: PanelRig;
let url: string;
beforeAll(async () => {
  const port = await answerAt((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Inbox</title><h1>Mail</h1>');
  });
  url = `http://127.0.0.1:${port}/`;
  rig = await PanelRig.start(createProfile(undefined, { rules: 'person' }));
  await rig.server.call('tabs', {});
  await rig.panel.evaluate(`chrome.tabs.create({ url: '${url}' }).then(() => null)`);
  await rig.turnTo(url);
});

const lent = async (): Promise<string[]> => {
  const { tabs } = (await rig.server.call('tabs', {})).json<{ tabs: { tab: string; lent?: true }[] }>();
  return tabs.flatMap(({ tab, lent: isLent }) => (isLent === true ? [tab] : []));
};
const press = (text: string): Promise<unknown> =>
  until(text, () =>
    rig.panel.evaluate<boolean>(`(() => {
      const found = [...document.querySelectorAll('button')].find((one) => one.textContent === '${text}');
      found?.click();
      return found !== undefined;
    })()`),
  );

it('a person gives the front tab with a click, and takes it back: its calls end at once', async () => {
  await press('Give this tab to an-agent');
  await rig.shows('Tabs you lent');
  await rig.shows('This tab is lent to an-agent.');
  await expectFits(rig.panel, 'the panel');
  const [tab] = await lent();
  expect((await rig.server.call('read_page', { tab })).text).toContain('Mail');
  const waiting = rig.server.call('wait_for', { tab, text: 'Never', timeout_ms: 60_000 });
  await rig.shows('Wait');
  await press('Take back');
  expect((await waiting).json()).toMatchObject({ error: { code: 'tab_not_given' } });
  expect((await rig.server.call('read_page', { tab })).code()).toBe('tab_not_given');
  expect(await lent()).toEqual([]);
});

itDeep('the popup gives it too', async () => {
  const popup = await rig.browser.openPopup();
  await until('the button', () =>
    popup.evaluate<boolean>(
      `(document.querySelector('#give button')?.click(), document.querySelector('#give button') !== null)`,
    ),
  );
  await expect.poll(() => lent(), PATIENCE).toHaveLength(1);
  await press('Take back');
  await expect.poll(() => lent(), PATIENCE).toEqual([]);
});

itDeep('the ledger has where the person gave a tab, and that they took it back', async () => {
  const lines = (): string => ledgerOf(rig.server.home, 'show', '--json');
  for (const line of [/"where": "popup"/, /"where": "side_panel"/, /"kind": "grant_revoked"/])
    await expect.poll(lines, PATIENCE).toMatch(line);
});
