import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { parseEntry } from '../../../server/upstream/index.ts';
import { credentialsOf } from '../../../server/upstream/credentials.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, keptLog, program, startWithUpstreams } from '../../support/upstream-rig.ts';

// Nothing that a rule of redaction knows: only who wrote the entry does.
const CREDENTIAL = 'plain words of a door';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(...args: Parameters<typeof startWithUpstreams>): Promise<MemoryServer> {
  const server = await startWithUpstreams(...args);
  ends.push(() => server.close());
  return server;
}

async function fetched({ call }: MemoryServer, handle: string): Promise<string> {
  return (await call('oc_output_fetch', { output_handle: handle })).text;
}

it.each(['policy', 'passthrough'])(
  'what an MCP server says of its own variables is masked, with %s',
  async (output) => {
    vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL);
    const log = keptLog();
    const env = { DOOR: '${SPILLWAY_TEST_DOOR}', OPENAI_API_KEY: 'another credential' };
    const server = await start([program('odd', [FAULTS], { env, output })], { logger: log });
    const { text } = await server.call('odd_environment');
    expect(text).toContain('"DOOR":"«redacted:secret-credential»"');
    expect(text).not.toContain('another credential');
    const failed = await server.call('odd_fails', { value: `no ${CREDENTIAL}` });
    expect(failed.text).toBe('no «redacted:secret-credential»');
    await server.call('odd_says', { value: `it opens with ${CREDENTIAL}` });
    await vi.waitFor(() => expect(log.lines.join('\n')).toContain('it opens with'), PATIENCE);
    expect(log.lines.join('\n')).not.toContain(CREDENTIAL);
    if (output === 'passthrough') return;
    const stored = await server.call('odd_environment', { output_mode: 'handle' });
    const { output_handle: handle, preview } = stored.json<OutputDescriptor>();
    expect(JSON.stringify(preview)).not.toContain(CREDENTIAL);
    expect(await fetched(server, handle)).not.toContain(CREDENTIAL);
  },
);

it('neither the reason of a failure, nor a log line, nor a step has a credential of the entry', async () => {
  vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL);
  const env = { DOOR: '${SPILLWAY_TEST_DOOR}' };
  const log = keptLog();
  const shut = program('shut', [FAULTS, 'refuses'], { env });
  const { client, upstreams } = await start([shut, program('odd', [FAULTS], { env })], { logger: log });
  const [{ problem } = { problem: null }] = upstreams.report();
  expect(problem).toContain('not with «redacted:secret-credential»');
  expect(log.lines.join('\n')).toContain('not with «redacted:secret-credential»');
  const steps: unknown[] = [];
  const onprogress = (step: unknown): void => void steps.push(step);
  const message = ` ${'x'.repeat(390)} ${CREDENTIAL} api_key=sk-live-0123456789abcdef0123456789`;
  await client.callTool({ name: 'odd_steps', arguments: { value: message } }, undefined, { onprogress });
  expect(steps).toHaveLength(2);
  expect(JSON.stringify([steps, log.lines])).not.toMatch(/plain|sk-l/);
});

it('a long line on stderr has no beginning of a credential of the entry at its cut', async () => {
  vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL);
  const log = keptLog();
  const odd = program('odd', [FAULTS], { env: { DOOR: '${SPILLWAY_TEST_DOOR}' } });
  const { call } = await start([odd], { logger: log });
  await call('odd_says', { value: `first ${'x'.repeat(1_984)} ${CREDENTIAL}` });
  await call('odd_says', { value: 'second' });
  await vi.waitFor(() => expect(log.lines.join('\n')).toContain('second'), PATIENCE);
  expect(log.lines.join('\n')).toContain('first x');
  expect(log.lines.join('\n')).not.toContain('plain');
});

it('a line about an error has no credential of the entry', async () => {
  vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL);
  const log = keptLog();
  const entry = program('shut', [FAULTS, 'offers', 'unlisted'], { env: { DOOR: '${SPILLWAY_TEST_DOOR}' } });
  await start([entry], { logger: log });
  await vi.waitFor(
    () => expect(log.lines.join('\n')).toContain('a list of resources or prompts failed'),
    PATIENCE,
  );
  expect(log.lines.join('\n')).toContain('not listed for «redacted:secret-credential»');
  expect(log.lines.join('\n')).not.toContain(CREDENTIAL);
});

/** A server whose only upstream is a service that answers so. */
async function startService(answer: (seen: unknown) => string): Promise<MemoryServer> {
  const service = createServer(({ headers }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(answer(headers['x-door']));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  ends.push(() => service.close());
  const address = service.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL);
  const docData = {
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1' },
    paths: { '/all': { get: { operationId: 'all', responses: {} } } },
  };
  const entry = { id: 'doors', docData, baseUrl, headers: { 'x-door': '${SPILLWAY_TEST_DOOR}' } };
  return start([parseEntry(entry, 'doors')]);
}

it('what a service says of its headers is masked in an answer that is stored as it comes', async () => {
  const server = await startService((seen) =>
    JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, seen, filler: 'x'.repeat(80) }))),
  );
  const stored = await server.call('doors_all', { output_mode: 'handle' });
  const { output_handle: handle, item_count: count } = stored.json<OutputDescriptor>();
  expect(count).toBe(20_000);
  const page = await fetched(server, handle);
  expect(page).toContain('«redacted:secret-credential»');
  expect(page).not.toContain(CREDENTIAL);
});

it('escapes hide no secret in an object that is stored as it comes', async () => {
  const token = 'ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5';
  const written = (text: string): string =>
    JSON.stringify(text).replaceAll(/[b-g]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  const server = await startService(
    (seen) =>
      `{${written('seen')}:${written(`${token} ${String(seen)}`)},"rest":"${'x\\/'.repeat(400_000)}"}`,
  );
  const stored = await server.call('doors_all', { output_mode: 'handle' });
  const { output_handle: handle } = stored.json<OutputDescriptor>();
  const [day = ''] = await readdir(join(server.home, 'output'));
  const text = await readFile(join(server.home, 'output', day, `${handle}.json`), 'utf8');
  const seen = '«redacted:github-token» «redacted:secret-credential»';
  expect(text === JSON.stringify({ seen, rest: 'x/'.repeat(400_000) })).toBe(true);
});

it.each([
  [{ 'x-api-key': 'abcdefgh' }, ['abcdefgh']],
  [{ authorization: 'Bearer ${DOOR_TOKEN}' }, ['of the door', 'of the door']],
  [{ basicAuth: 'user:password' }, ['user:password', 'password', 'dXNlcjpwYXNzd29yZA==']],
  [{ accept: 'application/json', 'x-key': 'short' }, []],
  [{ 'x-api-key': ' abcdefgh\n' }, ['abcdefgh']],
])('the credentials of %j', (headers, values) => {
  const entry = parseEntry({ id: 'far', url: 'https://a.example/mcp', headers }, 'far');
  const found = credentialsOf(entry, { DOOR_TOKEN: 'of the door' });
  expect(found.map(({ value }) => value)).toEqual([...new Set(values)]);
});

it('the credentials of an address', () => {
  const of = (entry: object) => credentialsOf(parseEntry({ id: 'far', ...entry }, 'far'), {});
  const url = 'https://a.example/mcp?api_key=of%20the%20door&page=somewhere';
  expect(of({ url }).map(({ value }) => value)).toEqual(['of the door']);
  expect(of({ baseUrl: url, url: 'https://a.example/?token=12345678' }).map(({ value }) => value)).toEqual([
    '12345678',
    'of the door',
  ]);
});
