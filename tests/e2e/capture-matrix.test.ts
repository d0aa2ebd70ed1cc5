import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import type { OutputPage } from '../../shared/output/page.ts';
import type { CallAnswer } from '../support/call-tool.ts';
import { sample } from '../support/depth.ts';
import { launched } from '../support/launched.ts';

/*
 * A tool of each kind of data × every output mode × pages to the end: the same data. What a tool says of
 * the moment (times, durations) is taken out before it is compared, and nothing else.
 */
const { site, server } = await launched('--sync-wait-ms', '60000');

interface Row {
  readonly name: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** A fixture to open first. */
  readonly page?: string;
  readonly kind: 'items' | 'json' | 'text' | 'archive' | 'bytes';
  /** Values at these keys are of the moment. */
  readonly ofTheMoment?: readonly string[];
}

/** The gate has the first of each three: text, and items of the moment. */
const ROWS: readonly Row[] = [
  {
    name: 'read_page in scripts of many bytes',
    tool: 'read_page',
    args: { format: 'markdown' },
    page: 'many-pages/mixed-scripts.html',
    kind: 'text',
  },
  { name: 'network entries', tool: 'network', args: { action: 'slice', bodies: 'all' }, kind: 'items' },
  {
    name: 'network as HAR',
    tool: 'network',
    args: { action: 'slice', bodies: 'all', format: 'har' },
    kind: 'json',
  },
  {
    name: 'crawl',
    tool: 'crawl',
    args: { max_pages: 15, concurrency: 1, render: 'never', format: 'markdown' },
    kind: 'items',
    ofTheMoment: ['fetched_at', 'timing'],
  },
  {
    name: 'oc_evidence_bundle',
    tool: 'oc_evidence_bundle',
    args: { include: ['html', 'markdown', 'snapshot'] },
    page: 'many-pages/data.html',
    kind: 'archive',
  },
  {
    name: 'fetch of bytes',
    tool: 'fetch',
    args: { url: '/evidence/picture.png' },
    page: 'many-pages/tiny.html',
    kind: 'bytes',
  },
];

beforeAll(async () => {
  await open('many-pages/tiny.html');
  expect((await server.call('network', { action: 'start', bodies: 'all' })).isError).toBe(false);
  for (const page of ['many-pages/index.html', 'many-pages/images.html', 'many-pages/data.html'])
    await open(page);
  // What is captured does not change from here on.
  expect((await server.call('network', { action: 'stop' })).isError).toBe(false);
});
async function open(page: string): Promise<void> {
  const opened = await server.call('navigate', { url: `${site.url}/${page}` });
  expect(opened.isError, opened.text).toBe(false);
}

async function run(row: Row, output: Record<string, unknown>): Promise<CallAnswer> {
  const start = row.tool === 'crawl' ? { url: `${site.url}/many-pages/index.html` } : {};
  const answer = await server.call(row.tool, { ...start, ...row.args, ...output });
  expect(answer.isError, answer.text.slice(0, 500)).toBe(false);
  return answer;
}

async function descriptorOf(row: Row, output: Record<string, unknown>): Promise<OutputDescriptor> {
  const descriptor = (await run(row, output)).json<OutputDescriptor>();
  expect(descriptor.output_handle).toMatch(/^oh_[A-Z2-7]{12}$/);
  return descriptor;
}

/** Every page of a handle, each of at most the given limit. */
async function* pagesOf(handle: string, how: Record<string, unknown>): AsyncGenerator<OutputPage, void> {
  for (let offset: number | null = 0; offset !== null;) {
    const answer = await server.call('oc_output_fetch', { output_handle: handle, offset, ...how });
    expect(answer.isError, answer.text.slice(0, 500)).toBe(false);
    const page = answer.json<OutputPage>();
    expect(page.offset).toBe(offset);
    expect(page.returned).toBeLessThanOrEqual(page.limit);
    expect(page.next_offset === null).toBe(page.eof);
    yield page;
    offset = page.next_offset;
  }
}

async function bytesOf(handle: string, how: Record<string, unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  const isBase64 = how['encoding'] === 'base64';
  for await (const { content } of pagesOf(handle, { format: 'bytes', ...how })) {
    expect(typeof content).toBe('string');
    parts.push(Buffer.from(String(content), isBase64 ? 'base64' : 'utf8'));
  }
  return Buffer.concat(parts);
}

