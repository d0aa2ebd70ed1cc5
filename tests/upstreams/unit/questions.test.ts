import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CreateMessageRequestParams,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import { defer } from '../../../shared/base/async.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program, startClient, startUpstreams } from '../../support/upstream-rig.ts';

const SECRET = 'sk-live-0123456789abcdef0123456789';
const value = `api_key=${SECRET}`;
const start = (more: object = {}): Promise<MemoryServer> => startUpstreams([program('odd', [FAULTS], more)]);
type Answer = (params: ElicitRequestFormParams, signal: AbortSignal) => ElicitResult | Promise<ElicitResult>;
const asked = (server: MemoryServer, answer: Answer): Promise<Client> =>
  startClient(server, { elicitation: { form: {} } }, (made) =>
    made.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      answer(params as ElicitRequestFormParams, signal),
    ),
  );
const ADA: ElicitResult = { action: 'accept', content: { name: 'Ada' } };
it('a question of an upstream goes to the person of the client that called, named and without secrets', async () => {
  const seen: ElicitRequestFormParams[] = [];
  const client = await asked(await start(), (params) => {
    seen.push(params);
    return { action: 'accept', content: { name: 'Ada', more: 'nobody asked for this' } };
  });
  expect((await callTool(client, 'odd_asks', { value })).json()).toEqual(ADA);
  expect(seen[0]?.message).toMatch(/^The upstream "odd" \(not Spillway\) asks: Who\?/);
  expect(JSON.stringify(seen)).not.toContain(SECRET);
  expect(seen[0]?.requestedSchema.properties).toHaveProperty('name');
});

it('a question of an upstream is declined for a client that cannot ask, and where two clients wait', async () => {
  const server = await start();
  expect((await server.call('odd_asks')).text).toBe('{"action":"decline"}');
  const answer = vi.fn(() => ADA);
  const client = await asked(server, answer);
  const other = new AbortController();
  const waiting = server.call('odd_waits', {}, other.signal).catch(() => undefined);
  await server.call('odd_echo');
  expect((await callTool(client, 'odd_asks')).text).toBe('{"action":"decline"}');
  expect(answer).not.toHaveBeenCalled();
  other.abort();
  await waiting;
  await vi.waitFor(async () => {
    expect((await callTool(client, 'odd_asks')).text).toContain('Ada');
  }, PATIENCE);
});

it('a question of an upstream is withdrawn when the call is cancelled', async () => {
  const shown = defer<void>();
  const gone = defer<void>();
  const client = await asked(await start(), async (_params, signal) => {
    signal.addEventListener('abort', () => gone.resolve());
    shown.resolve();
    await gone.promise;
    return { action: 'cancel' };
  });
  const cancelled = new AbortController();
  const call = callTool(client, 'odd_asks', {}, cancelled.signal).catch(() => undefined);
  await shown.promise;
  cancelled.abort();
  await Promise.all([gone.promise, call]);
});

const lent = (server: MemoryServer, seen: CreateMessageRequestParams[]): Promise<Client> =>
  startClient(server, { sampling: {} }, (made) =>
    made.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      seen.push(params);
      return { role: 'assistant', model: 'scripted', content: { type: 'text', text: value } };
    }),
  );

it('a request of an upstream to the model passes where its entry allows it, bounded, named and without secrets', async () => {
  const seen: CreateMessageRequestParams[] = [];
  const client = await lent(await start({ sampling: true }), seen);
  const { text } = await callTool(client, 'odd_samples', { value });
  expect(text).toContain('scripted');
  expect(text + JSON.stringify(seen)).not.toContain(SECRET);
  const modelPreferences = { hints: [{ name: 'small' }] };
  expect(seen).toMatchObject([{ maxTokens: 4_096, modelPreferences }]);
  expect(seen[0]?.includeContext).toBeUndefined();
  expect(seen[0]?.systemPrompt).toContain('The server "odd" wrote this request');
});

it('a request of an upstream to the model is refused where its entry says nothing of it, and where the client lends no model', async () => {
  const seen: CreateMessageRequestParams[] = [];
  expect((await callTool(await lent(await start(), seen), 'odd_samples')).text).toContain('-32601');
  const other = await start({ sampling: true });
  expect((await other.call('odd_samples')).text).toContain('lends no model');
  expect(seen).toEqual([]);
});

const PAGE = 'https://login.example.com/start?state=AbC-0123456789abcdef0123456789';

/** A client that shows pages, with its requests and its reactions. */
async function shower() {
  const pages: ElicitRequestURLParams[] = [];
  const completed: string[] = [];
  const client = await startClient(
    await start({ env: { ODD_TOKEN: 'correct-horse-battery' } }),
    { elicitation: { url: {} } },
    (made) => {
      made.setRequestHandler(ElicitRequestSchema, ({ params }): ElicitResult => {
        pages.push(params as ElicitRequestURLParams);
        return { action: 'accept' };
      });
      made.setNotificationHandler(
        ElicitationCompleteNotificationSchema,
        ({ params }) => void completed.push(params.elicitationId),
      );
    },
  );
  return { client, pages, completed };
}

it('a page that an upstream wants opened is shown by a client that can, whole and named, and its end is passed on', async () => {
  const { client, pages, completed } = await shower();
  const { text } = await callTool(client, 'odd_shows_page', { url: PAGE, done: true });
  expect(JSON.parse(text)).toEqual({ action: 'accept' });
  const message = expect.stringMatching(
    /^The upstream "odd" \(not Spillway\) asks you to open a page of login\.example\.com: Sign in\. /,
  );
  expect(pages).toEqual([{ mode: 'url', url: PAGE, elicitationId: 'odd/e1', message }]);
  expect(JSON.stringify(pages)).not.toContain(SECRET);
  await vi.waitFor(() => expect(completed).toEqual(['odd/e1']), PATIENCE);
  // A host's name is shown unchanged, whatever it looks like.
  await callTool(client, 'odd_shows_page', { url: 'https://www.аpple.com/' });
  expect(pages[1]?.url).toBe('https://www.xn--pple-43d.com/');
  expect(pages[1]?.message).toContain('www.xn--pple-43d.com');
});

it('a page that an upstream wants opened that is unsafe is not shown, and not named in a failure', async () => {
  const { client, pages } = await shower();
  for (const url of [
    ...['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,hello', 'chrome://settings'],
    ...['https://bank.example@evil.example/', 'https://evil.example/?t=correct-horse-battery'],
    ...[`https://evil.example/${'a'.repeat(5_000)}`, 'no address'],
  ]) {
    const asked = await callTool(client, 'odd_shows_page', { url }).catch(String);
    expect(JSON.stringify(asked), url).not.toContain('accept');
    const needed = await callTool(client, 'odd_needs_page', { url });
    expect(needed.code(), url).toBe('upstream_error');
    expect(needed.text).not.toContain('evil.example');
  }
  expect(pages).toEqual([]);
});
