import { expect, test } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { servePages } from '../../support/calling.ts';
import { PATIENCE } from '../../support/patience.ts';
import { launched } from '../../support/launched.ts';

const { server, ok } = await launched();

const site = await servePages({
  front: '<title>Front</title><p>What a person looks at</p>',
  opens: `<title>Opens</title><a id="link" target="_blank" href="/new">Link</a>
    <a id="opener" target="_blank" rel="opener" href="/new">Link</a>
    <button id="script" onclick="window.open('/new')">Script</button>
    <button id="blank" onclick="window.open('')">Blank</button>
    <button id="window" onclick="window.open('/new', '', 'width=300,height=300')">Window</button>
    <button id="brief" onclick="window.open('/new').close()">Brief</button>
    <form action="/new" target="_blank"><button id="form">Form</button></form>
    <button id="later" onclick="setTimeout(() => window.open('/new'), 600)">Later</button>
    <button id="none" onclick="this.textContent = 'Done'">None</button>`,
  new: '<title>New</title><p>The new page</p>',
});
const base = site.url('/', 'page.test');

type ListedTab = { readonly tab: string; readonly url: string; active?: true; current?: true };

const listed = async (): Promise<ListedTab[]> => (await ok('tabs')).json<{ tabs: ListedTab[] }>().tabs;
const activeUrls = async (): Promise<string[]> =>
  (await listed()).filter(({ active }) => active === true).map(({ url }) => url);

/** Closes all tabs but one, which is in front, and opens the page that is acted on behind it. */
async function prepare(): Promise<void> {
  const open = async (args: object): Promise<string> =>
    (await ok('tabs', { action: 'open', ...args })).json<{ opened: string }>().opened;
  const front = await open({ url: `${base}front`, activate: true });
  for (const { tab } of await listed())
    if (tab !== front) await server.call('tabs', { action: 'close', tab });
  await ok('read_page', { tab: await open({ url: `${base}opens` }), wait_for: { selector: '#none' } });
}

const openedIn = ({ text }: CallAnswer): string[] =>
  [...text.matchAll(/^opened (b\d+:\d+) /gm)].map(([, tab = '']) => tab);

const WAYS = ['link', 'opener', 'blank', 'script', 'form'] as const;
test.each(sample(WAYS, 2))('a tab that a hidden tab opens by %s is named, and stays behind', async (way) => {
  await prepare();
  const [tab, ...more] = openedIn(await ok('interact', { steps: [`click css=#${way}`] }));
  expect(await activeUrls()).toEqual([`${base}front`]);
  expect(more).toEqual([]);
  expect((await listed()).find(({ current }) => current === true)?.url).toBe(`${base}opens`);
  if (way === 'blank') return;
  expect((await ok('read_page', { tab, wait_for: { text: 'The new page' } })).text).toContain('The new page');
});

itDeep(
  'a window of its own is named, and the window that was in front has the front tab that it had',
  async () => {
    await prepare();
    const [tab] = openedIn(await ok('interact', { steps: ['click css=#window'] }));
    expect(await activeUrls()).toEqual(expect.arrayContaining([`${base}front`]));
    expect((await ok('read_page', { tab, wait_for: { text: 'The new page' } })).text).toContain(
      'The new page',
    );
    expect((await ok('read_page', { tab: 'active' })).text).toContain('What a person looks at');
  },
);

itDeep('one that opens after the receipt stays behind as well, and the next receipt names it', async () => {
  await prepare();
  const named = openedIn(await ok('interact', { steps: ['click css=#later'] }));
  await expect.poll(async () => (await listed()).length, PATIENCE).toBe(3);
  await expect.poll(activeUrls, PATIENCE).toEqual([`${base}front`]);
  const next = await ok('interact', { steps: ['click css=#none'] });
  expect([...named, ...openedIn(next)]).toHaveLength(1);
});
