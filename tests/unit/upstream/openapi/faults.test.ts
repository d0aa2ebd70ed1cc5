import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenApiSource } from '../../../../server/upstream/openapi/index.ts';
import type { UpstreamSource } from '../../../../server/upstream/source.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { codeOf } from '../../../support/code-of.ts';
import { callContext, callTool, settled } from '../../../support/openapi/context.ts';
import { documentOf, startService, type Service } from '../../../support/openapi/service.ts';

const SECRET = 'token-that-nobody-may-see';
const send = (response: ServerResponse, status: number, type: string, body: string | Buffer): void =>
  void response.writeHead(status, { 'content-type': type }).end(body);

/** What is wrong, by the path that asks for it. */
const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  hung: () => undefined,
  'slow-body': (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('[1,'),
  'cut-json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('[1,');
    setImmediate(() => response.socket?.destroy());
  },
  'cut-bytes': (response) => {
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-length': '100' })
      .write('\u0089PNG\r\n\u001a\n');
    setImmediate(() => response.socket?.destroy());
  },
  reset: (response) => void response.socket?.destroy(),
  'invalid-json': (response) => send(response, 200, 'application/json', '<html>no</html>'),
  'wrong-type': (response) => send(response, 200, 'image/png', 'just a text'),
  'no-content': (response) => void response.writeHead(204).end(),
  empty: (response) => send(response, 200, 'application/json', ''),
  binary: (response) => send(response, 200, 'application/pdf', Buffer.from([0, 1, 2, 255])),
  text: (response) =>
    send(response, 200, 'text/plain; charset=iso-8859-1', Buffer.from('caf\u00e9', 'latin1')),
  // Its last number is more than JavaScript can hold.
  ids: (response) =>
    send(
      response,
      200,
      'application/json',
      '{"a\\"1":"12345678901234567890","b":[1.5,-12345678901234567891]}',
    ),
  'id-list': (response) =>
    send(response, 200, 'application/json', `[${'{"id":12345678901234567890},'.repeat(50_000)}1]`),
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const ticking = setInterval(() => response.write('data: tick\n\n'), 20);
    response.on('close', () => clearInterval(ticking));
  },
  'silent-stream': (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  loop: (response) => void response.writeHead(302, { location: '/loop' }).end(),
  'too-many': (response) =>
    void response
      .writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
      .end(JSON.stringify({ error: 'slow down', key: SECRET })),
  'not-found': (response) => send(response, 404, 'application/json', '{"message":"no such pet"}'),
  'silent-failure': (response) => void response.writeHead(500).end(),
  'huge-failure': (response) => send(response, 500, 'text/plain', 'why '.repeat(1_000_000)),
  'half-list': (response) => send(response, 200, 'application/json', `[${'{"a":1},'.repeat(200_000)}`),
};

