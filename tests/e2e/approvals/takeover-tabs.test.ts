import { expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { answerOf, forTests } from './takeover-rig.ts';

/* What pages do while a person has their tab: it is the person's, too. */

const { get: rig } = forTests();

const tabAt = (url: string): Promise<string> =>
  vi.waitFor(async () => {
    const id = await rig().rig.worker.evaluate<number | null>(
      `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url === ${JSON.stringify(url)})?.id ?? null)`,
    );
    if (id === null) throw new Error(`No tab shows ${url}.`);
    return `b1:${id}`;
  }, PATIENCE);

const OPENERS: Readonly<Record<string, string>> = {
  'window.open()': 'void window.open("/login?opened", "_blank", "popup")',
  'a link without an opener':
    'Object.assign(document.createElement("a"), { href: "/login?opened", target: "_blank", rel: "noopener" }).click()',
  'a blank window that is led on': 'void (window.open("").location = new URL("/login?opened", location))',
};

it.each(sample(Object.keys(OPENERS), 3))(
  'a tab that the page opens by %s is the person’s until the end',
  async (how) => {
    const { agent, person } = rig();
    const { url, tab } = await rig().open();
    const asking = agent.takeOver(tab);
    await person.card();
    await rig().click(url, OPENERS[how] ?? '');
    const opened = `${url}?opened`;
    const popup = await tabAt(opened);
    for (const [name, args] of [
      ['read_page', {}],
      ['interact', { steps: ['click css=#go'] }],
      ['screenshot', {}],
      ['tabs', { action: 'close' }],
    ] as const)
      expect((await agent.call(name, { tab: popup, ...args })).code(), name).toBe('person_has_tab');
    expect(await agent.ok('tabs', { action: 'list' })).not.toContain('opened');
    expect(await rig().isAttached(popup)).toBe(false);
    // One that it opens in turn is the person's as well.
    await rig().click(opened, 'void window.open("/login?inner")');
    const inner = await tabAt(`${url}?inner`);
    expect((await agent.call('read_page', { tab: inner })).code()).toBe('person_has_tab');
    await rig().closeTab(inner);
    await person.press('done');
    expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
    expect(await agent.ok('read_page', { tab: popup, format: 'text' })).toContain('Log in');
    await rig().closeTab(popup);
  },
);

it('a dialog is answered by the person alone, although a capture answers those that nobody sees', async () => {
  const { agent, person } = rig();
  const { url, tab } = await rig().open();
  await agent.ok('network', { action: 'start', tab });
  const asking = agent.takeOver(tab);
  await person.card();
  const dialogs = await rig().rig.worker.holdDialogs(url);
  await rig().click(url, 'setTimeout(() => { document.title = confirm("Really?") ? "yes" : "no" })');
  await dialogs.accept();
  await rig().shows(url, 'document.title === "yes"');
  expect((await agent.call('dialog', { tab, action: 'accept' })).code()).toBe('person_has_tab');
  await person.press('done');
  await answerOf(asking);
  expect((await agent.call('network', { action: 'slice', tab })).notes).toMatch(/a person took it over/);
});
