import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenApiSource, type OpenApiOptions } from '../../../../server/upstream/openapi/index.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { codeOf } from '../../../support/code-of.ts';
import { callTool, settled } from '../../../support/openapi/context.ts';
import { documentOf, startService, type Seen, type Service } from '../../../support/openapi/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The request that one call of one operation sends, and the operation's schema. */
async function sent(
  { path, method = 'get', operation }: { path: string; method?: string; operation: JsonObject },
  args: JsonObject,
  more: Partial<OpenApiOptions> & { readonly document?: JsonObject } = {},
): Promise<{ readonly seen: Seen | undefined; readonly schema: JsonObject }> {
  const { document, ...options } = more;
  const docData = documentOf({ [path]: { [method]: { operationId: 'call', ...operation } } }, document);
  const source = createOpenApiSource({ id: 'service', docData, baseUrl: service.url, ...options });
  await settled(source);
  const schema = source.tools()[0]?.inputSchema ?? {};
  const before = service.seen.length;
  try {
    await callTool(source, 'call', args);
    return { seen: service.seen[before], schema };
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
const bodyOf = (type: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  requestBody: { required: true, content: { [type]: { schema, ...more } } },
});

describe('requests', () => {
  it('puts each parameter where it belongs', async () => {
    const { seen } = await sent(
      {
        path: '/pets/{id}/{kind}',
        operation: {
          parameters: [
            parameter('path', 'id'),
            parameter('path', 'kind', { style: 'label' }),
            parameter('query', 'tags', { schema: { type: 'array' } }),
            parameter('query', 'filter', { content: { 'application/json': { schema: { type: 'object' } } } }),
            parameter('header', 'X-Trace'),
            parameter('cookie', 'session'),
          ],
        },
      },
      { id: 'a/b', kind: 'cat', tags: ['x', 'y z'], filter: { a: 1 }, 'X-Trace': 't', session: 's 1' },
    );
    expect(seen?.path).toBe('/pets/a%2Fb/.cat?tags=x&tags=y%20z&filter=%7B%22a%22%3A1%7D');
    expect(seen?.headers).toMatchObject({ 'x-trace': 't', cookie: 'session=s%201' });
  });

  it('names visibly what collides, and what no client takes', async () => {
    const { seen, schema } = await sent(
      {
        path: '/pets/{id}',
        method: 'put',
        operation: {
          parameters: [parameter('path', 'id'), parameter('query', 'id'), parameter('query', 'filter[name]')],
          ...bodyOf('application/json', { type: 'object', properties: { id: { type: 'integer' } } }),
        },
      },
      { id: 'p', query_id: 'q', filter_name: 'f', body_id: 3 },
    );
    expect(seen).toMatchObject({ path: '/pets/p?id=q&filter%5Bname%5D=f', body: '{"id":3}' });
    expect(schema['properties']).toMatchObject({
      query_id: { description: 'Sent as query parameter "id".' },
      filter_name: { description: 'Sent as query parameter "filter[name]".' },
      body_id: { description: 'Sent as body field "id".' },
    });
  });

  it('keeps any other body as one argument', async () => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { a: {} } },
        { type: 'array', items: {} },
      ],
    };
    const { seen } = await sent(
      { path: '/a', method: 'post', operation: bodyOf('application/json', schema) },
      { body: [1, 'é'] },
    );
    expect(seen).toMatchObject({ body: '[1,"é"]' });
    expect(seen?.headers['content-type']).toBe('application/json');
  });

  it('writes forms as their encoding says', async () => {
    const { seen } = await sent(
      {
        path: '/a',
        method: 'post',
        operation: bodyOf(
          'application/x-www-form-urlencoded',
          { type: 'object', properties: { a: {}, expand: {}, deep: {}, plain: {} } },
          {
            encoding: {
              deep: { style: 'deepObject', explode: true },
              expand: { style: 'form', explode: false },
            },
          },
        ),
      },
      { a: 'x y', expand: ['b', 'c'], deep: { d: { e: 1 } }, plain: { f: 2 } },
    );
    expect(seen?.body).toBe('a=x%20y&expand=b,c&deep%5Bd%5D%5Be%5D=1&plain=%7B%22f%22%3A2%7D');
  });

  it('writes files of multipart bodies from text and from base64', async () => {
    const { seen, schema } = await sent(
      {
        path: '/a',
        method: 'post',
        operation: bodyOf('multipart/form-data', {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', format: 'binary', description: 'The file.' },
            more: { type: 'array', items: { type: 'string', contentMediaType: 'text/csv' } },
            note: { type: 'string' },
          },
        }),
      },
      {
        file: { base64: 'aGk=', file_name: 'a"\r\nb.bin', media_type: 'image/png' },
        more: [{ text: 'x,y' }, { text: 'z' }],
        note: 'n',
      },
    );
    const boundary = /boundary=(.+)$/.exec(seen?.headers['content-type'] ?? '')?.[1];
    expect(seen?.body.split(`--${boundary}`).map((part) => part.trim())).toEqual([
      '',
      'Content-Disposition: form-data; name="file"; filename="a%22%0D%0Ab.bin"\r\nContent-Type: image/png\r\n\r\nhi',
      'Content-Disposition: form-data; name="more"; filename="file"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nx,y',
      'Content-Disposition: form-data; name="more"; filename="file"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nz',
      'Content-Disposition: form-data; name="note"\r\n\r\nn',
      '--',
    ]);
    expect(schema).toMatchObject({ required: ['file'], properties: { file: { description: 'The file.' } } });
  });

  it('gives parts the content types that the document allows, and JSON to what has parts', async () => {
    const properties = {
      picture: { type: 'string', format: 'binary' },
      scan: { type: 'string', format: 'binary' },
      about: { type: 'object' },
      rows: { type: 'array', items: { type: 'object' } },
    };
    const encoding = {
      picture: { contentType: 'image/png, image/jpeg' },
      scan: { contentType: 'image/png, image/jpeg' },
    };
    const { seen } = await sent(
      {
        path: '/a',
        method: 'post',
        operation: bodyOf('multipart/form-data', { type: 'object', properties }, { encoding }),
      },
      {
        picture: { text: 'x', media_type: 'image/jpeg' },
        scan: { text: 'y', media_type: 'image/tiff' },
        about: { a: 1 },
        rows: [{ b: 2 }, { c: 3 }],
      },
    );
    const types = [...(seen?.body ?? '').matchAll(/name="(\w+)".*\r\nContent-Type: (\S+)/g)];
    expect(types.map(([, name, type]) => [name, type])).toEqual([
      ['picture', 'image/jpeg'],
      ['scan', 'image/png'],
      ['about', 'application/json'],
      ['rows', 'application/json'],
      ['rows', 'application/json'],
    ]);
  });

  it('takes parts of a path that the document forgets, and leaves out headers that none can be', async () => {
    const { seen, schema } = await sent(
      {
        path: '/pets/{id}/{kind}',
        operation: { parameters: [parameter('path', 'id'), parameter('header', 'no header')] },
      },
      { id: '1', kind: 'cat' },
    );
    expect(seen?.path).toBe('/pets/1/cat');
    expect(schema).toMatchObject({ required: ['id', 'kind'] });
    expect(Object.keys(schema['properties'] as object)).toEqual(['id', 'kind']);
  });

  it('takes a list that contains itself', async () => {
    const { seen } = await sent(
      {
        path: '/a',
        method: 'post',
        operation: bodyOf('multipart/form-data', {
          type: 'object',
          properties: { tree: { $ref: '#/components/schemas/Tree' } },
        }),
      },
      { tree: [[], []] },
      {
        document: {
          components: { schemas: { Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
        },
      },
    );
    expect(seen?.body).toContain('name="tree"');
  });

  it('sends bytes and text as they are', async () => {
    const bytes = await sent(
      {
        path: '/a',
        method: 'put',
        operation: bodyOf('application/octet-stream', { format: 'binary', type: 'string' }),
      },
      { body: { base64: 'aGk=' } },
    );
    expect(bytes.seen).toMatchObject({ body: 'hi', headers: { 'content-type': 'application/octet-stream' } });
    const text = await sent(
      { path: '/a', method: 'put', operation: bodyOf('text/plain', { type: 'string' }) },
      { body: 'hé' },
    );
    expect(text.seen?.body).toBe('hé');
  });

  it.each<[string, JsonObject]>([
    ['a part of the path that leads up', { id: '..' }],
    ['an encoded one', { id: '%2e%2E' }],
    ['an empty one', { id: '' }],
    ['none at all', {}],
    ['an argument that there is not', { id: 'a', other: 1 }],
    ['a header of two lines', { id: 'a', trace: 'a\r\nb: c' }],
  ])('refuses %s', async (_name, args) => {
    const operation = { parameters: [parameter('path', 'id'), parameter('header', 'trace')] };
    const before = service.seen.length;
    // Encoded once more, `%2e` is a name like any other.
    const expected = args['id'] === '%2e%2E' ? 'no error' : 'invalid_argument';
    expect(await codeOf(sent({ path: '/x/{id}/y', operation }, args))).toBe(expected);
    expect(service.seen.slice(before).map(({ path }) => path)).toEqual(
      expected === 'no error' ? ['/x/%252e%252E/y'] : [],
    );
  });
});

