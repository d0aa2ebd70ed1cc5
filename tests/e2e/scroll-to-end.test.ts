import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type ExpectStatic } from 'vitest';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { SCROLL_PAGES } from './scroll/pages.ts';

let http: Server;
let base: string;
let browser: LentChromium;
let server: StdioServer;

beforeAll(async () => {
  http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/part')
      return void delay(120).then(() => response.end(`Part ${searchParams.get('at') ?? ''}`));
    const page = SCROLL_PAGES[pathname.slice(1)];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  browser = await lendChromium();
  server = await startServer({ env: browser.serverEnv, args: ['--sync-wait-ms', '120000'] });
});
afterAll(async () => {
  await server.close();
  await browser.close();
  http.closeAllConnections();
  http.close();
});

async function openTab(name: string, by = server): Promise<string> {
  const opened = await by.call('tabs', { action: 'open', url: `${base}/${name}` });
  expect(opened.isError, opened.text).toBe(false);
  return opened.json<{ opened: string }>().opened;
}

/** Whether a page of `placed` says that it and its list are where they were at first. */
async function isInPlace(tab: string): Promise<boolean> {
  const { text } = await server.call('read_page', { tab, format: 'text', find: 'at 700 and 840' });
  return text.includes('at 700 and 840');
}
/** The `expect` of its test: a poll of the common one fails where another test has just ended. */
const expectPlace = (tab: string, { poll }: ExpectStatic): Promise<void> =>
  poll(() => isInPlace(tab)).toBe(true);

