import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { credentialsOf } from '../../../server/upstreams/answers.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { documentOf, startService } from '../../support/openapi/service.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS, keptLog, program, startUpstreams } from '../../support/upstream-rig.ts';

// Not a secret by any redaction rule: only the entry's author knows.
const CREDENTIAL = 'plain words of a door';
const ENV = { DOOR: '${SPILLWAY_TEST_DOOR}', OPENAI_API_KEY: 'another credential' };
beforeEach(() => void vi.stubEnv('SPILLWAY_TEST_DOOR', CREDENTIAL));
afterEach(() => void vi.unstubAllEnvs());
const logged = ({ lines }: ReturnType<typeof keptLog>, text: string): Promise<void> =>
  vi.waitFor(() => expect(lines.join()).toContain(text), PATIENCE);

async function stored(server: MemoryServer, tool: string): Promise<OutputDescriptor & { page: string }> {
  const descriptor = (await server.call(tool, { output_mode: 'handle' })).json<OutputDescriptor>();
  const { text } = await server.call('oc_output_fetch', { output_handle: descriptor.output_handle });
  return { ...descriptor, page: text };
}

it.each(['policy', 'passthrough'])('what a server says of its variables is masked: %s', async (output) => {
  const log = keptLog();
  const server = await startUpstreams([program('odd', [FAULTS], { env: ENV, output })], { logger: log });
  const { text } = await server.call('odd_environment');
  expect(text).toContain('"DOOR":"«redacted:secret-credential»"');
  expect(text).not.toContain('another credential');
  const failed = await server.call('odd_fails', { value: `no ${CREDENTIAL}` });
  expect(failed.text).toBe('no «redacted:secret-credential»');
  await server.call('odd_says', { value: `it opens with ${CREDENTIAL}` });
  await logged(log, 'it opens with');
  expect(log.lines.join()).not.toContain(CREDENTIAL);
  if (output === 'passthrough') return;
  expect(JSON.stringify(await stored(server, 'odd_environment'))).not.toContain(CREDENTIAL);
});

it('no reason of a failure, log line or step has a credential of the entry, nor a part at a cut', async () => {
  const log = keptLog();
  const shut = program('shut', [FAULTS, 'refuses'], { env: ENV });
  const unlisted = program('unlisted', [FAULTS, 'offers', 'unlisted'], { env: ENV });
  const odd = program('odd', [FAULTS], { env: ENV });
  const { call, client, upstreams } = await startUpstreams([shut, unlisted, odd], { logger: log });
  expect(upstreams.report()[0]?.problem).toContain('not with «redacted:secret-credential»');
  await logged(log, 'not with «redacted:secret-credential»');
  await logged(log, 'not listed for «redacted:secret-credential»');
  const steps: unknown[] = [];
  const onprogress = (step: unknown): void => void steps.push(step);
  const message = ` ${'x'.repeat(390)} ${CREDENTIAL} api_key=sk-live-0123456789abcdef0123456789`;
  await client.callTool({ name: 'odd_steps', arguments: { value: message } }, undefined, { onprogress });
  expect(steps).toHaveLength(2);
  await call('odd_says', { value: `first ${'x'.repeat(1_984)} ${CREDENTIAL}` });
  await call('odd_says', { value: 'second' });
  await logged(log, 'second');
  await logged(log, 'first x');
  expect(JSON.stringify([steps, log.lines])).not.toMatch(/plain|sk-l/);
});

it('no link, note or failure of a service has a credential of the entry, nor a part at a cut', async () => {
  const service = await startService((response, { path }) => {
    response.setHeader('link', `</?door=${encodeURIComponent(CREDENTIAL)}>`);
    response.writeHead(path === '/works' ? 200 : 400).end(`"${'x'.repeat(1_390)} ${CREDENTIAL}"`);
  });
  const docData = documentOf({ '/works': { get: {} }, '/fails': { get: {} } });
  const headers = { 'x-door': '${SPILLWAY_TEST_DOOR}' };
  const entry = parseEntry({ id: 'far', docData, baseUrl: service.url, headers }, 'far');
  const { call } = await startUpstreams([entry]);
  const answers = [await call('far_get_works'), await call('far_get_fails')];
  expect(answers.map(({ isError }) => isError)).toEqual([false, true]);
  expect(JSON.stringify(answers)).toMatch(/door=\S{0,9}redacted/);
  expect(JSON.stringify(answers)).not.toContain('plain');
});

const FAR = 'https://a.example/mcp?api_key=of%20the%20door&page=somewhere';
it.each<[object, string[]]>([
  [{ headers: { 'x-api-key': 'abcdefgh' } }, ['abcdefgh']],
  [{ headers: { authorization: 'Bearer ${DOOR_TOKEN}' } }, ['of the door']],
  [{ headers: { basicAuth: 'user:password' } }, ['user:password', 'password', 'dXNlcjpwYXNzd29yZA==']],
  [{ headers: { accept: 'application/json', 'x-key': 'short' } }, []],
  [{ headers: { 'x-api-key': ' abcdefgh\n' } }, ['abcdefgh']],
  [{ url: FAR }, ['of the door']],
  [{ baseUrl: FAR, url: 'https://a.example/?token=12345678' }, ['12345678', 'of the door']],
])('the credentials of %j', (more, values) => {
  const entry = parseEntry({ id: 'far', url: 'https://a.example/mcp', ...more }, 'far');
  expect(credentialsOf(entry, { DOOR_TOKEN: 'of the door' }).map(({ value }) => value)).toEqual(values);
});
