import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { executable } from '../support/browser.ts';
import type { MemoryServer } from '../support/memory-client.ts';
import { program, startWithUpstreams } from '../support/upstream-rig.ts';

/* @playwright/mcp, with a browser of its own, behind ours. */

const PLAYWRIGHT = fileURLToPath(new URL('../../node_modules/@playwright/mcp/cli.js', import.meta.url));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'spillway-servers-'));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function start(...args: Parameters<typeof startWithUpstreams>): Promise<MemoryServer> {
  const server = await startWithUpstreams(...args);
  ends.push(() => server.close());
  return server;
}

/** A page whose list is too long for an answer inline. */
async function startSite(): Promise<string> {
  const rows = Array.from({ length: 2_000 }, (_, n) => `<li>Row ${n} of the list</li>`).join('');
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>A long list</title><h1>The list</h1><button>Press</button><ul>${rows}</ul>`);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  ends.push(() => site.close());
  const address = site.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

const flags = async (cwd: string): Promise<readonly string[]> => [
  ...['--headless', '--isolated', '--no-sandbox', '--browser', 'chrome'],
  ...['--executable-path', await executable(), '--output-dir', cwd],
];

async function useBrowser(server: MemoryServer): Promise<void> {
  const url = await startSite();
  const opened = await server.call('browser_browser_navigate', { url });
  expect(opened.text).toContain('A long list');
  const stored = await server.call('browser_browser_snapshot', { output_mode: 'handle' });
  const { output_handle: handle, size_bytes: size } = stored.json<OutputDescriptor>();
  expect(size).toBeGreaterThan(50_000);
  const found = await server.call('oc_output_query', { output_handle: handle, search: 'Row 1999' });
  expect(found.text).toContain('Row 1999 of the list');
  const { raw } = await server.call('browser_browser_take_screenshot');
  expect(raw.content.map(({ type }) => type)).toContain('image');
}

it('@playwright/mcp drives a browser by stdio, and its snapshot becomes a handle', async () => {
  const cwd = folder();
  await useBrowser(await start([program('browser', [PLAYWRIGHT, ...(await flags(cwd))], { cwd })]));
});
