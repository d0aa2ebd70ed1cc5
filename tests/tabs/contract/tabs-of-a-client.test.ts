import { beforeEach, describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { callTool } from '../../support/call-tool.ts';
import { browserState } from '../../support/fake-bridge.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';

const tab = (name: string) => ({ url: `https://${name}.test/`, title: name, content: () => [`# ${name}\n`] });

let server: MemoryServer;
beforeEach(async () => void (server = await startMemoryServer()));

const open = async (url: string, browser?: string): Promise<{ readonly tab: string }> =>
  (await server.call('navigate', { url, browser })).json<{ readonly tab: string }>();

describe('a client works in tabs that it opened or was given', () => {
  it('navigate opens a tab and stays in it', async () => {
    server.bridge.addBrowser({ 1: tab('mail') });
    const [first, second] = [await open('https://a.test'), await open('https://b.test')];
    expect(first.tab).toBe('b1:101');
    expect(second.tab).toBe(first.tab);
    expect((await server.call('read_page')).text).toBe('# Opened\n');
  });

  it('has no tab at first; one that it names by its id becomes the current one', async () => {
    server.bridge.addBrowser({ 1: tab('mail'), 7: tab('docs') });
    const none = await server.call('read_page');
    expect(none.code()).toBe('no_current_tab');
    expect(none.text).toContain('navigate');
    await server.call('read_page', { tab: 'b1:7' });
    expect((await server.call('read_page')).text).toBe('# docs\n');
  });

  it('the front tab is read on purpose and not taken over', async () => {
    server.bridge.addBrowser({ 1: tab('mail') });
    expect((await server.call('read_page', { tab: 'active' })).text).toBe('# mail\n');
    const { tab: opened } = await open('https://a.test');
    expect(opened).not.toBe('b1:1');
  });

  it('a closed tab fails by name, and never reads another', async () => {
    server.bridge.addBrowser({ 1: tab('mail') });
    const { tab: opened } = await open('https://a.test');
    const other = await server.connect();
    expect((await callTool(other, 'tabs', { action: 'close', tab: opened })).isError).toBe(false);
    expect((await server.call('read_page')).code()).toBe('tab_not_found');
    expect((await server.call('read_page')).code()).toBe('no_current_tab');
    await other.close();
  });

  it('a page is opened in a new tab when the current one is gone', async () => {
    server.bridge.addBrowser({ 1: tab('mail') });
    const { tab: first } = await open('https://a.test');
    const other = await server.connect();
    await callTool(other, 'tabs', { action: 'close', tab: first });
    expect((await open('https://b.test')).tab).toMatch(/^b1:(?!101)/);
    await other.close();
  });

  it('a search names the tabs whose text could not be read, and finds the others', async () => {
    server.bridge.addBrowser({ 1: tab('mail'), 7: tab('docs'), 8: tab('mail-help') });
    server.bridge.answer({
      'page.find': async ({ tab_id: id }) => {
        if (id !== 7) throw new SpillwayError('policy_denied', 'Reading is denied.');
        const page = { url: 'https://docs.test/', title: 'docs', coverage: [] };
        return {
          ...page,
          lines: ['e1 heading Mail'],
          more: 0,
          is_more_counted: true,
          hidden: 0,
          nearest: [],
        };
      },
    });
    const found = (await server.call('tabs', { search: 'MAIL' })).json();
    expect(found).toMatchObject({
      tabs: [{ tab: 'b1:1' }, { tab: 'b1:7', found: ['e1 heading Mail'] }, { tab: 'b1:8' }],
      not_searched: { 'b1:1': 'policy_denied', 'b1:8': 'policy_denied' },
    });
  });

  it('a page without text says so', async () => {
    server.bridge.addBrowser({ 1: { ...tab('blank'), content: () => ['\n'] } });
    expect((await server.call('read_page', { tab: 'b1:1' })).text).toContain('The page has no text.');
  });

  it('a wrong id, and closing another tab, leave the current one', async () => {
    server.bridge.addBrowser({ 1: tab('mail'), 7: tab('docs') });
    await server.call('read_page', { tab: 'b1:1' });
    const wrong = await server.call('read_page', { tab: 'b1:99' });
    expect(wrong.code()).toBe('tab_not_found');
    expect(wrong.text).not.toContain('your current tab');
    expect((await server.call('tabs', { action: 'activate', tab: 'b1:98' })).code()).toBe('tab_not_found');
    expect((await server.call('read_page')).text).toBe('# mail\n');
    expect((await server.call('tabs', { action: 'close', tab: 'b1:7' })).isError).toBe(false);
    expect((await server.call('tabs', { action: 'close', tab: 'b1:7' })).text).not.toContain('current tab');
    expect((await server.call('read_page')).text).toBe('# mail\n');
  });

  it('two clients have two current tabs', async () => {
    server.bridge.addBrowser({ 1: tab('mail'), 7: tab('docs') });
    const other = await server.connect();
    await server.call('read_page', { tab: 'b1:1' });
    await callTool(other, 'read_page', { tab: 'b1:7' });
    expect((await server.call('read_page')).text).toBe('# mail\n');
    expect((await callTool(other, 'read_page')).text).toBe('# docs\n');
    await other.close();
  });

  it('no browser is an error that names the next step, and several are one that names the choices', async () => {
    const none = await server.call('navigate', { url: 'https://a.test' });
    expect(none.code()).toBe('browser_not_connected');
    expect(none.text).toContain('index.js doctor');
    const health = (await server.call('oc_connection_health')).json<{ problem: { code: string } }>();
    expect(health.problem.code).toBe('browser_not_connected');
    server.bridge.addBrowser({ 1: tab('mail') });
    server.bridge.addBrowser({ 1: tab('work') });
    const answer = await server.call('navigate', { url: 'https://a.test' });
    expect(answer.code()).toBe('browser_ambiguous');
    expect(answer.text).toMatch(/b1 \(Chromium .*b2 \(Chromium /);
    expect((await open('https://a.test', 'b2')).tab).toMatch(/^b2:/);
    expect((await server.call('tabs')).json<{ tabs: unknown[] }>().tabs).toHaveLength(3);
  });
});

const facts = (label: string | null) => ({ name: 'Chromium', version: '156.0', label });
const listed = async (args: object = {}): Promise<unknown> =>
  (await server.call('tabs', { ...args })).json<{ browsers?: unknown }>().browsers;

it('lists a browser that has a name, without what nobody sees and without secrets', async () => {
  server.bridge.addBrowser();
  server.bridge.change(browserState({ facts: facts('Work') }));
  expect(await listed()).toEqual([{ browser: 'b1', name: 'Chromium 156.0', label: 'Work' }]);
  server.bridge.change(browserState({ facts: facts(`password=${'hunter2'.repeat(3)}`) }));
  expect(JSON.stringify(await listed())).not.toContain('hunter2hunter2');
});