describe('a service that fails', () => {
  let service: Service;
  let source: UpstreamSource;
  beforeAll(async () => {
    service = await startService((response, { path }) => FAULTS[path.slice(1)]?.(response));
    const paths = Object.fromEntries(
      Object.keys(FAULTS).map((name) => [`/${name}`, { get: { operationId: name } }]),
    );
    source = createOpenApiSource(
      {
        id: 'faulty',
        docData: documentOf(paths),
        baseUrl: service.url,
        headers: { authorization: `Bearer ${SECRET}` },
      },
      { answerMs: 1_000, idleMs: 1_000 },
    );
    await settled(source);
  });
  afterAll(async () => {
    await source.close();
    await service.close();
  });

  it.each([
    ['hung', 'timeout'],
    ['slow-body', 'timeout'],
    ['cut-json', 'upstream_error'],
    ['cut-bytes', 'upstream_error'],
    ['reset', 'upstream_error'],
    ['loop', 'upstream_error'],
    ['half-list', 'upstream_error'],
    ['silent-failure', 'upstream_http_error'],
  ])('answers %s with %s', async (name, code) => {
    expect(await codeOf(callTool(source, name))).toBe(code);
  });

  it.each([
    ['no-content', { kind: 'json', value: { status: 204, body: null } }],
    ['empty', { kind: 'json', value: { status: 200, body: null } }],
    ['invalid-json', { kind: 'text', mimeType: 'text/plain', value: '<html>no</html>' }],
    ['wrong-type', { kind: 'text', value: 'just a text' }],
    ['binary', { kind: 'bytes', mimeType: 'application/pdf', value: 'AAEC/w==' }],
    ['text', { kind: 'text', mimeType: 'text/plain', value: 'café' }],
  ])('answers %s with what there is', async (name, expected) => {
    expect(await callTool(source, name)).toMatchObject(expected);
  });

  it('keeps every digit of an integer, in a list that is read as it comes, too', async () => {
    expect((await callTool(source, 'ids')).value).toEqual({
      'a"1': '12345678901234567890',
      b: [1.5, '-12345678901234567891'],
    });
    const { value } = await callTool(source, 'id-list');
    expect((value as unknown[])[49_999]).toEqual({ id: '12345678901234567890' });
  });

  it('answers a stream without an end with its beginning', async () => {
    const cut = [expect.stringContaining('this is its beginning')];
    const { value, coverage } = await callTool(source, 'endless');
    expect(value).toMatch(/^data: tick\n\ndata: tick\n\n/);
    expect(coverage).toEqual(cut);
    expect(await callTool(source, 'silent-stream')).toMatchObject({ value: { body: null }, coverage: cut });
  });

  it('keeps what a failure says, when to come back, and no credential', async () => {
    const thrown: unknown = await callTool(source, 'too-many').catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: 'upstream_http_error',
      retryable: true,
      state: {
        status: 429,
        headers: { 'retry-after': '7' },
        body: { error: 'slow down', key: '[credential]' },
      },
    });
    expect((thrown as SpillwayError).message).toContain('retry-after: 7');
    expect((thrown as SpillwayError).message).toContain('slow down');
  });

  it('tells what is not there from what is broken', async () => {
    await expect(callTool(source, 'not-found')).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('no such pet'),
    });
  });

  it('bounds the body of a failure', async () => {
    const thrown: unknown = await callTool(source, 'huge-failure').catch((error: unknown) => error);
    expect((thrown as SpillwayError).message.length).toBeLessThan(2_000);
    expect(JSON.stringify((thrown as SpillwayError).state).length).toBeLessThan(20_000);
  });

  it('ends with its call, before the headers and within the body', async () => {
    for (const name of ['hung', 'slow-body']) {
      const caller = new AbortController();
      const reason = new SpillwayError('cancelled', 'No longer needed.');
      const call = callTool(source, name, {}, caller.signal);
      setImmediate(() => caller.abort(reason));
      await expect(call).rejects.toBe(reason);
    }
  });

  it('releases a body that nobody reads', async () => {
    const closed: Promise<unknown>[] = [];
    const streaming = await startService((response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200, { 'content-type': 'text/plain' }).write('beginning');
    });
    const own = createOpenApiSource({
      id: 'own',
      docData: documentOf({ '/a': { get: {} } }),
      baseUrl: streaming.url,
    });
    const { context, end } = callContext();
    await own.call('get_a', {}, context);
    await end();
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
    await own.close();
    await streaming.close();
  });
});

describe('redirects', () => {
  it('stay within the origin with credentials, and leave it only as a GET without them', async () => {
    const other = await startService();
    const service = await startService((response, { path }) => {
      if (path === '/landed') response.end('{}');
      else
        response
          .writeHead(path === '/near' ? 307 : 302, {
            location: path === '/near' ? '/landed' : `${other.url}/far`,
          })
          .end();
    });
    const method = (id: string) => ({
      operationId: id,
      requestBody: { content: { 'application/json': { schema: {} } } },
    });
    const source = createOpenApiSource({
      id: 'moving',
      docData: documentOf({
        '/near': { put: method('near') },
        '/far': { get: { operationId: 'far' }, put: method('put') },
      }),
      baseUrl: service.url,
      headers: { authorization: `Bearer ${SECRET}`, 'x-key': SECRET },
    });
    await callTool(source, 'near', { body: { a: 1 } });
    expect(service.seen.at(-1)).toMatchObject({ method: 'PUT', path: '/landed', body: '{"a":1}' });
    expect(service.seen.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    await callTool(source, 'far');
    expect(JSON.stringify(other.seen)).not.toContain(SECRET);
    expect(other.seen).toHaveLength(1);
    expect(await codeOf(callTool(source, 'put', { body: {} }))).toBe('upstream_error');
    expect(other.seen).toHaveLength(1);
    await source.close();
    await service.close();
    await other.close();
  });
});
