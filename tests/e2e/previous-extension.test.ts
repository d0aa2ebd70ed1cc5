import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spawnChromium, type TestChromium } from '../support/browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { testFolder } from '../support/test-folder.ts';

/**
 * The last build of the extension that speaks only wire version 1: people update it and the server at different times.
 */
const BUILD = join(import.meta.dirname, '../../fixtures/extension-wire-1.zip');
const PAGE = `<title>Shop</title><h1>Shop</h1><label>Name <input id=name></label><button id=send>Send</button><output id=out></output>
  <script>send.onclick = () => fetch('/sent').then((answer) => answer.text()).then((text) => (out.textContent = text + ' ' + document.querySelector('#name').value))</script>`;

const folder = testFolder();
const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(request.url === '/sent' ? 'Sent by' : PAGE);
});
let browser: TestChromium;
let server: StdioServer;

beforeAll(async () => {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(BUILD)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  browser = await spawnChromium({ extension: folder });
  server = await startServer({ env: browser.serverEnv });
});
afterAll(async () => {
  await server.close();
  await browser.close();
  site.closeAllConnections();
  site.close();
});

async function ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const answer = await server.call(name, args);
  expect(answer.isError, answer.text).toBe(false);
  return answer.text;
}

it('an extension of the wire version before is served: read, act, capture, crawl', async () => {
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await ok('navigate', { url });
  expect(await ok('read_page', {})).toContain('# Shop');
  expect(await ok('find', { label: 'Name' })).toContain('Name');
  await ok('network', { action: 'start' });
  const receipt = await ok('interact', { fields: { Name: 'Ada' }, steps: ['click css=#send'] });
  expect(receipt).toContain('Sent by Ada');
  expect(await ok('network', { action: 'slice' })).toContain('/sent');
  const health = JSON.parse(await ok('oc_connection_health')) as { browsers: { wire: number }[] };
  expect(health.browsers.map(({ wire }) => wire)).toEqual([1]);
  expect(await ok('crawl', { url, max_pages: 1 })).toContain('Shop');
  const takeover = await server.call('request_human_input', { type: 'takeover', message: 'Log in' });
  expect(takeover.code()).toBe('human_unreachable');
  expect(takeover.text).toContain('Update the extension');
});