/** Reads a page in a tab of its own, behind the front one. */
async function scrollThrough(name: string, args: object = {}) {
  const tab = await openTab(name);
  const answer = await server.call('read_page', { tab, format: 'text', scroll: 'to_end', ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}

const rowsOf = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map(([, row]) => Number(row));
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

// Most of the time is the browser's: several pages are scrolled at once.
describe.concurrent('read_page { scroll: "to_end" } of a hidden tab', () => {
  it.each(['lazy', 'lazy-smooth'])('loads what waits to come into view: %s', async (name) => {
    const { text, notes } = await scrollThrough(name);
    expect(rowsOf(text, 'Part')).toEqual(numbers(0, 5));
    expect(notes).not.toContain('scroll_stopped');
  });

  it('loads an endless list to its end', async () => {
    const { text } = await scrollThrough('endless');
    expect(text.match(/row 19$/gm)).toHaveLength(5);
    expect(text).toContain('End marker');
  });

  it('stops at its bound, and says so', async () => {
    const { text, notes } = await scrollThrough('endless', { max_scrolls: 2 });
    expect(text.match(/row 19$/gm)?.length).toBeLessThan(5);
    expect(notes).toContain('scroll_stopped: max_scrolls is 2; there may be more below.');
  });

  it.each(['inner', 'nested'])('scrolls parts of the page: %s', async (name) => {
    const { text } = await scrollThrough(name);
    expect(rowsOf(text, 'Inner')).toEqual(numbers(0, 59));
  });

  it.each(['text', 'markdown', 'snapshot', 'html', 'nodes'])(
    'puts a virtual list together: %s',
    async (format) => {
      const { text, notes } = await scrollThrough('virtual', { format });
      if (format === 'nodes') {
        // Rows that the page shows again keep their references, and no others.
        const items = text.split('\n').filter((line) => line.includes('"text":"Row'));
        expect(items.at(0)).toContain('"ref":');
        expect(items.at(-1)).not.toContain('"ref":');
      }
      // Items name the whole list, too.
      const rows = rowsOf(text, format === 'nodes' ? '"text":"Row' : 'Row');
      expect(rows).toEqual(numbers(1, 60));
      expect(text.indexOf('Before the list')).toBeLessThan(text.indexOf('Row 1'));
      expect(text.indexOf('After the list')).toBeGreaterThan(text.indexOf('Row 60'));
      expect(notes).toContain('the page holds only the rows in view');
    },
  );

  it.each([
    'virtual-padding',
    'virtual-buttons',
    'virtual-variable',
    'virtual-window',
    'virtual-window-padding',
    'virtual-table',
    'virtual-window-table',
    'virtual-shadow',
    'virtual-counted',
    'in-frame',
  ])('gives each row once and in order: %s', async (name) => {
    const { text, notes } = await scrollThrough(name, { format: 'markdown' });
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, 60));
    expect(notes).not.toContain('virtual_list');
    expect(notes).not.toContain('scroll_stopped');
  });

  it.each([
    ['late-blank', 60],
    ['late-loading', 60],
    ['late-at-last', 100],
  ])('waits for rows that come after their window: %s', async (name, rows) => {
    const { text } = await scrollThrough(name);
    expect(text).not.toContain('Loading');
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, rows));
  });

  it('says how many rows of a counted list it has not seen', async () => {
    const { notes } = await scrollThrough('virtual-counted', { max_scrolls: 4 });
    expect(notes).toMatch(/virtual_list: \d\d of 60 rows were seen\./);
  });

  it('puts two virtual lists together', async () => {
    const { text } = await scrollThrough('virtual-two');
    expect(rowsOf(text, 'Left')).toEqual(numbers(1, 40));
    expect(rowsOf(text, 'Right')).toEqual(numbers(1, 50));
    expect(text.indexOf('Left 40')).toBeLessThan(text.indexOf('Between'));
    expect(text.indexOf('Between')).toBeLessThan(text.indexOf('Right 1'));
  });

  it.each([
    ['virtual-5000', 5_000],
    ['window-1000', 1_000],
  ])('reads each row of a long list once: %s', async (name, rows) => {
    const { text, notes } = await scrollThrough(name);
    expect(notes).not.toContain('scroll_stopped');
    expect(rowsOf(text, 'Row')).toEqual(numbers(1, rows));
  });

  it.each(['short', 'carousel'])('leaves a page that does not scroll down as it is: %s', async (name) => {
    const { text, notes } = await scrollThrough(name);
    expect(text).toMatch(/^Nothing to scroll$|not moved$/m);
    expect(notes).not.toContain('scroll');
  });

  it('gives up a page that scrolls itself back', async () => {
    const { text, notes } = await scrollThrough('back');
    expect(text).toContain('Stubborn');
    expect(notes).toContain('scroll_stopped: a part of the page scrolls itself back');
  });

  it('lets two calls on one tab take turns, and puts the page and its list back where they were', async ({
    expect,
  }) => {
    const tab = await openTab('placed');
    await expectPlace(tab, expect);
    const read = () => server.call('read_page', { tab, format: 'text', scroll: 'to_end' });
    for (const { text } of await Promise.all([read(), read()]))
      expect(rowsOf(text, 'Row')).toEqual(numbers(1, 40));
    await expectPlace(tab, expect);
  });

  it('puts them back when the call is cancelled', async ({ expect }) => {
    const tab = await openTab('placed-5000');
    await expectPlace(tab, expect);
    const abort = new AbortController();
    const call = server
      .call('read_page', { tab, scroll: 'to_end' }, abort.signal)
      .catch((error: unknown) => error);
    await expect.poll(() => isInPlace(tab)).toBe(false);
    abort.abort();
    expect(await call).toBeInstanceOf(Error);
    await expectPlace(tab, expect);
  });

  it('keeps what it has read at the end of its time, and says so', async () => {
    const hasty = await startServer({ env: browser.serverEnv, args: ['--sync-wait-ms', '2000'] });
    const tab = await openTab('forever', hasty);
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const extraction = { schema, multiple: true, scope: '.row', selectors: { name: ':scope' } };
    for (const [tool, args] of [
      ['read_page', { format: 'text' }],
      ['extract_data', extraction],
    ] as const) {
      const answer = await hasty.call(tool, { tab, scroll: 'to_end', ...args });
      const rows = rowsOf(answer.text, 'Inner');
      expect(rows.length).toBeGreaterThanOrEqual(20);
      expect(rows).toEqual(numbers(0, rows.length - 1));
      expect(answer.notes).toContain(
        'scroll_stopped: scrolling took longer than 2 s (--sync-wait-ms); there may be more below.',
      );
    }
    await hasty.close();
  });

  it('fails by name when the page navigates before anything was read', async ({ expect }) => {
    const tab = await openTab('leaves');
    const answer = await server.call('read_page', { tab, format: 'text', scroll: 'to_end' });
    expect(answer.code()).toBe('page_changed');
    const read = async (): Promise<string> => (await server.call('read_page', { tab, format: 'text' })).text;
    await expect.poll(read).toContain('Nothing to scroll');
  });

  it('keeps the rows that it has read when the page navigates', async () => {
    const { text, notes } = await scrollThrough('virtual-leaves');
    const rows = rowsOf(text, 'Row');
    expect(rows.length).toBeGreaterThan(40);
    expect(rows).toEqual(numbers(1, rows.length));
    expect(notes).toContain('scroll_stopped: page_changed');
  });
});
