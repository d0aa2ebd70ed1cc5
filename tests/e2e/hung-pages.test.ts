import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sample } from '../support/depth.ts';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { answerAt } from '../support/file-site.ts';

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
let base: string;
let browser: LentChromium;
let server: StdioServer;

beforeAll(async () => {
  const port = await answerAt((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname.slice(1));
    if (name === 'hanging') return void (hanging += 1);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(PAGES[name] ?? '');
  });
  base = `http://127.0.0.1:${port}/`;
  browser = await lendChromium();
});
beforeEach(async () => {
  server = await startServer({ env: browser.serverEnv });
  return () => server.close();
});

const navigate = (name: string, more: object = {}) =>
  server.call('navigate', { url: base + encodeURIComponent(name), wait_until: 'domcontentloaded', ...more });
const read = async (): Promise<{ text: string; notes: string }> => {
  const answer = await server.call('read_page', { format: 'text' });
  expect(answer.isError, answer.text).toBe(false);
  return answer;
};

interface Receipt {
  readonly tab: string;
  readonly replaces?: string;
  readonly title: string;
}

it.each(
  sample(
    [
      ['after it has loaded', 1],
      ['while it loads', 1],
      ['asking again and again', 0],
      ['in a frame of its own site', 1],
      ['when it is left', 0],
    ] as const,
    4,
  ),
)('navigate leaves a page that hangs %s', async (name, announced) => {
  hanging = 0;
  // It is the current tab also when its page is not loaded within this time.
  await navigate(name, { timeout_ms: 3_000 });
  await expect.poll(() => hanging).toBe(announced);
  const left = await navigate('good');
  expect(left.isError, left.text).toBe(false);
  const { tab, replaces, title } = left.json<Receipt>();
  expect(title).toBe('good');
  if (replaces !== undefined) expect(replaces).not.toBe(tab);
  expect((await read()).text).toContain('The good page');
});
