import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definedOnly } from '../../../scripts/lib/environment.ts';
import { SERVER } from '../../../scripts/lib/server-process.ts';
import { temporaryHome } from '../../support/home.ts';
import { waitForNoProcess } from '../../support/processes.ts';

/** A server without sessions: what would open one is refused, and the rest reaches a Spillway. */
const SESSIONLESS = `
  import { spawn } from 'node:child_process';
  import { createInterface } from 'node:readline';
  const server = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const error = { code: -32601, message: 'There are no sessions.' };
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, error }));
    else server.stdin.write(line + String.fromCharCode(10));
  });
  lines.on('close', () => server.stdin.end());
`;

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-11-25', '2026-07-28'],
  ['2026-07-28', '2025-11-25'],
  ['2026-07-28', '2026-07-28'],
])('a client of %s calls a Spillway of %s behind a Spillway', async (era, innerEra) => {
  const home = await temporaryHome();
  const wrapper = join(home, 'sessionless.mjs');
  writeFileSync(wrapper, SESSIONLESS);
  const inner = [SERVER, '--home', join(home, 'inner')];
  const program = innerEra === '2026-07-28' ? [wrapper, ...inner] : inner;
  const upstream = `inner=${[process.execPath, ...program].join(' ')}`;
  const args = [SERVER, '--home', join(home, 'outer'), '--upstream', upstream];
  execFileSync(process.execPath, [...args, 'upstream', 'accept', '--yes', 'inner'], { stdio: 'ignore' });
  const mode = era === '2026-07-28' ? { pin: era } : 'legacy';
  const client = new Client({ name: 'eras', version: '1' }, { versionNegotiation: { mode } });
  const env = definedOnly(process.env);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  const call = () => client.callTool({ name: 'inner_oc_connection_health', arguments: {} });
  await expect.poll(async () => JSON.stringify(await call()), { timeout: 60_000 }).toContain('uptime_s');
  await client.close();
  await waitForNoProcess(home);
});
