import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { serveFixtures, SITES, type FixtureServer } from '../../../fixtures/serve.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { launched } from '../../support/launched.ts';
import type { StdioServer } from '../../support/stdio-server.ts';

/** One call of `interact`: its steps, or all of its arguments. */
type Call = readonly string[] | Readonly<Record<string, unknown>>;

const press = (times: number, step: string): string[] => Array.from({ length: times }, () => step);

/** How each page of `fixtures/sites/tasks` is solved, call by call. What opens in a tab of its own is solved elsewhere. */
const DRIVERS: Readonly<Record<string, readonly Call[]>> = {
  'date-picker': [
    [
      'click label=Day',
      ...press(2, 'click text="Next month"'),
      'click role=gridcell[name="17"]',
      'click text=Book',
    ],
  ],
  combobox: [{ fields: { Plan: 'Team' } }],
  slider: [{ fields: { Price: 370 } }],
  'drag-drop': [['drag css=#fix css=#done']],
  'hover-menu': [['hover text=File', 'hover text=Export', 'click text="As PDF"']],
  table: [
    [
      'click role=button[name="Price"]',
      ...press(2, 'click text="Next page"'),
      'click css=tbody>>css=tr:last-child>>role=button',
    ],
  ],
  'infinite-scroll': [
    [
      'wait target text="Entry 30"',
      'scroll to bottom',
      'wait target text="Entry 60"',
      'scroll to bottom',
      'click text="Entry 75"',
    ],
  ],
  'spa-routes': [['click text=Ada'], ['click text="Greet Ada Lovelace"']],
  'rich-text': [['fill label=Message Hello', 'press Control+A', 'click text=Bold', 'click text=Send']],
  canvas: [['click css=#board at 235,55']],
  'copy-paste': [['focus label=From', 'press Control+A Control+C', 'focus label=To', 'press Control+V']],
  tree: [['click text=Documents', 'click text=Tax', 'double_click text=2025.pdf']],
  'masked-card': [['type label=Card 4111111111111111', 'type label=Expires 0931', 'click text=Pay']],
  'debounced-search': [['fill label=Search grace', 'click text="Grace Hopper"']],
  wizard: [['red', 'green', 'blue'].flatMap((answer) => [`fill label=Answer ${answer}`, 'click text=Next'])],
  'double-click-edit': [['double_click css=#title', 'fill css=#title Final', 'press Enter']],
  'range-select': [
    ['click text="Mail 2"', 'Shift+click text="Mail 4"', 'Control+click text="Mail 7"', 'click text=Archive'],
  ],
  'virtual-list': [['scroll css=#view by 0,14950', 'click text="Row 500"']],
  tags: [
    [
      'type label=Tag sea',
      'press Enter',
      'type label=Tag lake',
      'press Enter',
      'type label=Tag river,',
      'click label="Remove lake"',
    ],
  ],
  'one-time-code': [['type label="Digit 1" 4071']],
};

/** Tasks that open a tab: the click that opens it, and the click in it. */
const IN_NEW_TABS: Readonly<Record<string, readonly [string, string]>> = {
  'new-tab': ['click text="Open the report"', 'click text="Mark as read"'],
  'pop-up-window': ['click text="Choose a colour"', 'click text=Teal'],
};

/** Pages that belong to a task, and are none. */
const PART = /-target$/;

let site: FixtureServer;
let server: StdioServer;
beforeAll(async () => {
  site = await serveFixtures();
  ({ server } = await launched());
});
afterAll(() => site.close());

const call = async (name: string, args: Record<string, unknown>): Promise<CallAnswer> => {
  const answer = await server.call(name, args);
  expect(answer.isError, `${name}: ${answer.text}`).toBe(false);
  return answer;
};
async function openTask(name: string): Promise<string> {
  const url = `http://tasks.test:${site.port}/tasks/${name}.html`;
  const { opened } = (await call('tabs', { action: 'open', url })).json<{ opened: string }>();
  return opened;
}
const waitFor = (tab: string, text: string): Promise<CallAnswer> =>
  call('read_page', { tab, format: 'text', wait_for: { text } });

it('knows a way to solve every task', () => {
  const names = readdirSync(join(SITES, 'tasks')).flatMap((file) => /^(.+)\.html$/.exec(file)?.[1] ?? []);
  expect(names.filter((name) => !PART.test(name)).sort()).toEqual(
    [...Object.keys(DRIVERS), ...Object.keys(IN_NEW_TABS)].sort(),
  );
});

describe('a task that is solved with interact, in a hidden tab', () => {
  it.concurrent.each(sample(Object.entries(DRIVERS), 6))('%s', async (name, calls) => {
    const tab = await openTask(name);
    expect((await call('read_page', { tab, format: 'text' })).text).not.toContain('Solved');
    for (const one of calls) await call('interact', { tab, ...('length' in one ? { steps: one } : one) });
    expect((await waitFor(tab, 'Solved: ')).text).toContain(`Solved: ${name}`);
    await call('tabs', { action: 'close', tab });
  });
});

describe('a task that opens a tab', () => {
  it.each(sample(Object.entries(IN_NEW_TABS), 2))('%s', async (name, [open, answer]) => {
    const tab = await openTask(name);
    await call('interact', { tab, steps: [open] });
    const { tabs } = (await call('tabs', { action: 'list' })).json<{
      tabs: { tab: string; url: string }[];
    }>();
    const opened = tabs.find(({ url }) => url.endsWith(`${name}-target.html`))?.tab ?? '';
    await call('interact', { tab: opened, steps: [answer] });
    await waitFor(tab, `Solved: ${name}`);
    await call('tabs', { action: 'close', tab: opened });
    await call('tabs', { action: 'close', tab });
  });
});
