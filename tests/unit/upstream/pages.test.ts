import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ErrorCode,
  type ClientCapabilities,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program } from '../../support/upstream-rig.ts';
import { startClient, startUpstreams } from '../../support/upstream-test.ts';

const SECRET = 'sk-live-0123456789abcdef0123456789';
const PAGE = 'https://login.example.com/start?state=AbC-0123456789abcdef0123456789';
const start = (): Promise<MemoryServer> =>
  startUpstreams([program('odd', [FAULTS], { env: { ODD_TOKEN: 'correct-horse-battery' } })]);

/** A client that shows pages, with what it was asked to show and what is done. */
async function shower(capabilities: ClientCapabilities = { elicitation: { url: {} } }) {
  const pages: ElicitRequestURLParams[] = [];
  const completed: string[] = [];
  const client = await startClient(await start(), capabilities, (made) => {
    made.setRequestHandler(ElicitRequestSchema, ({ params }): ElicitResult => {
      pages.push(params as ElicitRequestURLParams);
      return { action: 'accept' };
    });
    made.setNotificationHandler(
      ElicitationCompleteNotificationSchema,
      ({ params }) => void completed.push(params.elicitationId),
    );
  });
  return { client, pages, completed };
}

describe('a page that an upstream wants opened', () => {
  it('is shown by a client that can, whole and named, and its end is passed on', async () => {
    const { client, pages, completed } = await shower();
    const { text } = await callTool(client, 'odd_shows_page', { url: PAGE, done: true });
    expect(JSON.parse(text)).toEqual({ action: 'accept' });
    const message = expect.stringMatching(
      /^The upstream "odd" asks, and not Spillway, that you open a page of login\.example\.com: Sign in\. /,
    );
    expect(pages).toEqual([{ mode: 'url', url: PAGE, elicitationId: 'odd/e1', message }]);
    expect(JSON.stringify(pages)).not.toContain(SECRET);
    await vi.waitFor(() => expect(completed).toEqual(['odd/e1']), PATIENCE);
    // The name of a host is shown as it is, whatever it looks like.
    await callTool(client, 'odd_shows_page', { url: 'https://www.аpple.com/' });
    expect(pages[1]?.url).toBe('https://www.xn--pple-43d.com/');
    expect(pages[1]?.message).toContain('www.xn--pple-43d.com');
  });

  it('is declined for a client that shows forms alone', async () => {
    const { client, pages } = await shower({ elicitation: { form: {} } });
    expect((await callTool(client, 'odd_shows_page', { url: PAGE })).text).toBe('{"action":"decline"}');
    expect(pages).toEqual([]);
  });

  it('that is unsafe is not shown, and not named in a failure', async () => {
    const { client, pages } = await shower();
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,hello',
      'chrome://settings',
      'https://bank.example@evil.example/',
      // A credential of its entry.
      'https://evil.example/?t=correct-horse-battery',
      `https://evil.example/${'a'.repeat(5_000)}`,
      'no address',
    ]) {
      const asked = await callTool(client, 'odd_shows_page', { url }).catch(String);
      expect(JSON.stringify(asked), url).not.toContain('accept');
      const needed = await callTool(client, 'odd_needs_page', { url });
      expect(needed.code(), url).toBe('upstream_error');
      expect(needed.text).not.toContain('evil.example');
    }
    expect(pages).toEqual([]);
  });
});

it('a call that needs a page first fails as the protocol says for a client that shows pages', async () => {
  const { client } = await shower();
  await expect(callTool(client, 'odd_needs_page', { url: PAGE })).rejects.toMatchObject({
    code: ErrorCode.UrlElicitationRequired,
    data: { elicitations: [{ mode: 'url', url: PAGE, elicitationId: 'odd/e2' }] },
  });
});

it('a call that needs a page first says the address to a client that shows none', async () => {
  const { call } = await start();
  const url = 'https://login.example.com/start';
  const failed = await call('odd_needs_page', { url });
  expect(failed.code()).toBe('upstream_page_required');
  expect(failed.json<{ error: { hint: string } }>().error.hint).toContain(url);
  expect(failed.text).toContain('The upstream \\"odd\\" asks, and not Spillway');
});
