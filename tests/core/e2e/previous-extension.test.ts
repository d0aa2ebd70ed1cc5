import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { spawnChromium } from '../../support/browser.ts';
import { calling, servePages } from '../../support/calling.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { file } from '../../support/file-site.ts';
import { startServer } from '../../support/stdio-server.ts';
import { testFolder } from '../../support/test-folder.ts';

/**
 * The last build of the extension that speaks only wire version 1: people update it and the server at different times.
 */
const BUILD = join(import.meta.dirname, '../../../fixtures/extension-wire-1.zip');
const ORDER = 'Order 402917 of Ada Lovelace leaves the northern branch on Thursday.';
const PAGE = `<title>Shop</title><h1>Shop</h1><p>${ORDER}</p><label>Name <input id=name></label><button id=send>Send</button><output id=out></output>
  <script>send.onclick = () => fetch('/sent').then((answer) => answer.text()).then((text) => (out.textContent = text + ' ' + document.querySelector('#name').value))</script>`;

const folder = testFolder();
for (const [name, bytes] of Object.entries(unzipSync(readFileSync(BUILD)))) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), bytes);
}
const site = await servePages({ shop: PAGE }, { '/sent': file('Sent by') });
const browser = await spawnChromium({ extension: folder });
atEndOfFile(() => browser.close());
const server = await startServer({ env: browser.serverEnv });
const { ok } = calling(() => server);
const textOf = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
  (await ok(name, args)).text;

it('an extension of the wire version before is served: read, act, capture, crawl', async () => {
  const url = site.url('/shop');
  await ok('navigate', { url });
  expect(await textOf('read_page')).toContain('# Shop');
  expect(await textOf('find', { label: 'Name' })).toContain('Name');
  await ok('network', { action: 'start' });
  const receipt = await textOf('interact', { fields: { Name: 'Ada' }, steps: ['click css=#send'] });
  expect(receipt).toContain('Sent by Ada');
  expect(await textOf('network', { action: 'slice' })).toContain('/sent');
  const health = (await ok('oc_connection_health')).json<{ browsers: { wire: number }[] }>();
  expect(health.browsers.map(({ wire }) => wire)).toEqual([1]);
  expect(await textOf('crawl', { url, max_pages: 1 })).toContain('Shop');
  const takeover = await server.call('request_human_input', { type: 'takeover', message: 'Log in' });
  expect(takeover.code()).toBe('human_unreachable');
  expect(takeover.text).toContain('Update the extension');
  const elsewhere = `${url.replace('127.0.0.1', 'localhost')}?q=${encodeURIComponent(ORDER)}`;
  const carrying = await server.call('navigate', { url: elsewhere });
  expect(carrying.code(), carrying.text).toBe('wire_version_mismatch');
  expect(carrying.text).toContain('Update the extension');
});