describe('servers', () => {
  it('takes the first server with the defaults of its variables', async () => {
    const { port } = new URL(service.url);
    const servers = [
      {
        url: 'http://{host}:{port}/{version}',
        variables: { host: { default: '127.0.0.1' }, port: { default: port }, version: { default: 'v2' } },
      },
    ];
    const docData = documentOf({ '/a': { get: {} } }, { servers });
    const source = createOpenApiSource({ id: 'service', docData });
    await callTool(source, 'get_a');
    expect(service.seen.at(-1)?.path).toBe('/v2/a');
    await source.close();
  });

  it('keeps the query of baseUrl and its folder', async () => {
    const { seen } = await sent(
      { path: '/a', operation: {} },
      {},
      { baseUrl: `${service.url}/v1/?api-version=3` },
    );
    expect(seen?.path).toBe('/v1/a?api-version=3');
  });

  it.each([
    ['no server', {}, 'openapi_invalid'],
    ['a relative one', { servers: [{ url: '/v1' }] }, 'openapi_invalid'],
    ['one with a password', { servers: [{ url: 'http://a:b@127.0.0.1/' }] }, 'url_not_allowed'],
    ['one of another scheme', { servers: [{ url: 'file:///etc/passwd' }] }, 'url_not_allowed'],
  ])('refuses %s', async (_name, more, code) => {
    const source = createOpenApiSource({ id: 's', docData: documentOf({ '/a': { get: {} } }, more) });
    expect(await codeOf(callTool(source, 'get_a'))).toBe(code);
    await source.close();
  });
});

