import { afterEach, expect, it } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { findProcesses } from '../../support/processes.ts';
import { errorOf, Gates, nextActWorks, written } from './gated-page.ts';
import { actingRig } from './rig.ts';

const GO = (script: string): string => `<button onclick="${script}">Go</button><p id=out></p>`;
const PAGES: Readonly<Record<string, string>> = {
  'opened again': GO('document.open()'),
  'without elements': GO('document.documentElement.remove()'),
};
const gates = new Gates();
const rig = actingRig((name, query) => PAGES[name] ?? gates.pages(name, query));
afterEach(() => gates.open());

/** Kills the processes that render pages, except the extension's. */
function crashPages(): void {
  for (const { pid, command } of findProcesses(rig.browser.folder))
    if (command.includes('--type=renderer') && !command.includes('--extension-process'))
      process.kill(pid, 'SIGKILL');
}

/** Discards a tab as a browser short of memory does. Returns its new number. */
const discard = (tab: string): Promise<number> =>
  rig.browser.scope.evaluate(`chrome.tabs.discard(${tab.split(':')[1]}).then(({ id }) => id)`);

it('a page that crashes midway says so, and is loaded again', async () => {
  const tab = await rig.open('events?at=dragstart');
  const acting = rig.act(tab, 'hover css=#check', 'drag css=#third css=#second', 'click css=#check');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  crashPages();
  const { code, message, hint } = errorOf(await acting);
  expect(code).toBe('page_crashed');
  expect(message).toMatch(
    new RegExp(`^Step 2 of 3 .*Tab ${tab} has crashed.*Done before it: hover css=#check. Not tried: click`),
  );
  expect(hint).toContain('reload');
  expect(errorOf(await rig.act(tab, 'click css=#check')).code).toBe('page_crashed');
  gates.open();
  await rig.server.call('navigate', { tab, url: rig.url('events') });
  await nextActWorks(rig, tab, '^');
  await rig.close(tab);
});

it.each([['type css=#field abc', 'keydown:b'] as const, ['wait text Never', ''] as const])(
  'a tab that is discarded midway says so: %s, at %s',
  async (step, at) => {
    const tab = await rig.open(`events?at=${at}`);
    const acting = rig.act(tab, 'click css=#check', step, 'click css=#check');
    if (at === '') await expect.poll(() => written(rig, tab), PATIENCE).toContain('click check');
    else await expect.poll(() => gates.held, PATIENCE).toBe(1);
    const now = `b1:${await discard(tab)}`;
    for (const answer of [await acting, await rig.act(tab, 'click css=#check')]) {
      const { code, message, hint } = errorOf(answer);
      expect(code, message).toBe('tab_discarded');
      expect(message).toContain(`Tab ${tab} was discarded to save memory, and is tab ${now} now.`);
      expect(hint).toContain('reload');
    }
    gates.open();
    const loaded = await rig.server.call('navigate', { tab: now, url: rig.url('events') });
    expect(loaded.isError, loaded.text).toBe(false);
    expect(await rig.text(now)).toContain('Log:');
    await rig.close(now);
  },
);

it('a tab that was discarded and is loaded again behind another one is acted in, also once it is in front', async () => {
  const tab = `b1:${await discard(await rig.open('events'))}`;
  await rig.server.call('navigate', { tab, url: rig.url('events') });
  await rig.did(tab, 'click css=#check', 'scroll to bottom');
  await rig.browser.scope.evaluate(`chrome.tabs.update(${tab.split(':')[1]}, { active: true })`);
  await rig.did(tab, 'click css=#check');
  expect((await written(rig, tab)).match(/click check/g)).toHaveLength(2);
  await rig.close(tab);
});

it('a tab that is closed midway has not done what was not seen', async () => {
  const tab = await rig.open('events?at=mousedown');
  const acting = rig.act(tab, 'hover css=#check', 'click css=#first');
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  await rig.browser.scope.evaluate(`chrome.tabs.remove(${tab.split(':')[1]})`);
  const { code, message } = errorOf(await acting);
  expect(code).toBe('tab_not_found');
  expect(message).toContain('Step 2 of 2 (click css=#first)');
});

it('a page whose script has stopped does not answer, and is not harmed', async () => {
  const tab = await rig.open('events?at=mousemove:1');
  const first = await rig.act(tab, 'drag css=#first css=#second', 'click css=#check');
  expect(errorOf(first).code, first.text).toBe('page_unresponsive');
  gates.open();
  await expect.poll(() => written(rig, tab), PATIENCE).toContain('mouseup');
  await rig.did(tab, 'click css=#check', 'press x');
  expect(await written(rig, tab)).toMatch(/mousedown check;mouseup check;click check;keydown x;keyup x;$/);
  await rig.close(tab);
});

it.each(['opened again', 'without elements'])(
  'a page that is %s is read, and acts in it say what is missing',
  async (page) => {
    const tab = await rig.open(page);
    await rig.did(tab, 'click text=Go');
    for (const [step, code] of [
      ['scroll to bottom', undefined],
      ['press x', undefined],
      ['wait target_gone text=Go', undefined],
      ['submit', 'target_unsuitable'],
      ['click css=#gone', 'selector_not_found'],
    ] as const) {
      const answer = await rig.act(tab, step);
      expect(answer.code(), answer.text).toBe(code);
      expect(answer.text).not.toContain('could not be read');
    }
    for (const [name, args] of [
      ['find', { query: 'x' }],
      ['read_page', { format: 'markdown' }],
      ['read_page', { format: 'snapshot' }],
      ['wait_for', { text: 'x', timeout_ms: 200 }],
      ['html_skeleton', {}],
      ['screenshot', {}],
    ] as const) {
      const answer = await rig.server.call(name, { tab, ...args });
      expect(answer.isError, answer.text).toBe(false);
    }
    await rig.close(tab);
  },
);
