import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { OpenApiSource, type OpenApiOptions } from '../../../../server/upstreams/openapi/index.ts';
import { checkPlace, serverOf } from '../../../../server/upstreams/openapi/security.ts';
import { codeOf, codeThrown } from '../../../support/code-of.ts';
import { temporaryHome } from '../../../support/home.ts';
import { settled } from '../../../support/openapi/context.ts';
import { documentOf, startService } from '../../../support/openapi/service.ts';
import { PATIENCE } from '../../../support/patience.ts';

// Where a document comes from, and which addresses it may name.

let folder: string;
beforeEach(async () => void (folder = await temporaryHome()));

async function open(options: Omit<OpenApiOptions, 'id'>) {
  const source = new OpenApiSource({ id: 'service', ...options });
  onTestFinished(() => source.close());
  await settled(source);
  return source;
}

const DOCUMENT = documentOf({
  '/pets': { get: { operationId: 'pets', parameters: [{ $ref: 'parts/limit.json' }] } },
});
const LIMIT = { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 7 } };
it('where a document sends requests is a part of its tools, so that a person accepts it', async () => {
  const paths = {
    '/pets': { get: { operationId: 'pets', description: 'x'.repeat(5_000) } },
    '/owners': { servers: [{ url: 'https://other.example/' }], get: { operationId: 'owners' } },
  };
  const docData = documentOf(paths, { servers: [{ url: 'https://api.example/v1' }] });
  const lastLines = async (options: Omit<OpenApiOptions, 'id'>) =>
    (await open(options)).tools.map((tool) => tool.description.split('\n').at(-1));
  const owners = 'GET https://other.example/owners';
  expect(await lastLines({ docData })).toEqual(['GET https://api.example/v1/pets', owners]);
  expect(await lastLines({ docData: documentOf(paths) })).toEqual(['GET /pets', owners]);
  expect(await lastLines({ docData, baseUrl: 'https://mine.example' })).toEqual(['GET /pets', 'GET /owners']);
});

async function startSite(document: object) {
  return startService((response, { path }) => {
    const known: Record<string, object> = { '/api/openapi.json': document, '/api/parts/limit.json': LIMIT };
    response.end(JSON.stringify(known[path] ?? { ok: path }));
  });
}

it('a document that did not come in time is asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const site = await startService((response) => {
    if (site.seen.length > 1) response.end(JSON.stringify(documentOf({ '/pets': { get: {} } })));
  });
  const source = new OpenApiSource({ id: 'slow', url: site.url, baseUrl: site.url }, { retryMs: 1 });
  onTestFinished(() => source.close());
  await vi.waitFor(() => expect(site.seen).toHaveLength(1), PATIENCE);
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(source.status.state).toBe('ready'), PATIENCE);
});

it('a document by its address reads nothing of another origin', async () => {
  const other = await startSite(DOCUMENT);
  const $ref = `${other.url}/api/parts/limit.json`;
  const site = await startSite(documentOf({ '/pets': { get: { parameters: [{ $ref }] } } }));
  const source = await open({ url: `${site.url}/api/openapi.json`, baseUrl: site.url });
  expect(source.status.state).toBe('failed');
  expect(source.status.problem).toContain('of its own origin');
  expect(other.seen).toEqual([]);
});

const write = async (path: string, value: object): Promise<string> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), JSON.stringify(value));
  return join(folder, path);
};
const baseUrl = 'http://127.0.0.1:9/';
it.each([
  ['../secret.json', expect.stringContaining('outside of its folder')],
  ['http://127.0.0.1:9/limit.json', expect.stringContaining('Only files of its own folder')],
  ['./..limit.json', null],
])('a document in a file reads parts in its own folder, and not %s elsewhere', async ($ref, why) => {
  for (const path of ['secret.json', 'api/..limit.json']) await write(path, LIMIT);
  const document = documentOf({ '/pets': { get: { operationId: 'pets', parameters: [{ $ref }] } } });
  const { status } = await open({ file: await write('api/openapi.json', document), baseUrl });
  expect(status).toEqual({ state: why === null ? 'ready' : 'failed', problem: why });
});

it('a document from a public address may not name a server of this network, and goes where baseUrl says', async () => {
  const documentUrl = 'https://api.example.com/openapi.json';
  for (const url of ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://[::1]:80/', 'http://localhost/'])
    expect(codeThrown(() => serverOf([{ url }], { documentUrl }))).toBe('url_not_allowed');
  const url = new URL('http://localhost/');
  expect(await codeOf(checkPlace({ url, mustBePublic: true }))).toBe('url_not_allowed');
  expect(serverOf([], { baseUrl: 'http://127.0.0.1/', documentUrl }).mustBePublic).toBe(false);
});
