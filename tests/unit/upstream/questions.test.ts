import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  type CreateMessageRequestParams,
  type ElicitRequestFormParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import { deferred } from '../../../shared/async/deferred.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import {
  connectClient,
  EVERYTHING,
  FAULTS,
  program,
  startWithUpstreams,
} from '../../support/upstream-rig.ts';

const SECRET = 'sk-live-0123456789abcdef0123456789';
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(more: object = {}): Promise<MemoryServer> {
  const server = await startWithUpstreams([
    program('odd', [FAULTS], more),
    program('every', [EVERYTHING, 'stdio'], more),
  ]);
  ends.push(() => server.close());
  return server;
}

type Answer = (params: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;

async function asked(server: MemoryServer, answer: Answer): Promise<Client> {
  const client = await connectClient(server, { elicitation: { form: {} } }, (made) =>
    made.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as ElicitRequestFormParams)),
  );
  ends.push(() => client.close());
  return client;
}

const accept = (content: NonNullable<ElicitResult['content']>): ElicitResult => ({
  action: 'accept',
  content,
});

describe('a question of an upstream', () => {
  it('goes to the person of the client that called, named and without secrets', async () => {
    const seen: ElicitRequestFormParams[] = [];
    const client = await asked(await start(), (params) => {
      seen.push(params);
      return accept({ name: 'Ada', more: 'nobody asked for this' });
    });
    const { text } = await callTool(client, 'odd_asks', { value: `api_key=${SECRET}` });
    expect(JSON.parse(text)).toEqual(accept({ name: 'Ada' }));
    expect(seen[0]?.message).toMatch(/^The upstream "odd" asks, and not Spillway: Who\?/);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    expect(seen[0]?.requestedSchema.properties).toHaveProperty('name');
  });

  it('of a real server is answered', async () => {
    const client = await asked(await start(), ({ requestedSchema: { properties } }) =>
      accept({ name: 'Ada', ...('check' in properties ? { check: true } : {}) }),
    );
    const answer = await callTool(client, 'every_trigger-elicitation-request');
    expect(answer.text + answer.notes).toContain('Ada');
  });

  it('is declined for a client that cannot ask, and where two clients wait', async () => {
    const server = await start();
    expect((await server.call('odd_asks')).text).toBe('{"action":"decline"}');
    const answer = vi.fn(() => accept({ name: 'Ada' }));
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

  it('takes no time of the call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { Countdown } = await import('../../../server/upstream/mcp/countdown.ts');
      const countdown = new Countdown(1_000);
      const release = countdown.hold();
      vi.advanceTimersByTime(60_000);
      countdown.restart();
      vi.advanceTimersByTime(60_000);
      expect(countdown.signal.aborted).toBe(false);
      release();
      vi.advanceTimersByTime(999);
      expect(countdown.signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(countdown.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is withdrawn when the call is cancelled', async () => {
    const shown = deferred<void>();
    const gone = deferred<void>();
    const client = await connectClient(await start(), { elicitation: { form: {} } }, (made) =>
      made.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
        signal.addEventListener('abort', () => gone.resolve());
        shown.resolve();
        await gone.promise;
        return { action: 'cancel' as const };
      }),
    );
    ends.push(() => client.close());
    const cancelled = new AbortController();
    const call = callTool(client, 'odd_asks', {}, cancelled.signal).catch(() => undefined);
    await shown.promise;
    cancelled.abort();
    await Promise.all([gone.promise, call]);
  });
});

describe('a request of an upstream to the model', () => {
  async function lent(server: MemoryServer, seen: CreateMessageRequestParams[]): Promise<Client> {
    const client = await connectClient(server, { sampling: {} }, (made) =>
      made.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        seen.push(params);
        return { role: 'assistant', model: 'scripted', content: { type: 'text', text: `api_key=${SECRET}` } };
      }),
    );
    ends.push(() => client.close());
    return client;
  }

  it('passes where its entry allows it, bounded, named and without secrets', async () => {
    const seen: CreateMessageRequestParams[] = [];
    const client = await lent(await start({ sampling: true }), seen);
    const { text } = await callTool(client, 'odd_samples', { value: `api_key=${SECRET}` });
    expect(text).toContain('scripted');
    expect(text).not.toContain(SECRET);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    expect(seen).toEqual([expect.objectContaining({ maxTokens: 4_096 })]);
    expect(seen[0]?.includeContext).toBeUndefined();
    expect(seen[0]?.systemPrompt).toContain('The server "odd" wrote this request');
    expect((await callTool(client, 'every_trigger-sampling-request', { prompt: 'hi' })).text).toContain(
      'scripted',
    );
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
  const client = await connectClient(server, {}, hear);
  ends.push(() => client.close());
  await client.setLoggingLevel('notice');
  const { client: other } = server;
  hear(other);
  await callTool(client, 'odd_logs', { value: `api_key=${SECRET}` });
  await vi.waitFor(() => expect(lines).toHaveLength(2), PATIENCE);
  expect(lines).toEqual(
    ['notice', 'critical'].map((level) =>
      expect.objectContaining({
        level,
        logger: 'odd',
        data: expect.objectContaining({ message: expect.stringMatching(`^${level} `) }),
      }),
    ),
  );
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});
