import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseEntry } from '../../../server/upstream/index.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { EVERYTHING, startWithUpstreams } from '../../support/upstream-rig.ts';

let server: MemoryServer | undefined;
let far: ChildProcess | undefined;
afterEach(async () => {
  await server?.close();
  far?.kill('SIGKILL');
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const start = (kind: string, port: number): ChildProcess =>
  (far = spawn(process.execPath, [EVERYTHING, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  }));

describe.each([
  ['http', 'streamableHttp', 'mcp'],
  ['sse', 'sse', 'sse'],
])('an upstream over %s', (transport, kind, path) => {
  it('answers, is named when it goes, and is back when it is', async () => {
    const port = await freePort();
    start(kind, port);
    server = await startWithUpstreams([
      parseEntry({ id: 'far', url: `http://127.0.0.1:${port}/${path}`, transport }, 'far'),
    ]);
    const state = () => server?.upstreams.report()[0]?.state;
    await vi.waitFor(() => expect(state()).toBe('ready'), PATIENCE);
    expect((await server.call('far_echo', { message: 'hello' })).text).toContain('hello');
    far?.kill('SIGKILL');
    const away = await server.call('far_echo', { message: 'hello' });
    expect(away.code()).toBe('upstream_error');
    expect(away.text).toContain('upstream far');
    await vi.waitFor(() => expect(state()).toBe('failed'), PATIENCE);
    start(kind, port);
    await vi.waitFor(() => expect(state()).toBe('ready'), PATIENCE);
    expect((await server.call('far_echo', { message: 'again' })).text).toContain('again');
  });
});
