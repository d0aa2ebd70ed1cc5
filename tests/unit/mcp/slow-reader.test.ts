import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const SERVER = fileURLToPath(new URL('../../../server/cli/main.ts', import.meta.url));

const message = (rest: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...rest })}\n`;

it('a client that reads its answers late brings no warning on stderr', async () => {
  const home = await mkdtemp(join(tmpdir(), 'spillway-slow-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER, '--home', home]);
  let received = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (received += text));
  const clientInfo = { name: 'slow', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  child.stdin.write(message({ id: 'first', method: 'initialize', params }));
  child.stdin.write(message({ method: 'notifications/initialized' }));
  for (let id = 0; id < 60; id += 1) child.stdin.write(message({ id, method: 'tools/list' }));
  // More than the pipe takes: once it is written, the server has read everything before it.
  const padding = { _meta: { padding: 'x'.repeat(400_000) } };
  const written = new Promise((resolve) =>
    child.stdin.write(message({ id: 'last', method: 'ping', params: padding }), resolve),
  );
  await written;
  let answers = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (answers += text));
  await expect.poll(() => answers.includes('"id":"last"')).toBe(true);
  child.stdin.end();
  await once(child, 'close');
  expect(received).not.toContain('MaxListeners');
  expect(answers.match(/"id":\d+/g)).toHaveLength(60);
});
