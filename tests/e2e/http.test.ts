import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type HttpServerProcess } from '../../scripts/lib/server-process.ts';
import { callTool } from '../support/call-tool.ts';

let home: string;
let server: HttpServerProcess;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'spillway-http-'));
  server = await startHttpServer({ home });
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

async function connectClient(token = server.token): Promise<Client> {
  const client = new Client({ name: 'http', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

interface Raw {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** node:http and not fetch, which forbids to set Host and Origin. */
function send(headers: Record<string, string>, body = INITIALIZE, method = 'POST'): Promise<Raw> {
  const url = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, method, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const good = (): Record<string, string> => ({
  authorization: `Bearer ${server.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

describe('Streamable HTTP', () => {
  it('serves several sessions at once, each with a current tab of its own', async () => {
    const clients = await Promise.all([connectClient(), connectClient(), connectClient()]);
    const lists = await Promise.all(clients.map((client) => client.listTools()));
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1);
    const answers = await Promise.all(clients.map((client) => callTool(client, 'oc_journal')));
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('refuses a client with another token', async () => {
    await expect(connectClient('another-token-of-good-length')).rejects.toThrow(/401|token/i);
  });

  it('answers a call before initialize, an unknown session, and an ended one, with an error', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect((await send(good(), call)).status).toBe(400);
    expect((await send({ ...good(), 'mcp-session-id': 'no-such-session' }, call)).status).toBe(404);
    const opened = await send(good());
    const id = String(opened.headers['mcp-session-id']);
    expect((await send({ ...good(), 'mcp-session-id': id }, '', 'DELETE')).status).toBe(200);
    expect((await send({ ...good(), 'mcp-session-id': id }, call)).status).toBe(404);
  });

  it.each([
    ['a rebound page', { host: 'evil.test', origin: 'http://evil.test' }, 403],
    ['a page elsewhere', { origin: 'https://evil.test' }, 403],
    ['an extension', { origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' }, 403],
    ['cross-site metadata', { 'sec-fetch-site': 'cross-site' }, 403],
    ['no token', { authorization: '' }, 401],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_name, headers, status) => {
    const answer = await send({ ...good(), ...headers });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it('refuses a preflight, an upgrade, and a body that is too large', async () => {
    expect((await send({ ...good(), origin: 'https://evil.test' }, '', 'OPTIONS')).status).toBe(403);
    expect((await send(good(), `"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await send(good(), '{')).status).toBe(400);
    const { port } = new URL(server.url);
    const upgraded = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            `Authorization: Bearer ${server.token}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        );
      });
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text));
    });
    expect(upgraded).toMatch(/^HTTP\/1\.1 426 /);
  });

  it('works on after all of that', async () => {
    const client = await connectClient();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });

  it('listens on the loopback address alone', async () => {
    const { port } = new URL(server.url);
    const other = await new Promise<string>((resolve) => {
      const socket = connect({ port: Number(port), host: '127.0.0.2' });
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
    expect(other).toBe('ECONNREFUSED');
  });

  it('says on stderr where it listens, and never the token of the environment', () => {
    expect(server.said()).toContain(server.url);
    expect(server.said()).not.toContain(server.token);
  });
});

describe('a server without a token', () => {
  it('says what that gives up, and keeps the other checks', async () => {
    const open = await startHttpServer({ home, args: ['--http-no-token'] });
    expect(open.said()).toMatch(/WITHOUT a token/);
    const client = new Client({ name: 'open', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(open.url)) as Parameters<typeof client.connect>[0],
    );
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
    const foreign = await fetch(open.url, {
      method: 'POST',
      body: INITIALIZE,
      headers: { origin: 'https://evil.test' },
    });
    expect(foreign.status).toBe(403);
    await open.stop();
  });

  it('a guessable SPILLWAY_TOKEN is refused at start', async () => {
    await expect(startHttpServer({ home, token: 'short' })).rejects.toThrow(/SPILLWAY_TOKEN/);
  });
});
