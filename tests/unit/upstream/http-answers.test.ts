import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { parseEntry } from '../../../server/upstream/index.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { keptLog, startWithUpstreams } from '../../support/upstream-rig.ts';

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
});
type Message = z.output<typeof Message>;
type Answer = (response: ServerResponse, message: Message) => void;

const json =
  (value: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const plain =
  (text: string, status: number): Answer =>
  (response) =>
    void response.writeHead(status).end(text);
const result =
  (value: unknown): Answer =>
  (response, { id }) =>
    json({ jsonrpc: '2.0', id, result: value })(response, { id, method: '' });

/** What a tool answers in the place of a result. */
const FAULTS: Readonly<Record<string, Answer>> = {
  breaks: plain('the database is down', 500),
  breaks_in_one_word: plain(`{"error":"${'no_such_table.'.repeat(100)}"}`, 500),
  refuses: plain('not for you', 401),
  is_busy: plain('later', 429),
  shows_html: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
  misspeaks: (response, { id }) => json({ jsonrpc: '2.0', id, result: 'text' })(response, { id, method: '' }),
  misspeaks_in_events: (response, { id }) =>
    void response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: 'text' })}\n\n`),
  ends_without_answer: (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
  answers_and_hangs_up: (response, { id }) => {
    const done = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(done)}\n\n`, () => response.socket?.destroy());
  },
  hangs_up: (response) => void response.socket?.destroy(),
  stops_early: (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
};

/** An MCP server over HTTP with sessions, which can be broken in parts and as a whole. */
class FarServer {
  isDown = false;
  sessions = 0;
  readonly #live = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  /** Forgets all sessions. */
  expire(): void {
    this.#live.clear();
  }

  /** Answers the calls of `waits`. */
  release(): void {
    for (const answer of this.#waiting.splice(0)) answer();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    if (this.isDown) return plain('closed', 503)(response, { method: '' });
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = Message.parse(JSON.parse(Buffer.concat(parts).toString()));
    if (message.method === 'initialize') return this.#greet(response, message);
    if (!this.#live.has(String(request.headers['mcp-session-id'])))
      return json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }, 404)(
        response,
        message,
      );
    if (message.id === undefined) return void response.writeHead(202).end();
    this.#answer(response, message);
  }

  #greet(response: ServerResponse, message: Message): void {
    const session = `s${(this.sessions += 1)}`;
    this.#live.add(session);
    response.setHeader('mcp-session-id', session);
    const { protocolVersion } = message.params ?? {};
    const serverInfo = { name: 'far', version: '1' };
    result({ protocolVersion, capabilities: { tools: {} }, serverInfo })(response, message);
  }

  #answer(response: ServerResponse, message: Message): void {
    const names = ['works', 'waits', ...Object.keys(FAULTS)];
    const done = (): void => result({ content: [{ type: 'text', text: 'done' }] })(response, message);
    const { name = '' } = message.params ?? {};
    if (message.method === 'tools/list')
      result({ tools: names.map((each) => ({ name: each, inputSchema: { type: 'object' } })) })(
        response,
        message,
      );
    else if (message.method !== 'tools/call') result({})(response, message);
    else if (name === 'waits') this.#waiting.push(done);
    else (FAULTS[name] ?? done)(response, message);
  }
}

let server: MemoryServer | undefined;
let far: FarServer | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  far?.stop();
});

async function start() {
  const log = keptLog();
  far = new FarServer();
  const url = await far.start();
  server = await startWithUpstreams([parseEntry({ id: 'far', url }, 'far')], { logger: log });
  const { call } = server;
  return { far, call, log, state: () => server?.upstreams.report()[0] };
}

describe('an upstream over HTTP', () => {
  it.each([
    ['breaks', 'failed: HTTP 500: the database is down'],
    ['breaks_in_one_word', 'failed: HTTP 500: {\\"error\\":\\"no_such_table.no_such_table.'],
    ['refuses', 'asks for a sign-in (spillway upstream login far)', 'upstream_sign_in_required'],
    ['is_busy', 'failed: HTTP 429: later'],
    ['shows_html', 'failed: Unexpected content type: text/html'],
    ['misspeaks', 'answered what MCP does not allow'],
    ['misspeaks_in_events', 'answered what MCP does not allow'],
    ['ends_without_answer', 'broke off its answer'],
    ['hangs_up', 'failed: fetch failed: UND_ERR_SOCKET'],
    ['stops_early', 'failed: Unexpected end of JSON input'],
  ])('that %s fails that call alone, and says why', async (name, why, code = 'upstream_error') => {
    const { far: other, call, state } = await start();
    const waiting = call('far_waits');
    await vi.waitFor(() => expect(other.waiting).toBe(1), PATIENCE);
    const failed = await call(`far_${name}`);
    expect(failed.code()).toBe(code);
    expect(failed.text).toContain(`The upstream far ${why}`);
    expect((await call('far_works')).text).toBe('done');
    other.release();
    expect((await waiting).text).toBe('done');
    expect(state()).toMatchObject({ state: 'ready' });
    expect(other.sessions).toBe(1);
  });

  it('that hangs up after its answer has answered', async () => {
    const { call } = await start();
    expect((await call('far_answers_and_hangs_up')).text).toBe('done');
  });

  it('that is away is asked again, soon where it had held', async () => {
    const { far: other, call, state, log } = await start();
    const delays = (): number[] =>
      [...log.lines.join('\n').matchAll(/"retry_ms":(\d+)/g)].map(([, ms]) => Number(ms));
    /** The first delay after it has gone. */
    const goAndComeBack = async (): Promise<number | undefined> => {
      const { length } = delays();
      other.isDown = true;
      expect((await call('far_works')).text).toContain('HTTP 503: closed');
      await vi.waitFor(
        () => expect(state()).toMatchObject({ state: 'failed', problem: 'HTTP 503: closed' }),
        PATIENCE,
      );
      other.isDown = false;
      await vi.waitFor(() => expect(state()).toMatchObject({ state: 'ready' }), PATIENCE);
      return delays()[length];
    };
    expect(await goAndComeBack()).toBe(500);
    expect(await goAndComeBack()).toBeGreaterThan(500);
    const { now } = performance;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
    expect(await goAndComeBack()).toBe(500);
  });

  it('that has forgotten the session gets a new one, and the call', async () => {
    const { far: other, call, state } = await start();
    other.expire();
    const calls = await Promise.all([call('far_works'), call('far_works'), call('far_works')]);
    expect(calls.map(({ text }) => text)).toEqual(['done', 'done', 'done']);
    expect(state()).toMatchObject({ state: 'ready' });
    expect(other.sessions).toBe(2);
  });
});
