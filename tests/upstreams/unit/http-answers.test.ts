import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { DISPATCHER, Dispatcher } from '../../../server/upstreams/patient-fetch.ts';
import { startService } from '../../support/openapi/service.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startUpstreams } from '../../support/upstream-rig.ts';

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
});
type Message = z.output<typeof Message>;
type Answer = (response: ServerResponse, message: Message) => void;
const json =
  (value: unknown): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const plain =
  (text: string, status: number): Answer =>
  (response) =>
    void response.writeHead(status).end(text);
const result =
  (value: unknown): Answer =>
  (response, { id }) =>
    json({ jsonrpc: '2.0', id, result: value })(response, { id, method: '' });

const inEvents =
  (write: (response: ServerResponse, message: Message) => void): Answer =>
  (response, message) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response, message);
  };
const event = (id: number | undefined, value: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: value })}\n\n`;
const DONE = { content: [{ type: 'text', text: 'done' }] };
const FAULTS: Readonly<Record<string, readonly [Answer, string]>> = {
  is_busy: [plain('come later', 503), 'failed: HTTP 503: come later'],
  breaks: [plain('the database is down', 500), 'failed: HTTP 500: the database is down'],
  is_older: [
    plain('None', 405),
    String.raw`failed: HTTP 405 (an older server needs \"transport\": \"sse\" in its entry)`,
  ],
  refuses: [plain('not for you', 401), 'asks for a sign-in ('],
  leads_away: [
    (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/mcp?key=1' }).end(),
    'failed: HTTP 307: Redirect to http://127.0.0.1:9/mcp not followed',
  ],
  shows_html: [
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    'failed: Unexpected content type: text/html',
  ],
  errs: [
    (response, { id }) =>
      json({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'full' } })(response, { id, method: '' }),
    'refused: full',
  ],
  misspeaks: [result('text'), 'answered what MCP does not allow'],
  misspeaks_in_events: [
    inEvents((response, { id }) => void response.write(event(id, 'text'))),
    'answered what MCP does not allow',
  ],
  ends_without_answer: [inEvents((response) => void response.end(': nothing\n\n')), 'broke off its answer'],
  hangs_up: [(response) => void response.socket?.destroy(), 'failed: fetch failed: UND_ERR_SOCKET'],
};
const TOOLS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, [answer]]) => [name, answer])),
  works: result(DONE),
  answers_and_hangs_up: inEvents((response, { id }) =>
    response.write(event(id, DONE), () => response.socket?.destroy()),
  ),
};

async function startFar() {
  const far = { sessions: 0, url: '', waiting: [] as (() => void)[] };
  const tools = ['waits', ...Object.keys(TOOLS)].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const METHODS: Readonly<Record<string, Answer>> = {
    initialize: (response, message) => {
      response.setHeader('mcp-session-id', `s${(far.sessions += 1)}`);
      const { protocolVersion } = message.params ?? {};
      const serverInfo = { name: 'far', version: '1' };
      result({ protocolVersion, capabilities: { tools: {} }, serverInfo })(response, message);
    },
    'tools/list': result({ tools }),
    'tools/call': (response, message) => {
      const { name = '' } = message.params ?? {};
      if (name === 'waits') far.waiting.push(() => result(DONE)(response, message));
      else TOOLS[name]?.(response, message);
    },
  };
  const service = await startService((response, { method, body }) => {
    if (method !== 'POST') return void response.writeHead(405).end();
    const message = Message.parse(JSON.parse(body));
    if (message.id === undefined) return void response.writeHead(202).end();
    (METHODS[message.method] ?? result({}))(response, message);
  });
  far.url = `${service.url}/mcp`;
  return far;
}

async function start() {
  const far = await startFar();
  const server = await startUpstreams([parseEntry({ id: 'far', url: far.url }, 'far')]);
  return { far, call: server.call, state: () => server.upstreams.report()[0] };
}

it('an upstream over HTTP that fails one call fails that call alone, and says why', async () => {
  const { far, call, state } = await start();
  const waiting = call('far_waits');
  await vi.waitFor(() => expect(far.waiting).toHaveLength(1), PATIENCE);
  for (const [name, [, why]] of Object.entries(FAULTS)) {
    const failed = await call(`far_${name}`);
    expect(failed.code(), name).toBe(name === 'refuses' ? 'upstream_sign_in_required' : 'upstream_error');
    expect(failed.text).toContain(`The upstream far ${why}`);
    // The others may have done what they were asked for.
    expect(failed.text).toContain(`"retryable":${name.startsWith('is_')}`);
    expect((await call('far_works')).text, name).toBe('done');
  }
  for (const answer of far.waiting) answer();
  expect((await waiting).text).toBe('done');
  expect(state()).toMatchObject({ state: 'ready' });
  expect(far.sessions).toBe(1);
  expect((await call('far_answers_and_hangs_up')).text).toBe('done');
});

it('an upstream over HTTP may be silent for longer than Node waits', async () => {
  const { far, call } = await start();
  const own = Dispatcher.parse(Reflect.get(globalThis, DISPATCHER));
  const hasty = own.compose((send) => (how, handler) => send({ headersTimeout: 50, ...how }, handler));
  onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, own));
  Reflect.set(globalThis, DISPATCHER, hasty);
  const waiting = call('far_waits');
  await vi.waitFor(() => expect(far.waiting).toHaveLength(1), PATIENCE);
  const body = JSON.stringify({ id: 1, method: 'tools/call', params: { name: 'waits' } });
  const how = Object.assign({ method: 'POST', body }, { dispatcher: hasty });
  await expect(fetch(far.url, how)).rejects.toThrow();
  for (const answer of far.waiting) answer();
  expect((await waiting).text).toBe('done');
});