async function itemsOf(handle: string, limit: number): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const { content, offset, oversized = [] } of pagesOf(handle, { limit })) {
    if (typeof content === 'string') throw new Error('Items were asked for.');
    items.push(...content);
    for (const { index, byte_offset, size_bytes } of oversized) {
      expect(content[index - offset]).toBe(null);
      items[index] = JSON.parse((await slice(handle, byte_offset, size_bytes)).toString('utf8'));
    }
  }
  return items;
}

/** Some bytes of a handle, as often as it takes. */
async function slice(handle: string, start: number, size: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = start; at < start + size;) {
    const limit = Math.min(start + size - at, 32_768);
    const how = { output_handle: handle, offset: at, limit, format: 'bytes', encoding: 'base64' };
    const page = (await server.call('oc_output_fetch', how)).json<OutputPage>();
    parts.push(Buffer.from(String(page.content), 'base64'));
    at += page.returned;
  }
  return Buffer.concat(parts);
}

/** A payload as the tools mean it: its text, its value, or the parts of its archive. */
async function meaningOf(row: Row, bytes: Buffer): Promise<unknown> {
  if (row.kind === 'text') return bytes.toString('utf8');
  if (row.kind === 'bytes') return bytes.toString('base64');
  if (row.kind === 'archive') return partsOf(bytes);
  const drop = new Set(row.ofTheMoment);
  return JSON.parse(bytes.toString('utf8'), (key, value: unknown) => (drop.has(key) ? null : value));
}

/** The parts of an archive but its manifest, which holds the times of its making. */
async function partsOf(archive: Buffer): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  const entries = Readable.from([gunzipSync(archive)]).pipe(extract());
  for await (const entry of entries) {
    const content = await buffer(entry);
    if (!entry.header.name.endsWith('manifest.json')) parts[entry.header.name] = content.toString('utf8');
  }
  return parts;
}

function inlineBytes({ raw, text }: CallAnswer): Buffer {
  const [block] = raw.content;
  if (block?.type === 'image') return Buffer.from(block.data, 'base64');
  if (block?.type === 'resource' && 'blob' in block.resource)
    return Buffer.from(block.resource.blob, 'base64');
  return Buffer.from(text, 'utf8');
}

describe.each(sample(ROWS, 3))('$name', (row) => {
  let wanted: unknown;
  let handle: string;
  let bytes: Buffer;

  beforeAll(async () => {
    if (row.page !== undefined) await open(row.page);
    const large = { output_inline_limit_bytes: 16 * 1024 * 1024 };
    wanted = await meaningOf(row, inlineBytes(await run(row, { output_mode: 'inline', ...large })));
    if (Array.isArray(wanted)) expect(wanted.length).toBeGreaterThan(3);
    else expect(wanted).not.toEqual({});
    const descriptor = await descriptorOf(row, { output_mode: 'handle' });
    handle = descriptor.output_handle;
    bytes = await bytesOf(handle, { encoding: 'base64' });
    expect(bytes).toHaveLength(descriptor.size_bytes);
    expect(descriptor.item_count === null).toBe(row.kind !== 'items');
  });

  it('a handle holds what inline answers, and auto answers either by its limit', async () => {
    expect(await meaningOf(row, bytes)).toEqual(wanted);
    const inline = await run(row, { output_mode: 'auto', output_inline_limit_bytes: 16 * 1024 * 1024 });
    expect(await meaningOf(row, inlineBytes(inline))).toEqual(wanted);
    const { output_handle, size_bytes } = await descriptorOf(row, {
      output_mode: 'auto',
      output_inline_limit_bytes: 1,
    });
    const stored = await bytesOf(output_handle, { encoding: 'base64', limit: 100_000 });
    expect(stored).toHaveLength(size_bytes);
    expect(await meaningOf(row, stored)).toEqual(wanted);
  });

  it.each([5_003, 1_000_000])('pages of %d bytes give the bytes back', async (limit) => {
    expect((await bytesOf(handle, { limit, encoding: 'base64' })).equals(bytes)).toBe(true);
    if (row.kind !== 'bytes' && row.kind !== 'archive')
      expect((await bytesOf(handle, { limit, encoding: 'utf8' })).equals(bytes)).toBe(true);
  });

  if (row.kind === 'items')
    it.each([7, 10_000])('pages of %d items give the list back', async (limit) => {
      expect(await itemsOf(handle, limit)).toEqual(JSON.parse(bytes.toString('utf8')));
    });
});
