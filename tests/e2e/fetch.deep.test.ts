import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { file, pour, serveFiles, type FileSite } from '../support/file-site.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/* Bodies that are larger than the memory. */
const MIB = 1024 * 1024;
const LARGE = pour(200 * MIB);
let site: FileSite;
let server: StdioServer;

beforeAll(async () => {
  site = await serveFiles({
    '/plain.txt': file('plain text\n', { 'content-type': 'text/plain' }),
    '/large.zip': LARGE.route,
  });
  server = await startServer({
    args: ['--launch', '--headless'],
    // What is not held is then collected soon, however much memory the machine has.
    env: { NODE_OPTIONS: '--max-old-space-size=192' },
  });
});
afterAll(async () => {
  await server.close();
  await site.close();
});

it('200 MB pass through the server without being held', async () => {
  const rss = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'))?.[1]) * 1024;
  await server.call('fetch', { url: site.url('/plain.txt') });
  const before = rss();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, rss())), 20);
  const answer = await server.call('fetch', { url: site.url('/large.zip') });
  clearInterval(timer);
  const { output_handle, ...descriptor } = answer.json<OutputDescriptor>();
  expect(descriptor).toMatchObject({ mime_type: 'application/zip', size_bytes: 200 * MIB });
  const store = join(server.home, 'output');
  const stored = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith(`${output_handle}.bin`),
  );
  expect(
    createHash('sha256')
      .update(readFileSync(join(store, stored ?? '')))
      .digest('hex'),
  ).toBe(LARGE.sha256);
  expect(most - before).toBeLessThan(128 * MIB);
}, 180_000);
