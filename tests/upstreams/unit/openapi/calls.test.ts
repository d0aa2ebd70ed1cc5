import { expect, it } from 'vitest';
import { OpenApiSource, type OpenApiOptions } from '../../../../server/upstreams/openapi/index.ts';
import type { JsonObject, JsonValue } from '../../../../shared/base/json.ts';
import { codeOf } from '../../../support/code-of.ts';
import { callTool, settled } from '../../../support/openapi/context.ts';
import { documentOf, startService, type Seen } from '../../../support/openapi/service.ts';

const service = await startService();
interface Operation {
  readonly path?: string;
  readonly parameters?: JsonValue[];
  readonly security?: JsonValue[];
  /** Type, schema, and further members of the parameter. */
  readonly body?: readonly [string, JsonObject, JsonObject?];
  readonly isOptional?: boolean;
}

/** The request that one call of one operation sends, and the operation's schema. */
async function sent(
  { path = '/a', body, isOptional = false, ...operation }: Operation,
  args: JsonObject = {},
  { document, ...options }: Partial<OpenApiOptions> & { readonly document?: JsonObject } = {},
): Promise<{ readonly seen: Seen | undefined; readonly schema: JsonObject }> {
  const [type = '', schema = {}, more = {}] = body ?? [];
  const requestBody = { required: !isOptional, content: { [type]: { schema, ...more } } };
  const whole = { operationId: 'call', ...operation, ...(body === undefined ? {} : { requestBody }) };
  const docData = documentOf({ [path]: { [body === undefined ? 'get' : 'put']: whole } }, document);
  const source = new OpenApiSource({ id: 'service', docData, baseUrl: service.url, ...options });
  await settled(source);
  const inputSchema = source.tools[0]?.inputSchema ?? {};
  const before = service.seen.length;
  try {
    await callTool(source, 'call', args);
    return { seen: service.seen[before], schema: inputSchema };
  } finally {
    await source.close();
  }
}

const parameter = (at: string, name: string, more: JsonObject = {}): JsonObject => ({
  in: at,
  name,
  schema: { type: 'string' },
  ...more,
});
const objectOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const JSON_BODY = 'application/json';
const FILE = { type: 'string', format: 'binary' };
const FORM = {
  encoding: { deep: { style: 'deepObject', explode: true }, expand: { style: 'form', explode: false } },
};

it.each<[string, Operation, JsonObject, Partial<Seen>]>([
  [
    'put each parameter where it belongs',
    {
      path: '/pets/{id}/{kind}',
      parameters: [
        parameter('path', 'id'),
        parameter('path', 'kind', { style: 'label' }),
        parameter('query', 'tags', { schema: { type: 'array' } }),
        parameter('query', 'filter', { content: { [JSON_BODY]: { schema: { type: 'object' } } } }),
        parameter('header', 'X-Trace'),
        parameter('cookie', 'session'),
      ],
    },
    { id: 'a/b', kind: 'cat', tags: ['x', 'y z'], filter: { a: 1 }, 'X-Trace': 't', session: 's 1' },
    {
      path: '/pets/a%2Fb/.cat?tags=x&tags=y%20z&filter=%7B%22a%22%3A1%7D',
      headers: { 'x-trace': 't', cookie: 'session=s%201' },
    },
  ],
  [
    'keep any other body as one argument',
    { body: [JSON_BODY, { oneOf: [objectOf({ a: {} }), { type: 'array', items: {} }] }] },
    { body: [1, 'é'] },
    { body: '[1,"é"]', headers: { 'content-type': JSON_BODY } },
  ],
  [
    'write forms as their encoding says',
    {
      body: ['application/x-www-form-urlencoded', objectOf({ a: {}, expand: {}, deep: {}, plain: {} }), FORM],
    },
    { a: 'x y', expand: ['b', 'c'], deep: { d: { e: 1 } }, plain: { f: 2 } },
    { body: 'a=x%20y&expand=b,c&deep%5Bd%5D%5Be%5D=1&plain=%7B%22f%22%3A2%7D' },
  ],
  [
    'send bytes as they are',
    { body: ['application/octet-stream', FILE] },
    { body: { base64: 'aGk=' } },
    { body: 'hi' },
  ],
  ['send text as it is', { body: ['text/plain', { type: 'string' }] }, { body: 'hé' }, { body: 'hé' }],
  // Encoded once more, `%2e` is an ordinary name.
  [
    'encode dots that were encoded',
    { path: '/x/{id}/y', parameters: [parameter('path', 'id')] },
    { id: '%2e%2E' },
    { path: '/x/%252e%252E/y' },
  ],
])('requests %s', async (_what, operation, args, expected) => {
  expect((await sent(operation, args)).seen).toMatchObject(expected);
});

