import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, type ExpectStatic } from 'vitest';
import type { CallAnswer } from '../../support/call-tool.ts';
import { file, serveFiles } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';
import { SCROLL_PAGES } from './pages.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

export const rowsOf = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`${name} (\\d+)`, 'g'))].map(([, row]) => Number(row));

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Scrolls pages in tabs behind the front one, without a bound of time that a busy machine would reach. */
export async function scrollRig() {
  const { server } = await launched('--sync-wait-ms', '120000');
  const site = await serveFiles({
    ...Object.fromEntries(Object.entries(SCROLL_PAGES).map(([name, html]) => [`/${name}`, file(html, HTML)])),
    '/part': (response, { url = '' }) =>
      void delay(120).then(() => response.end(`Part ${new URL(url, 'http://x').searchParams.get('at')}`)),
  });
  afterAll(() => site.close());

  async function openTab(name: string, by = server): Promise<string> {
    const opened = await by.call('tabs', { action: 'open', url: site.url(`/${name}`) });
    expect(opened.isError, opened.text).toBe(false);
    return opened.json<{ opened: string }>().opened;
  }
  async function scrollThrough(name: string, args: object = {}): Promise<CallAnswer> {
    const tab = await openTab(name);
    const answer = await server.call('read_page', { tab, format: 'text', scroll: 'to_end', ...args });
    expect(answer.isError, answer.text).toBe(false);
    return answer;
  }
  /** Whether a page of `placed` says that it and its list are where they were at first. */
  async function isInPlace(tab: string): Promise<boolean> {
    const { text } = await server.call('read_page', { tab, format: 'text', find: 'at 700 and 840' });
    return text.includes('at 700 and 840');
  }
  /** With the `expect` of its test: a poll of the common one fails where another test has just ended. */
  const expectPlace = (tab: string, { poll }: ExpectStatic): Promise<void> =>
    poll(() => isInPlace(tab)).toBe(true);
  return { server, openTab, scrollThrough, expectPlace };
}
