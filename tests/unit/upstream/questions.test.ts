import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type CreateMessageRequestParams,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, program } from '../../support/upstream-rig.ts';
import { startClient, startUpstreams } from '../../support/upstream-test.ts';

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

describe('a question of an upstream', () => {
  it('goes to the person of the client that called, named and without secrets', async () => {
    const seen: ElicitRequestFormParams[] = [];
    const client = await asked(await start(), (params) => {
      seen.push(params);
      return { action: 'accept', content: { name: 'Ada', more: 'nobody asked for this' } };
    });
    expect((await callTool(client, 'odd_asks', { value })).json()).toEqual(ADA);
    expect(seen[0]?.message).toMatch(/^The upstream "odd" asks, and not Spillway: Who\?/);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    expect(seen[0]?.requestedSchema.properties).toHaveProperty('name');
  });

  it('is declined for a client that cannot ask, and where two clients wait', async () => {
    const server = await start();
    expect((await server.call('odd_asks')).text).toBe('{"action":"decline"}');
    const answer = vi.fn(() => ADA);
    const client = await asked(server, answer);
    const other = new AbortController();
    const waiting = server.call('odd_waits', {}, other.signal).catch(() => undefined);
    // Calls of one connection keep their order.
    await server.call('odd_echo');
    expect((await callTool(client, 'odd_asks')).text).toBe('{"action":"decline"}');
    expect(answer).not.toHaveBeenCalled();
    other.abort();
    await waiting;
    await vi.waitFor(async () => {
      expect((await callTool(client, 'odd_asks')).text).toContain('Ada');
    }, PATIENCE);
  });

  it('is asked ten times in a call and no more', async () => {
    const answer = vi.fn(() => ({ action: 'accept' as const, content: {} }));
    const client = await asked(await start(), answer);
    const { text } = await callTool(client, 'odd_asks_twelve_times');
    expect(text).toBe([...Array<string>(10).fill('accept'), 'decline', 'decline'].join());
    expect(answer).toHaveBeenCalledTimes(10);
  });

  it('is withdrawn when the call is cancelled', async () => {
    const shown = deferred<void>();
    const gone = deferred<void>();
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
});

describe('a request of an upstream to the model', () => {
  const lent = (server: MemoryServer, seen: CreateMessageRequestParams[]): Promise<Client> =>
    startClient(server, { sampling: {} }, (made) =>
      made.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        seen.push(params);
        return { role: 'assistant', model: 'scripted', content: { type: 'text', text: value } };
      }),
    );

  it('passes where its entry allows it, bounded, named and without secrets', async () => {
    const seen: CreateMessageRequestParams[] = [];
    const client = await lent(await start({ sampling: true }), seen);
    const { text } = await callTool(client, 'odd_samples', { value });
    expect(text).toContain('scripted');
    expect(text + JSON.stringify(seen)).not.toContain(SECRET);
    expect(seen).toEqual([expect.objectContaining({ maxTokens: 4_096 })]);
    expect(seen[0]?.includeContext).toBeUndefined();
    expect(seen[0]?.systemPrompt).toContain('The server "odd" wrote this request');
  });

  it('is refused where its entry says nothing of it, and where the client lends no model', async () => {
    const seen: CreateMessageRequestParams[] = [];
    const client = await lent(await start(), seen);
    expect((await callTool(client, 'odd_samples')).text).toContain('-32601');
    const other = await start({ sampling: true });
    expect((await other.call('odd_samples')).text).toContain('lends no model');
    expect(seen).toEqual([]);
  });
});

it('lines of an upstream reach the client that called, at its level', async () => {
  const server = await start();
  const lines: unknown[] = [];
  const hear = (made: Client): void =>
    made.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params));
  const client = await startClient(server, {}, hear);
  await client.setLoggingLevel('notice');
  hear(server.client);
  await callTool(client, 'odd_logs', { value });
  await vi.waitFor(() => expect(lines).toHaveLength(2), PATIENCE);
  expect(lines).toMatchObject(
    ['notice', 'critical'].map((level) => ({
      level,
      logger: 'odd',
      data: { message: expect.stringMatching(`^${level} `) },
    })),
  );
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});
