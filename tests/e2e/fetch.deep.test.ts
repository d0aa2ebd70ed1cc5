import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { file, pour, serveFiles, type FileSite } from '../support/file-site.ts';
import { withGrowingDeadline } from '../support/growing-deadline.ts';
import { filesBelow } from '../support/planted-secrets.ts';
import { findBelow, isBrowser } from '../support/processes.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/* Bodies that are larger than the memory, connections that break, and a browser that is killed. */
const MIB = 1024 * 1024;
const LARGE = pour(200 * MIB);
let site: FileSite;
let server: StdioServer;

beforeAll(async () => {
  site = await serveFiles({
    '/plain.txt': file('plain text\n', { 'content-type': 'text/plain' }),
    '/large.zip': LARGE.route,
    '/slow': (response) =>
      void response.writeHead(200, { 'content-type': 'application/zip' }).write(randomBytes(1_000)),
    // Bytes that the browser has not read before the connection breaks, it drops.
    '/breaks': (response, { url = '' }) => {
      const breakMs = Number(new URL(url, 'http://site.test').searchParams.get('ms'));
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': 1_000_000 });
      response.write(randomBytes(1_000));
      setTimeout(() => response.destroy(), breakMs);
    },
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

it('a body that breaks off leaves no handle', async () => {
  const { text, isError } = await withGrowingDeadline(
    (breakMs) => server.call('fetch', { url: site.url(`/breaks?ms=${breakMs}`), output_mode: 'handle' }),
    (answer) => answer.text.includes('1000 bytes'),
  );
  expect(isError).toBe(true);
  expect(text).toContain('cut off after 1000 bytes');
});

it('a browser that is killed midway ends the call by name, leaves nothing, and comes back', async () => {
  const stored = (): string[] => filesBelow(join(server.home, 'output'));
  const before = stored();
  const call = server.call('fetch', { url: site.url('/slow'), output_mode: 'handle' });
  await expect.poll(() => site.open).toBe(1);
  process.kill(findBelow(server.pid, isBrowser), 'SIGKILL');
  const answer = await call;
  expect(answer.code()).toBe('browser_disconnected');
  expect(answer.text).toContain('The connection to browser b1 was lost');
  expect(stored()).toEqual(before);
  expect((await server.call('fetch', { url: site.url('/plain.txt') })).text).toBe('plain text\n');
});
