import { afterAll, beforeAll, expect, it } from 'vitest';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { spawned } from '../support/spawned.ts';

const { server } = await spawned();
let site: FileSite;
let open: () => void = () => undefined;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = `<!doctype html><title>Waiting</title><p id=p>Loading orders</p><button hidden>Done</button>
  <script>fetch('/held').then(() => { p.textContent = 'Order placed'; document.querySelector('button').hidden = false;
    history.pushState(null, '', '/orders/7'); })</script>`;

beforeAll(async () => {
  site = await serveFiles({
    '/page': file(PAGE, HTML),
    '/held': (response) => {
      open = () => void response.writeHead(200).end();
    },
  });
});
afterAll(() => site.close());

it('waits in a hidden tab for what happens, and says what was there instead', async () => {
  const opened = await server.call('tabs', { action: 'open', url: site.url('/page') });
  const { opened: tab } = opened.json<{ opened: string }>();
  await server.call('navigate', { tab, url: site.url('/page') });
  const wait = async (args: Record<string, unknown>): Promise<string> => {
    const answer = await server.call('wait_for', { tab, timeout_ms: 50_000, ...args });
    expect(answer.isError, answer.text).toBe(false);
    return answer.text;
  };
  const early = await wait({
    text: 'order placed',
    target: 'role=button[name="Done"]',
    url: '/orders/',
    timeout_ms: 300,
  });
  expect(early).toMatch(/^Timed out after \d+ ms without text, target, url\.\n/);
  expect(early).toMatch(/url: \S+\/page\n/);
  expect(early).toMatch(/nearest: e\d+ paragraph Loading orders\n/);
  expect(early).toMatch(/pending: \S+\/held\n/);
  expect(await wait({ target: 'css=button', timeout_ms: 300 })).toContain('target: 1 hidden\n');
  expect(await wait({ text: 'nowhere', text_gone: 'Order placed', mode: 'any' })).toMatch(
    /^After \d+ ms: text_gone\.\n/,
  );
  const waiting = wait({
    text: 'order placed',
    text_gone: 'Loading',
    target: 'text=Done',
    target_gone: 'css=table',
    url: '**/orders/*',
    load: true,
    network_idle: true,
  });
  open();
  expect(await waiting).toMatch(
    /^After \d+ ms: text, text_gone, target, target_gone, url, load, network_idle\.\n/,
  );
  const wrong = await server.call('wait_for', { tab, target: 'bogus=1' });
  expect(wrong.code()).toBe('selector_invalid');
});
