import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SERVER, startHttpServer, type HttpServerProcess } from '../../scripts/lib/server-process.ts';
import { callTool } from '../support/call-tool.ts';
import { startServer } from '../support/stdio-server.ts';

const home = mkdtempSync(join(tmpdir(), 'spillway-selection-'));
let server: HttpServerProcess;
beforeAll(async () => {
  server = await startHttpServer({ home, args: ['--tools', 'default,docs'] });
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Connected {
  readonly client: Client;
  readonly changes: () => number;
  readonly names: () => Promise<readonly string[]>;
}

const opened: Client[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

/** A client of the SDK; its address stays the same for every request, query included. */
async function connect(query = ''): Promise<Connected> {
  const client = new Client({ name: 'selection', version: '1' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}${query}`), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  opened.push(client);
  const names = async (): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  return { client, changes: () => changes, names };
}

describe('sessions over HTTP', () => {
  it('each have a list of their own, and find_tools changes only its own', async () => {
    const [reading, plain] = [await connect('?tools=read'), await connect()];
    const before = { reading: await reading.names(), plain: await plain.names() };
    expect(before.reading).toEqual(expect.arrayContaining(['read_page', 'oc_output_fetch']));
    expect(before.reading).not.toContain('crawl');
    expect(before.plain).toEqual(expect.arrayContaining(['crawl', 'find_tools', 'docs_search']));
    expect(reading.client.getInstructions()).not.toContain('run_output');
    expect(plain.client.getInstructions()).toContain('run_output');

    // Not listed, but callable by its name.
    await callTool(reading.client, 'find_tools', { select: ['screenshot'] });
    await expect.poll(reading.changes).toBe(1);
    expect(new Set(await reading.names())).toEqual(new Set([...before.reading, 'screenshot']));
    expect(await plain.names()).toEqual(before.plain);

    await callTool(plain.client, 'find_tools', { select: ['console'] });
    await expect.poll(plain.changes).toBe(1);
    expect(await reading.names()).not.toContain('console');
    expect(reading.changes()).toBe(1);
  });

  it.each([
    ['?tools=raed', /\?tools=: .*"raed".*read/],
    ['?tools=%3Cscript%3E', /\?tools=: .*"<script>".*one of default, read, act/],
    [`?tools=${'x'.repeat(4_000)}`, /\?tools=: .*xxx/],
  ])('%s is refused with what is wrong', async (query, message) => {
    const response = await fetch(`${server.url}${query}`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const body = (await response.json()) as { error: { code: number; message: string } };
    expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: expect.any(String) } });
    expect(body.error.message).toMatch(message);
    expect(body.error.message.length).toBeLessThan(600);
  });
});

describe('the flag', () => {
  it('goes before the variable, and may be given twice', async () => {
    const args = ['--tools', 'screenshot, read_page', '--tools', 'console'];
    const started = await startServer({ args, env: { SPILLWAY_TOOLS: 'crawl' } });
    const { tools } = await started.client.listTools();
    await started.close();
    const names = ['read_page', 'oc_output_fetch', 'screenshot', 'console'];
    expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(names));
  });

  it.each<[readonly string[], Record<string, string>, RegExp]>([
    [['--tools', 'read,naviagte', '--http', '0'], {}, /^spillway: --tools: .*"naviagte".*navigate/],
    [[], { SPILLWAY_TOOLS: 'raed' }, /^spillway: SPILLWAY_TOOLS: .*"raed".*\n {2}Write read,/],
  ])(
    'with an unknown word the server does not start, and names the setting: %j %j',
    async (args, env, message) => {
      const child = spawn(process.execPath, [SERVER, '--home', home, ...args], {
        stdio: ['pipe', 'ignore', 'pipe'],
        env: { ...process.env, ...env },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
      expect(stderr).toContain('(invalid_argument)');
    },
  );
});
