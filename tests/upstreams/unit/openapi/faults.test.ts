import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { OpenApiSource } from '../../../../server/upstreams/openapi/index.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { codeOf } from '../../../support/code-of.ts';
import { callTool } from '../../../support/openapi/context.ts';
import { documentOf, startService } from '../../../support/openapi/service.ts';

const SECRET = 'token-that-nobody-may-see';
type Fault = (response: ServerResponse) => void;
const answer =
  (status: number, type: string, body: string | Buffer = ''): Fault =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
const cut =
  (type: string, part: string): Fault =>
  (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': '100' }).write(part);
    setImmediate(() => response.socket?.destroy());
  };

const FAULTS: Readonly<Record<string, Fault>> = {
  hung: () => undefined,
  'slow-body': (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('[1,'),
  'silent-events': (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1'),
  'cut-json': cut('application/json', '[1,'),
  reset: (response) => void response.socket?.destroy(),
  moved: (response) => void response.writeHead(303, { location: '/reset' }).end(),
  loop: (response) => void response.writeHead(302, { location: '/loop' }).end(),
  'too-many': (response) =>
    void response
      .writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
      .end(JSON.stringify({ error: 'slow down', key: SECRET })),
  'not-found': answer(404, 'application/json', '{"message":"no such pet"}'),
  'silent-failure': (response) => void response.writeHead(500).end(),
  'huge-failure': answer(500, 'text/plain', 'why '.repeat(1_000_000)),
};
const both = (name: string) => ({ get: { operationId: name }, post: { operationId: `post-${name}` } });
const paths = Object.fromEntries(Object.keys(FAULTS).map((name) => [`/${name}`, both(name)]));
const docData = documentOf(paths);
const headers = { authorization: `Bearer ${SECRET}` };
const { url: baseUrl } = await startService((response, { path }) => FAULTS[path.slice(1)]?.(response));
const source = new OpenApiSource({ id: 'faulty', docData, baseUrl, headers });
describe('a service that fails', () => {
  const hasty = new OpenApiSource({ id: 'hasty', docData, baseUrl }, { answerMs: 500, idleMs: 1 });
  afterAll(() => Promise.all([source.close(), hasty.close()]));

  it.each(['hung', 'slow-body', 'cut-json', 'reset', 'moved'])(
    'may be asked again after %s, unless a POST may have been carried out',
    async (name) => {
      await expect(callTool(hasty, name)).rejects.toMatchObject({ retryable: true });
      const hint = expect.stringContaining('Look at what it has done');
      await expect(callTool(hasty, `post-${name}`)).rejects.toMatchObject({ retryable: false, hint });
    },
  );

  it.each([
    ['cut-json', 'upstream_error'],
    ['reset', 'upstream_error'],
    ['loop', 'upstream_error'],
    ['silent-failure', 'upstream_http_error'],
  ])('answers %s with %s', async (name, code) => expect(await codeOf(callTool(source, name))).toBe(code));

  it('answers the beginning of a stream of events that is silent until the time is over', async () => {
    const coverage = [expect.stringContaining('this is its beginning')];
    // On a busy machine, half a second may end before the beginning is there.
    await expect.poll(() => callTool(hasty, 'silent-events')).toMatchObject({ value: 'data: 1', coverage });
  });

  it('keeps what a failure says, when to come back, and no credential', async () => {
    const message = expect.stringMatching(/slow down.*retry-after: 7|retry-after: 7.*slow down/s);
    const body = { error: 'slow down', key: '[credential]' };
    await expect(callTool(source, 'too-many')).rejects.toMatchObject({
      code: 'upstream_http_error',
      retryable: true,
      message,
      state: { status: 429, headers: { 'retry-after': '7' }, body },
    });
    await expect(callTool(source, 'not-found')).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining('no such pet'),
    });
    // Only the beginning of a long one is kept.
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
});

it('a POST that found nobody may be repeated', async () => {
  const source = new OpenApiSource({ id: 'away', docData, baseUrl: 'http://127.0.0.1:2' });
  const message = expect.stringContaining('ECONNREFUSED');
  await expect(callTool(source, 'post-hung')).rejects.toMatchObject({ retryable: true, message });
  await source.close();
});

it('an answer keeps what is only like a header of the configuration, and no credential', async () => {
  const body = { at: '2022-11-28T10:00:00Z', media: 'application/vnd.x+json' };
  const link = (key: string): string => `</?appid=${key}>`;
  const service = await startService((response) =>
    response.setHeader('link', link(SECRET)).end(JSON.stringify({ ...body, own: SECRET })),
  );
  const schemes = { components: { securitySchemes: { id: { type: 'apiKey', in: 'query', name: 'appid' } } } };
  const given = { 'x-version': '2022-11-28', accept: body.media, appid: SECRET };
  const telling = documentOf({ '/a': { get: {} } }, schemes);
  const source = new OpenApiSource({ id: 'a', docData: telling, baseUrl: service.url, headers: given });
  expect(await callTool(source, 'get_a')).toMatchObject({
    value: { ...body, own: '[credential]' },
    state: { headers: { link: link('[credential]') } },
    coverage: [`link: ${link('[credential]')}`],
  });
  await source.close();
});

it('redirects stay within the origin with credentials, and leave it only as a GET without them', async () => {
  const other = await startService();
  const MOVED: Readonly<Record<string, readonly [number, string]>> = {
    '/near': [307, '/landed'],
    '/far': [302, `${other.url}/far`],
  };
  const service = await startService((response, { path }) => {
    const [status = 200, location = ''] = MOVED[path] ?? [];
    response.writeHead(status, location === '' ? {} : { location }).end('{}');
  });
  const requestBody = { content: { 'application/json': { schema: {} } } };
  const moving = documentOf({
    '/near': { put: { operationId: 'near', requestBody } },
    '/far': { get: { operationId: 'far' }, put: { operationId: 'put', requestBody } },
  });
  const sent = { ...headers, 'x-key': SECRET };
  const source = new OpenApiSource({ id: 'moving', docData: moving, baseUrl: service.url, headers: sent });
  await callTool(source, 'near', { body: { a: 1 } });
  expect(service.seen.at(-1)).toMatchObject({ method: 'PUT', path: '/landed', body: '{"a":1}' });
  expect(service.seen.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  await callTool(source, 'far');
  expect(JSON.stringify(other.seen)).not.toContain(SECRET);
  expect(other.seen).toHaveLength(1);
  expect(await codeOf(callTool(source, 'put', { body: {} }))).toBe('upstream_error');
  expect(other.seen).toHaveLength(1);
  await source.close();
});
