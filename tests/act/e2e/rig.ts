import { beforeAll } from 'vitest';
import { LAUNCH_ARGS, lendBrowser } from '../../support/launched.ts';
import type { LentChromium } from '../../support/lent-browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { answerAt } from '../../support/file-site.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

/** A page by its name; null if no page has it. `NAME:PORT` is replaced in it, so that frames can name other hosts. */
export type PageSource = (name: string, query: URLSearchParams) => string | null | Promise<string | null>;

/** A browser that nothing else controls, a server connected to it, and pages on names of loopback. */
export interface ActingRig<B extends LentChromium = LentChromium> {
  readonly browser: B;
  readonly server: StdioServer;
  /** The address of a page on a host of its own: each host is another site, drawn by another process. */
  url(name: string, host?: string): string;
  /** Loads a page in a tab behind the one in front, or in a new one in front of all, and makes it the session's current tab. */
  open(name: string, options?: { readonly front?: boolean; readonly host?: string }): Promise<string>;
  act(tab: string, ...steps: readonly (string | object)[]): Promise<CallAnswer>;
  /** The same for steps that all work. */
  did(tab: string, ...steps: readonly (string | object)[]): Promise<CallAnswer>;
  text(tab: string): Promise<string>;
  /** Gives a tab back: another page may be loaded in it. */
  close(tab: string): Promise<void>;
}

/** Starts one for a whole test file. @param args of the server */
export const actingRig = (pages: PageSource, args: readonly string[] = []): ActingRig =>
  actingRigOf(() => lendBrowser('private'), pages, args);

/** The same with a browser of the file's own. */
export function actingRigOf<B extends LentChromium>(
  launch: () => Promise<B>,
  pages: PageSource,
  args: readonly string[] = [],
): ActingRig<B> {
  let browser: B;
  let server: StdioServer;
  let port = 0;
  beforeAll(async () => {
    port = await answerAt(async (request, response) => {
      if (request.url === '/favicon.ico') return void response.writeHead(204).end();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      const html = await pages(decodeURIComponent(pathname.slice(1)), searchParams);
      response.writeHead(html === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(html?.replaceAll('PORT', String(port)));
    });
    browser = await launch();
    atEndOfFile(() => browser.close());
    server = await startServer({ args: [...LAUNCH_ARGS, ...args], env: browser.serverEnv });
  });
  const url: ActingRig['url'] = (name, host = 'a.test') => `http://${host}:${port}/${encodeURI(name)}`;
  const done = async (answer: Promise<CallAnswer>): Promise<CallAnswer> => {
    const result = await answer;
    if (result.isError) throw new Error(result.text);
    return result;
  };
  const free: string[] = [];
  const inFront = new Set<string>();
  const newTab = async (activate: boolean): Promise<string> => {
    // A blank page that is asked for by its address may still load, and end the load that follows.
    const opened = await done(server.call('tabs', { action: 'open', activate }));
    const { opened: tab } = opened.json<{ opened: string }>();
    if (activate) inFront.add(tab);
    return tab;
  };
  return {
    get browser() {
      return browser;
    },
    get server() {
      return server;
    },
    url,
    async open(name, { front = false, host } = {}) {
      const tab = (front ? undefined : free.pop()) ?? (await newTab(front));
      await done(server.call('navigate', { tab, url: url(name, host) }));
      return tab;
    },
    act: (tab, ...steps) => server.call('interact', { tab, steps }),
    did: (tab, ...steps) => done(server.call('interact', { tab, steps })),
    text: async (tab) => (await done(server.call('read_page', { tab, format: 'text' }))).text,
    async close(tab) {
      if (inFront.has(tab)) await done(server.call('tabs', { action: 'close', tab }));
      else free.push(tab);
    },
  };
}