describe('credentials', () => {
  const schemes = (components: JsonObject): JsonObject => ({ components: { securitySchemes: components } });
  const secured = { path: '/a', operation: { security: [{ key: [] }] } };

  it.each<[string, JsonObject, Record<string, string>, Partial<Seen>]>([
    [
      'a header',
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { 'x-key': 'k1' },
      { headers: { 'x-key': 'k1' } },
    ],
    [
      'a header, by its scheme',
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { key: 'k1' },
      { headers: { 'x-key': 'k1' } },
    ],
    [
      'a query parameter',
      { type: 'apiKey', in: 'query', name: 'api_key' },
      { api_key: 'k 1' },
      { path: '/a?api_key=k%201' },
    ],
    [
      'a cookie',
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { key: 'k1' },
      { headers: { cookie: 'sid=k1' } },
    ],
    [
      'a bearer',
      { type: 'http', scheme: 'bearer' },
      { key: 'k1' },
      { headers: { authorization: 'Bearer k1' } },
    ],
    [
      'a password',
      { type: 'http', scheme: 'basic' },
      { key: 'me:pw' },
      { headers: { authorization: 'Basic bWU6cHc=' } },
    ],
    [
      'a token of OAuth',
      { type: 'oauth2', flows: {} },
      { authorization: 'Bearer k1' },
      { headers: { authorization: 'Bearer k1' } },
    ],
  ])('sends %s', async (_name, scheme, headers, expected) => {
    const { seen } = await sent(secured, {}, { headers, document: schemes({ key: scheme }) });
    expect(seen).toMatchObject(expected);
  });

  it('names the scheme whose credential is missing, and asks nothing', async () => {
    const before = service.seen.length;
    const document = schemes({ key: { type: 'apiKey', in: 'query', name: 'api_key' } });
    await expect(sent(secured, {}, { document })).rejects.toMatchObject({
      code: 'upstream_credential_missing',
      message: expect.stringMatching(/"key".*query "api_key"/),
    });
    expect(service.seen).toHaveLength(before);
  });

  it('takes the first alternative that is there, and none where none is needed', async () => {
    const document = schemes({
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      other: { type: 'apiKey', in: 'header', name: 'X-Other' },
    });
    const either = { path: '/a', operation: { security: [{ key: [] }, { other: [] }] } };
    expect((await sent(either, {}, { document, headers: { other: 'o1' } })).seen?.headers['x-other']).toBe(
      'o1',
    );
    const free = { path: '/a', operation: { security: [{ key: [] }, {}] } };
    expect((await sent(free, {}, { document })).seen?.headers['x-key']).toBeUndefined();
    const optional = { path: '/a', operation: { security: [{}, { key: [] }] } };
    expect((await sent(optional, {}, { document, headers: { key: 'k1' } })).seen?.headers['x-key']).toBe(
      'k1',
    );
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ 'x-key': 'one\ntwo' }, /^headers\.x-key: Its value has a line break/],
    [{ key: 'one\ntwo' }, /^headers\.key: Its value has a line break/],
    [{ 'x key': 'one' }, /^headers\.x key: It is neither the name of a header nor/],
  ])('that no header can carry are named: %j', async (headers, said) => {
    const document = schemes({ key: { type: 'http', scheme: 'bearer' } });
    const docData = documentOf({ '/a': { get: { responses: {} } } }, document);
    const source = createOpenApiSource({ id: 'far', docData, baseUrl: 'http://127.0.0.1:9', headers });
    await settled(source);
    expect(source.status).toMatchObject({ state: 'failed', problem: expect.stringMatching(said) });
    expect(source.status.problem).not.toContain('two');
    await source.close();
  });

  it('keeps callers from setting what the configuration sets', async () => {
    const operation = { parameters: [parameter('header', 'X-Key'), parameter('header', 'Authorization')] };
    const { schema } = await sent({ path: '/a', operation }, {}, { headers: { 'x-key': 'k' } });
    expect(schema['properties']).toEqual({});
  });
});
