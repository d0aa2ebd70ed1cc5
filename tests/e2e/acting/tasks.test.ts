import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { serveFixtures, SITES, type FixtureServer } from '../../../fixtures/serve.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { launched } from '../../support/launched.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import { DRIVERS, IN_NEW_TABS } from './task-drivers.ts';

/** Pages that belong to a task, and are none. */
const PART = /^frame-(?:inner|middle)$|^login-|^(?:new-tab|pop-up-window)-target$/;

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
  it.concurrent.each(sample(Object.entries(DRIVERS), 4))('%s', async (name, calls) => {
    const tab = await openTask(name);
    expect((await call('read_page', { tab, format: 'text' })).text).not.toContain('Solved');
    for (const one of calls) await call('interact', { tab, ...('length' in one ? { steps: one } : one) });
    expect((await waitFor(tab, 'Solved: ')).text).toContain(
      `Solved: ${name === 'login' ? 'login-done' : name}`,
    );
    await call('tabs', { action: 'close', tab });
  });
});

describe('a task that opens a tab', () => {
  it.each(Object.entries(IN_NEW_TABS))('%s', async (name, [open, answer]) => {
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