it('requests write files of multipart bodies from text and from base64', async () => {
  const properties = {
    file: { ...FILE, description: 'The file.' },
    more: { type: 'array', items: { type: 'string', contentMediaType: 'text/csv' } },
    note: { type: 'string' },
  };
  const { seen, schema } = await sent(
    { body: ['multipart/form-data', { ...objectOf(properties), required: ['file'] }] },
    {
      file: { base64: 'aGk=', file_name: 'a"\r\nb.bin', media_type: 'image/png' },
      more: [{ text: 'x,y' }, { text: 'z' }],
      note: 'n',
    },
  );
  const boundary = /boundary=(.+)$/.exec(seen?.headers['content-type'] ?? '')?.[1];
  const text = 'filename="file"\r\nContent-Type: text/plain; charset=utf-8';
  expect(seen?.body.split(`--${boundary}`).map((part) => part.trim())).toEqual([
    '',
    'Content-Disposition: form-data; name="file"; filename="a%22%0D%0Ab.bin"\r\nContent-Type: image/png\r\n\r\nhi',
    `Content-Disposition: form-data; name="more"; ${text}\r\n\r\nx,y`,
    `Content-Disposition: form-data; name="more"; ${text}\r\n\r\nz`,
    'Content-Disposition: form-data; name="note"\r\n\r\nn',
    '--',
  ]);
  expect(schema).toMatchObject({ required: ['file'], properties: { file: { description: 'The file.' } } });
});

it.each<[string, JsonObject, string | null]>([
  ['is left out', {}, ''],
  ['is sent whole', { id: 7, note: 'n' }, '{"id":7,"note":"n"}'],
  ['is not sent without what it must have', { note: 'n' }, null],
])('requests with an optional body of required members: it %s', async (_what, args, expected) => {
  const members = { ...objectOf({ id: { type: 'integer' }, note: {} }), required: ['id'] };
  const call = sent({ isOptional: true, body: [JSON_BODY, members] }, args);
  if (expected === null) return expect(call).rejects.toThrow('id: a body with note must have it.');
  const { seen, schema } = await call;
  expect(seen?.body).toBe(expected);
  expect(schema['properties']).toMatchObject({ id: { type: 'integer' }, note: {} });
  expect(schema['required']).toBeUndefined();
});

it.each<[string, JsonObject]>([
  ['a part of the path that leads up', { id: '..' }],
  ['an empty one', { id: '' }],
  ['none at all', {}],
  ['an argument that there is not', { id: 'a', other: 1 }],
  ['a header of two lines', { id: 'a', trace: 'a\r\nb: c' }],
])('requests refuse %s', async (_name, args) => {
  const parameters = [parameter('path', 'id'), parameter('header', 'trace')];
  const before = service.seen.length;
  expect(await codeOf(sent({ path: '/x/{id}/y', parameters }, args))).toBe('invalid_argument');
  expect(service.seen).toHaveLength(before);
});

it.each([
  ['no server', {}, 'openapi_invalid'],
  ['a relative one', { servers: [{ url: '/v1' }] }, 'openapi_invalid'],
  ['one with a password', { servers: [{ url: 'http://a:b@127.0.0.1/' }] }, 'url_not_allowed'],
  ['one of another scheme', { servers: [{ url: 'file:///etc/passwd' }] }, 'url_not_allowed'],
])('servers refuse %s', async (_name, more, code) => {
  const source = new OpenApiSource({ id: 's', docData: documentOf({ '/a': { get: {} } }, more) });
  expect(await codeOf(callTool(source, 'get_a'))).toBe(code);
  await source.close();
});

const apiKey = (at: string, name: string): JsonObject => ({ type: 'apiKey', in: at, name });
const schemes = (securitySchemes: JsonObject): JsonObject => ({ components: { securitySchemes } });
const secured: Operation = { security: [{ key: [] }] };
it.each<[JsonObject, Record<string, string>, Partial<Seen>]>([
  [apiKey('header', 'X-Key'), { key: 'k1' }, { headers: { 'x-key': 'k1' } }],
  [apiKey('query', 'api_key'), { api_key: 'k 1' }, { path: '/a?api_key=k%201' }],
  [apiKey('cookie', 'sid'), { key: 'k1' }, { headers: { cookie: 'sid=k1' } }],
  [{ type: 'http', scheme: 'bearer' }, { key: 'k1' }, { headers: { authorization: 'Bearer k1' } }],
  [{ type: 'http', scheme: 'basic' }, { key: 'me:pw' }, { headers: { authorization: 'Basic bWU6cHc=' } }],
  [{ type: 'oauth2', flows: {} }, { authorization: 'Bearer k' }, { headers: { authorization: 'Bearer k' } }],
])('credentials of the scheme %j are sent from %j', async (scheme, headers, expected) => {
  const { seen } = await sent(secured, {}, { headers, document: schemes({ key: scheme }) });
  expect(seen).toMatchObject(expected);
});

it('credentials that are missing are named by their scheme, and nothing is asked', async () => {
  const before = service.seen.length;
  const document = schemes({ key: apiKey('query', 'api_key') });
  await expect(sent(secured, {}, { document })).rejects.toMatchObject({
    code: 'upstream_credential_missing',
    message: expect.stringMatching(/"key".*query "api_key"/),
  });
  expect(service.seen).toHaveLength(before);
});

it('credentials that the configuration sets cannot be set by callers', async () => {
  const parameters = [parameter('header', 'X-Key'), parameter('header', 'Authorization')];
  const { schema } = await sent({ parameters }, {}, { headers: { 'x-key': 'k' } });
  expect(schema['properties']).toEqual({});
});
