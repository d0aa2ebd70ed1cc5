import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer, type HttpServerProcess } from '../../scripts/lib/server-process.ts';
import { callTool } from '../support/call-tool.ts';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';

// A cancellation stops the work in the browser, and is recorded: seen by the site that is read.

/** What is on its way to the site arrives within this time. */
const QUIET_MS = 300;

/** A site whose first page links to many that never answer. It knows what was asked and is still open. */
async function serveSilentSite() {
  const open = new Set<string>();
  const asked: string[] = [];
  const http = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/' || path === '/quick') {
      const links = Array.from({ length: 40 }, (_, page) => `<a href="/silent/${page}">${page}</a>`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Links</title>${links.join('\n')}`);
      return;
    }
    if (path === '/busy') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Busy</title><p>Here.</p><script>onload = () => { for (;;); };</script>');
      return;
    }
    if (!path.startsWith('/silent')) {
      response.writeHead(404).end();
      return;
    }
    asked.push(path);
    open.add(path);
    // Half a page for those that come far enough to be shown.
    if (path === '/silent/half') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<title>Half</title><p>Half a page.</p>');
    }
    response.once('close', () => open.delete(path));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

type SilentSite = Awaited<ReturnType<typeof serveSilentSite>>;

let site: SilentSite;
beforeEach(() => {
  site.asked.length = 0;
});

/** Nothing is open any more, and nothing is asked for. The site never answers: only a cancellation ends a request. */
async function expectStopped(): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const asked = site.asked.length;
    await delay(QUIET_MS);
    return site.open.size === 0 && site.asked.length === asked;
  };
  await expect.poll(isQuiet).toBe(true);
}

const untilAsked = (count: number): Promise<void> =>
  expect.poll(() => site.open.size).toBeGreaterThanOrEqual(count);

const CRAWL = {
  render: 'never',
  max_depth: 2,
  max_pages: 40,
  concurrency: 4,
  delay_ms: 0,
  respect_robots: false,
};

const home = mkdtempSync(join(tmpdir(), 'spillway-cancel-'));
let browser: LentChromium;
let server: HttpServerProcess;
/** Looks on, in a session of its own. */
let witness: Client;
const clients: Client[] = [];

async function connect(): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  const client = new Client({ name: 'spillway-tests', version: '1' });
  // The SDK's class declares members without `undefined`, which exactOptionalPropertyTypes tells apart.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  site = await serveSilentSite();
  browser = await lendChromium();
  server = await startHttpServer({ home, env: browser.serverEnv });
  witness = await connect();
  await callTool(witness, 'tabs');
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
  await browser.close();
  await site.close();
  rmSync(home, { recursive: true, force: true });
});

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly error?: { readonly message: string };
}
const newestRun = async (): Promise<Run> => {
  const answer = await callTool(witness, 'run_list', { count: 1 });
  const [run] = answer.json<{ readonly runs: readonly Run[] }>().runs;
  if (run === undefined) throw new Error('There is no run.');
  return run;
};
/** Who the journal says it was, in the newest call of a tool. */
const journalled = async (tool: string): Promise<unknown> => {
  const answer = await callTool(witness, 'oc_journal', { action: 'recent', tool, count: 20 });
  const entries = answer.json<readonly { readonly event: string; readonly message?: string }[]>();
  return entries.findLast(({ event }) => event === 'tool_call')?.message;
};

// Who else may cancel is in tests/contract: by any of them the browser ends what it has asked of the site.
it('a crawl that is waited for, cancelled by the client, releases the site and says who', async () => {
  const client = await connect();
  const cancel = new AbortController();
  const end = callTool(client, 'crawl', { url: `${site.url}/`, ...CRAWL }, cancel.signal);
  await untilAsked(4);
  cancel.abort();
  await expect(end).rejects.toThrow();
  await expectStopped();
  const message = 'The call was cancelled by the client.';
  expect(await newestRun()).toMatchObject({ status: 'cancelled', error: { message } });
  await expect.poll(() => journalled('crawl')).toBe(message);
});

describe('navigate to a page that never answers', () => {
  const navigate = async (path: string, first?: string) => {
    const client = await connect();
    if (first !== undefined) await callTool(client, 'navigate', { url: `${site.url}${first}` });
    const cancel = new AbortController();
    const end = callTool(client, 'navigate', { url: `${site.url}${path}` }, cancel.signal);
    end.catch(() => undefined);
    await untilAsked(1);
    return () => cancel.abort();
  };

  it.each([
    ['in a new tab that shows half of it', '/silent/half', undefined],
    ['in a tab that shows a page', '/silent/page', '/quick'],
  ])('%s: the cancel of the client stops the load', async (_, path, first) => {
    const cancel = await navigate(path, first);
    cancel();
    await expectStopped();
    await expect.poll(() => journalled('navigate')).toBe('The call was cancelled by the client.');
  });
});

// Last: the page computes until the browser ends.
describe('read_page of a page that does nothing but compute', () => {
  it('is left alone when its call is cancelled', async () => {
    const client = await connect();
    await callTool(client, 'navigate', { url: `${site.url}/busy`, wait_until: 'domcontentloaded' });
    const cancel = new AbortController();
    const end = callTool(client, 'read_page', {}, cancel.signal);
    end.catch(() => undefined);
    await delay(100);
    cancel.abort();
    // A call that waited for the page would say that the page does not answer.
    await expect.poll(() => journalled('read_page')).toBe('The call was cancelled by the client.');
  });
});
