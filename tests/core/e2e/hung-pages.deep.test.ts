import { beforeEach, expect, it } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { lendChromium } from '../../support/lent-browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

/** It waits for a response that never comes: as stuck as a loop, and the server knows that it is. */
const HANG = 'const ask = new XMLHttpRequest(); ask.open("GET", "/hanging", false); ask.send();';

/** Pages whose process never comes back, each in its own way; they hang when the test decides. */
const PAGES: Readonly<Record<string, string>> = {
  good: '<title>good</title><p>The good page</p>',
  'while it loads': `<title>hangs</title><p>Before</p><script>${HANG}</script>`,
  'after it has loaded': `<title>hangs</title><script>onload = () => setTimeout(() => { ${HANG} })</script>`,
  'asking again and again': '<title>hangs</title><p>Before</p><script>for (;;) confirm("again?")</script>',
  'in a frame of its own site': '<title>hangs</title><iframe src="/after it has loaded"></iframe>',
  'when it is left': '<title>hangs</title><script>onbeforeunload = () => { for (;;); }</script>',
};

let hanging = 0;
const site = await servePages(PAGES, { '/hanging': () => void (hanging += 1) });
const browser = await lendChromium();
let server: StdioServer;
const { ok } = calling(() => server);
beforeEach(async () => {
  server = await startServer({ env: browser.serverEnv });
  return () => server.close();
});

const to = (name: string) => ({
  url: site.url(`/${encodeURIComponent(name)}`),
  wait_until: 'domcontentloaded',
});

type Receipt = { readonly tab: string; readonly replaces?: string; readonly title: string };

it.each([
  ['after it has loaded', 1],
  ['while it loads', 1],
  ['asking again and again', 0],
  ['in a frame of its own site', 1],
  ['when it is left', 0],
] as const)('navigate leaves a page that hangs %s', async (name, announced) => {
  hanging = 0;
  // It is the current tab also when its page is not loaded within this time.
  await server.call('navigate', { ...to(name), timeout_ms: 3_000 });
  await expect.poll(() => hanging).toBe(announced);
  const { tab, replaces, title } = (await ok('navigate', to('good'))).json<Receipt>();
  expect(title).toBe('good');
  if (replaces !== undefined) expect(replaces).not.toBe(tab);
  expect((await ok('read_page', { format: 'text' })).text).toContain('The good page');
});
