import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { parseEntry, type UpstreamEntry } from '../../../server/upstreams/index.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FLOOD, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SECRET = 'api_key=sk-live-0123456789abcdef0123456789';
const MIB = 1_048_576;
const child = spawn(process.execPath, [FLOOD, 'http', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
const [said] = await once(child.stdout, 'data');
const [port = ''] = /\d+/.exec(String(said)) ?? [];
const remote = (id: string, more: object = {}): UpstreamEntry =>
  parseEntry({ id, url: `http://127.0.0.1:${port}/${id}`, ...more }, id);
vi.stubEnv('FLOOD_TOKEN', 'horse-battery-staple');
const server = await startWithUpstreams([
  program('stdio', [FLOOD, 'stdio'], { env: { TOKEN: '${FLOOD_TOKEN}' } }),
  remote('json', { headers: { 'x-token': '${FLOOD_TOKEN}' } }),
  remote('stream', { headers: { 'x-token': '${FLOOD_TOKEN}' } }),
  remote('sse', { transport: 'sse', headers: { 'x-token': '${FLOOD_TOKEN}' } }),
  program('raw', [FLOOD, 'stdio'], { output: 'passthrough' }),
]);
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  child.kill('SIGKILL');
});

async function stored(tool: string, args: object): Promise<OutputDescriptor> {
  const answer = await server.call(tool, { ...args });
  const descriptor = answer.json<OutputDescriptor>();
  expect(descriptor, answer.text).toHaveProperty('output_handle');
  return descriptor;
}

async function page(handle: string, offset: number, limit: number): Promise<string> {
  const answer = await server.call('oc_output_fetch', { output_handle: handle, offset, limit });
  const { content } = answer.json<{ content: string | object[] }>();
  return typeof content === 'string' ? content : JSON.stringify(content);
}

async function fileOf({ output_handle: handle }: OutputDescriptor): Promise<string> {
  const names = await readdir(join(server.home, 'output'), { recursive: true });
  const name = names.find((each) => each.includes(handle) && !each.endsWith('.index')) ?? '';
  return readFile(join(server.home, 'output', name), 'utf8');
}

describe.each(sample(['stream', 'stdio', 'json', 'sse'], 4))('an upstream over %s that floods', (id) => {
  it('has its text stored, secrets replaced at its start and its end', async () => {
    const value = `${SECRET} horse-battery-staple `;
    const { output_handle, size_bytes, mime_type, preview } = await stored(`${id}_text`, { mib: 17, value });
    expect(mime_type).toContain('text/plain');
    expect(size_bytes).toBeGreaterThan(17 * MIB);
    const end = await page(output_handle, size_bytes - 200, 200);
    for (const part of [preview, end]) {
      expect(part).toContain('«redacted:');
      expect(part).not.toMatch(/sk-live|staple/);
    }
    expect(end).toContain('敏捷的棕色狐狸');
  });

  it('says that its answer has too much, and fails when it ends in the middle', async () => {
    const large = await server.call(`${id}_text`, { mib: 65 });
    expect(large.code()).toBe('upstream_error');
    expect(large.text).toContain(`The upstream ${id} answered more than 64 MiB.`);
    expect(large.text).toContain('output_mode');
    expect((await server.call(`${id}_echo`, { value: 'still here' })).text).toBe('still here');
    const dead = await server.call(`${id}_dies`, { mib: 8 });
    expect(dead.code()).toBe('upstream_error');
    expect(dead.text).toContain(`upstream ${id}`);
    await vi.waitFor(
      async () => expect((await server.call(`${id}_echo`, { value: 'again' })).text).toBe('again'),
      PATIENCE,
    );
  });
});

const HIDDEN = `/${SECRET} horse-battery-staple 😀`;
const CLEAN = '/api_key=«redacted:api-key» «redacted:secret-credential» 😀';
it.each(sample(['and a text', ''], 2))('a large object has no escaped secret (%j)', async (note) => {
  const text = await fileOf(await stored('stdio_hidden', { count: 60_000, value: HIDDEN, note }));
  const object = JSON.parse(text).structuredContent;
  expect(object.note).toBe(CLEAN);
  expect(object.items).toHaveLength(60_000);
  expect(text.includes('\\u')).toBe(false);
});

it.each(sample([0, 60_000], 2))(
  'a large answer has none in texts that are JSON, of %i items',
  async (count) => {
    const args = { count, value: HIDDEN, note: 'and a text' };
    const inline = async () => JSON.stringify((await server.call('stdio_spelled', args)).raw.content);
    const text = count === 0 ? await inline() : await fileOf(await stored('stdio_spelled', args));
    expect(text.replaceAll('\\"', '"').split(`"note":"${CLEAN}"`)).toHaveLength(3);
    expect(text.includes('\\u')).toBe(false);
  },
);

it('a large answer beyond it does not pass through, nor as a resource', async () => {
  const raw = await server.call('raw_text', { mib: 17 });
  expect(raw.code()).toBe('upstream_error');
  expect(raw.text).toContain('more than 16 MiB');
  const read = server.client.readResource({ uri: 'upstream://raw/flood://large' });
  await expect(read).rejects.toThrow(/The upstream raw answered more than 16 MiB/);
  const failed = await server.call('stdio_fails', { mib: 17 });
  expect(failed.code()).toBe('upstream_error');
  expect(failed.text).toMatch(/the disk is full.*"retryable":false/);
});
