import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ErrorCode,
  type ClientCapabilities,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { connectClient, FAULTS, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SECRET = 'sk-live-0123456789abcdef0123456789';
const PAGE = 'https://login.example.com/start?state=AbC-0123456789abcdef0123456789';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(): Promise<MemoryServer> {
  const server = await startWithUpstreams([
    program('odd', [FAULTS], { env: { ODD_TOKEN: 'correct-horse-battery' } }),
  ]);
  ends.push(() => server.close());
  return server;
}

/** A client that shows pages, with what it was asked to show and what is done. */
async function shower(server: MemoryServer, capabilities: ClientCapabilities = { elicitation: { url: {} } }) {
  const pages: ElicitRequestURLParams[] = [];
  const completed: string[] = [];
  const client: Client = await connectClient(server, capabilities, (made) => {
    made.setRequestHandler(ElicitRequestSchema, ({ params }): ElicitResult => {
      pages.push(params as ElicitRequestURLParams);
      return { action: 'accept' };
    });
    made.setNotificationHandler(
      ElicitationCompleteNotificationSchema,
      ({ params }) => void completed.push(params.elicitationId),
    );
  });
  ends.push(() => client.close());
  return { client, pages, completed };
}

describe('a page that an upstream wants opened', () => {
  it('is shown by a client that can, whole and named, and its end is passed on', async () => {
    const { client, pages, completed } = await shower(await start());
    const { text } = await callTool(client, 'odd_shows_page', { url: PAGE, done: true });
    expect(JSON.parse(text)).toEqual({ action: 'accept' });
    expect(pages).toEqual([
      {
        mode: 'url',
        url: PAGE,
        elicitationId: 'odd/e1',
        message: expect.stringMatching(
          /^The upstream "odd" asks, and not Spillway, that you open a page of login\.example\.com: Sign in\. /,
        ),
      },
    ]);
    expect(JSON.stringify(pages)).not.toContain(SECRET);
    await vi.waitFor(() => expect(completed).toEqual(['odd/e1']), PATIENCE);
  });

  it('is declined for a client that shows forms alone', async () => {
    const { client, pages } = await shower(await start(), { elicitation: { form: {} } });
    expect((await callTool(client, 'odd_shows_page', { url: PAGE })).text).toBe('{"action":"decline"}');
    expect(pages).toEqual([]);
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/html,hello'],
    ['a page of the browser', 'chrome://settings'],
    ['a host behind a name that looks like one', 'https://bank.example@evil.example/'],
    ['an address with a credential of its entry', 'https://evil.example/?t=correct-horse-battery'],
    ['a very long address', `https://evil.example/${'a'.repeat(5_000)}`],
    ['no address', 'no address'],
  ])('that is %s is not shown, and not named in a failure', async (_what, url) => {
    const { client, pages } = await shower(await start());
    const asked = await callTool(client, 'odd_shows_page', { url }).catch(String);
    expect(JSON.stringify(asked)).not.toContain('accept');
    const needed = await callTool(client, 'odd_needs_page', { url });
    expect(needed.code()).toBe('upstream_error');
    expect(needed.text).not.toContain('evil.example');
    expect(pages).toEqual([]);
  });

  it('has the name of its host as it is, whatever it looks like', async () => {
    const { client, pages } = await shower(await start());
    await callTool(client, 'odd_shows_page', { url: 'https://www.аpple.com/' });
    expect(pages[0]?.url).toBe('https://www.xn--pple-43d.com/');
    expect(pages[0]?.message).toContain('www.xn--pple-43d.com');
  });
});

describe('a call that needs a page first', () => {
  it('fails as the protocol says for a client that shows pages', async () => {
    const { client } = await shower(await start());
    const failed = await client
      .callTool({ name: 'odd_needs_page', arguments: { url: PAGE } })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: ErrorCode.UrlElicitationRequired,
      data: { elicitations: [{ mode: 'url', url: PAGE, elicitationId: 'odd/e2' }] },
    });
  });

  it('says the address to one that does not', async () => {
    const { call } = await start();
    const url = 'https://login.example.com/start';
    const failed = await call('odd_needs_page', { url });
    expect(failed.code()).toBe('upstream_page_required');
    expect(failed.json<{ error: { hint: string } }>().error.hint).toContain(url);
    expect(failed.text).toContain('The upstream \\"odd\\" asks, and not Spillway');
  });
});
