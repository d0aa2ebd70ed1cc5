import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { executable } from '../../support/browser.ts';
import { servePages } from '../../support/calling.ts';
import { temporaryHome } from '../../support/home.ts';
import { program, startUpstreams } from '../../support/upstream-rig.ts';

const PLAYWRIGHT = fileURLToPath(new URL('../../../node_modules/@playwright/mcp/cli.js', import.meta.url));
const FLAGS = '--headless --isolated --no-sandbox --browser chrome --executable-path'.split(' ');

it('@playwright/mcp drives a browser by stdio, and its snapshot becomes a handle', async () => {
  const cwd = await temporaryHome();
  const rows = Array.from({ length: 2_000 }, (_, n) => `<li>Row ${n} of the list</li>`).join('');
  const site = await servePages({ list: `<title>A long list</title><h1>The list</h1><ul>${rows}</ul>` });
  const args = [PLAYWRIGHT, ...FLAGS, await executable(), '--output-dir', cwd];
  const server = await startUpstreams([program('browser', args, { cwd })]);
  const opened = await server.call('browser_browser_navigate', { url: site.url('/list') });
  expect(opened.text).toContain('A long list');
  const stored = await server.call('browser_browser_snapshot', { output_mode: 'handle' });
  const { output_handle: handle, size_bytes: size } = stored.json<OutputDescriptor>();
  expect(size).toBeGreaterThan(50_000);
  const found = await server.call('oc_output_query', { output_handle: handle, search: 'Row 1999' });
  expect(found.text).toContain('Row 1999 of the list');
  const { raw } = await server.call('browser_browser_take_screenshot');
  expect(raw.content.map(({ type }) => type)).toContain('image');
});
