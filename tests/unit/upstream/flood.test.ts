import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { parseEntry, type UpstreamEntry } from '../../../server/upstream/index.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FLOOD, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SECRET = 'api_key=sk-live-0123456789abcdef0123456789';
const MIB = 1_048_576;

let far: ChildProcess;
let server: MemoryServer;

beforeAll(async () => {
  const child = spawn(process.execPath, [FLOOD, 'http', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  far = child;
  const [said] = await once(child.stdout, 'data');
  const [port = ''] = /\d+/.exec(String(said)) ?? [];
  const remote = (id: string, more: object = {}): UpstreamEntry =>
    parseEntry({ id, url: `http://127.0.0.1:${port}/${id}`, ...more }, id);
  vi.stubEnv('FLOOD_TOKEN', 'horse-battery-staple');
  server = await startWithUpstreams([
    program('stdio', [FLOOD, 'stdio'], { env: { TOKEN: '${FLOOD_TOKEN}' } }),
    remote('json', { headers: { 'x-token': '${FLOOD_TOKEN}' } }),
    remote('stream', { headers: { 'x-token': '${FLOOD_TOKEN}' } }),
    remote('sse', { transport: 'sse', headers: { 'x-token': '${FLOOD_TOKEN}' } }),
    program('raw', [FLOOD, 'stdio'], { output: 'passthrough' }),
  ]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  far.kill('SIGKILL');
});

/** Temporary folders that are left. */
const spools = async (): Promise<string[]> => readdir(join(server.home, 'tmp')).catch(() => []);

async function stored(tool: string, args: object): Promise<OutputDescriptor> {
  const answer = await server.call(tool, { ...args });
  const descriptor = answer.json<OutputDescriptor>();
  expect(descriptor, answer.text).toHaveProperty('output_handle');
  expect(await spools()).toEqual([]);
  return descriptor;
}

async function page(handle: string, offset: number, limit: number): Promise<string> {
  const answer = await server.call('oc_output_fetch', { output_handle: handle, offset, limit });
  const { content } = answer.json<{ content: string | object[] }>();
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** A stored output as it is on the disk. */
async function fileOf({ output_handle: handle }: OutputDescriptor): Promise<string> {
  const [day = ''] = await readdir(join(server.home, 'output'));
  const names = await readdir(join(server.home, 'output', day));
  const name = names.find((each) => each === `${handle}.json` || each === `${handle}.bin`) ?? '';
  return readFile(join(server.home, 'output', day, name), 'utf8');
}

describe.each(sample(['stdio', 'json', 'sse', 'stream'], 3))('an upstream over %s that floods', (id) => {
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

  it('says what its answer has too much of, and fails when it ends in the middle', async () => {
    const many = await server.call(`${id}_many`, { count: 120_000 });
    expect(many.code()).toBe('upstream_error');
    expect(many.text).toContain(`The upstream ${id} answered with too many values`);
    expect((await server.call(`${id}_echo`, { value: 'still here' })).text).toBe('still here');
    expect(await spools()).toEqual([]);
    const dead = await server.call(`${id}_dies`, { mib: 8 });
    expect(dead.code()).toBe('upstream_error');
    expect(dead.text).toContain(`upstream ${id}`);
    await vi.waitFor(async () => expect(await spools()).toEqual([]), PATIENCE);
    await vi.waitFor(
      async () => expect((await server.call(`${id}_echo`, { value: 'again' })).text).toBe('again'),
      PATIENCE,
    );
  });
});

describe('a large answer', () => {
  it('that is a list is stored as items, and an object once that it says twice', async () => {
    const { output_handle, item_count } = await stored('stdio_list', { count: 60_000, last: true });
    expect(item_count).toBe(60_000);
    expect(await page(output_handle, 59_999, 1)).toContain('"item 59999 and');
    const object = await stored('json_structured', { count: 60_000 });
    expect(object.size_bytes).toBeLessThan(25 * MIB);
    expect(await page(object.output_handle, 0, 60)).toContain('{"items":[{"id":0,"text":"item 0 and');
  });

  itDeep('of several blocks is JSON, each part redacted', async () => {
    // As a stranger would write what stands for a large value.
    const value = `${SECRET}\n"quoted" \u200b${'0'.repeat(32)}-1`;
    const text = await fileOf(await stored('stdio_mixed', { mib: 17, value }));
    const { content, structuredContent } = JSON.parse(text);
    expect(content.map(({ type }: { type: string }) => type)).toEqual(['text', 'text', 'image']);
    expect(content[2].data).toHaveLength(400_000);
    expect(structuredContent.note).toMatch(/^api_key=«redacted:[^»]+»\n"quoted" 0{32}-1$/);
    expect(content[1].text).toContain('«redacted:');
    expect(text).not.toMatch(/sk-live|\u200b/);
  });

  const HIDDEN = `/${SECRET} horse-battery-staple 😀`;
  const CLEAN = '/api_key=«redacted:api-key» «redacted:secret-credential» 😀';

  it.each(sample(['and a text', ''], 2))(
    'has no secret that its object writes with escapes (%j)',
    async (note) => {
      const text = await fileOf(await stored('stdio_hidden', { count: 60_000, value: HIDDEN, note }));
      const answer = JSON.parse(text);
      const object = note === '' ? answer : answer.structuredContent;
      expect(object.note).toBe(CLEAN);
      expect(object.items).toHaveLength(60_000);
      expect(text.includes('\\u')).toBe(false);
    },
  );

  it.each([60_000, 0])('has none in texts that are JSON, of %i items', async (count) => {
    const args = { count, value: HIDDEN, note: 'and a text' };
    const inline = async () => JSON.stringify((await server.call('stdio_spelled', args)).raw.content);
    const text = count === 0 ? await inline() : await fileOf(await stored('stdio_spelled', args));
    expect(text.replaceAll('\\"', '"').split(`"note":"${CLEAN}"`)).toHaveLength(3);
    expect(text.includes('\\u')).toBe(false);
  });

  it('keeps its escapes where it passes through', async () => {
    const { text } = await server.call('raw_spelled', { count: 0, value: 'plain' });
    expect(text).toMatch(/^\{"(?:\\u00..){4}":"(?:\\u00..){5}","items":\[\]\}$/);
  });

  itDeep('of several texts is one text', async () => {
    const { output_handle, size_bytes } = await stored('stdio_texts', { mib: 17 });
    expect(await page(output_handle, 0, 30)).toContain('first\n\nThe quick');
    expect(await page(output_handle, size_bytes - 10, 10)).toContain('\n\nlast');
  });

  it('up to 16 MiB is what it would be in one piece', async () => {
    const { raw } = await server.call('stdio_mixed', { mib: 6, output_inline_limit_bytes: 16 * MIB });
    // The last says that they are untrusted.
    expect(raw.content.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text']);
    expect(raw.structuredContent).toEqual({ note: '' });
    expect((await server.call('raw_text', { mib: 6, value: SECRET })).text).toContain(SECRET);
    expect(await spools()).toEqual([]);
  });

  it('beyond it does not pass through, nor as a resource', async () => {
    const raw = await server.call('raw_text', { mib: 17 });
    expect(raw.code()).toBe('upstream_error');
    expect(raw.text).toContain('more than 16 MiB');
    const read = server.client.readResource({ uri: 'upstream://raw/flood://large' });
    await expect(read).rejects.toThrow(/The upstream raw answered more than 16 MiB/);
    // A failure gives its beginning.
    const failed = await server.call('stdio_fails', { mib: 17 });
    expect([failed.code(), failed.text]).toEqual([
      'upstream_error',
      expect.stringContaining('the disk is full'),
    ]);
    expect(await spools()).toEqual([]);
  });
});
