import { describe, expect, it } from 'vitest';
import { jsonPieces, plainPieces, type Printing } from '../../../server/cli/tool-commands/answer.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { vouch } from '../../support/clean.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';

const PAGES: readonly JsonObject[] = [
  { url: 'https://a.test/', depth: 0, status: 200, markdown: '# Grüße\n\nOne.\n' },
  { url: 'https://a.test/gone', depth: 1, status: 404, markdown: 'Not here.' },
  {
    url: 'https://a.test/slow',
    depth: 1,
    status: null,
    error: { code: 'timeout', message: 'It took too long.' },
  },
];
const PAGES_TEXT = [
  '==> https://a.test/ <==\n# Grüße\n\nOne.\n\n',
  '==> https://a.test/gone (HTTP 404) <==\nNot here.\n\n',
  '==> https://a.test/slow <==\n[It took too long. (timeout)]\n\n',
].join('');

/** A stored output in parts of three bytes, which cut characters and items. */
async function* parts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 3) yield await Promise.resolve(bytes.subarray(at, at + 3));
}

const printing = (stored = '', wantsHandle = false): Printing => ({
  readStored: () => parts(stored),
  wantsHandle,
  isInteractive: false,
});

function result(text: string, rest: Partial<ToolResult> = {}): ToolResult {
  return { ok: true, content: [{ type: 'text', text: vouch(text) }], state: vouch({}), ...rest };
}

function stored(text: string, itemCount: number | null): ToolResult {
  const descriptor: OutputDescriptor = {
    output_handle: 'oh_AAAAAAAAAAAA',
    mime_type: itemCount === null ? 'text/markdown' : 'application/json',
    size_bytes: Buffer.byteLength(text),
    item_count: itemCount,
    preview: '',
    expires_at: '2030-01-01T00:00:00Z',
    fetch_with: 'oc_output_fetch',
  };
  return result(JSON.stringify(descriptor), { descriptor, structured: { ...descriptor } });
}

async function joined(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all).toString('utf8');
}

const ITEMS = `[\n${PAGES.map((page) => JSON.stringify(page)).join(',\n')}\n]`;

describe('pages of a crawl', () => {
  it('follow each other below their addresses', async () => {
    const inline = result(ITEMS, { structured: { items: PAGES } });
    expect(await joined(plainPieces(inline, printing()))).toBe(PAGES_TEXT);
  });

  it('are the same when they were stored', async () => {
    expect(await joined(plainPieces(stored(ITEMS, 3), printing(ITEMS)))).toBe(PAGES_TEXT);
  });

  it('are items of the JSON either way', async () => {
    const inline = await joined(jsonPieces(result(ITEMS, { structured: { items: PAGES } }), printing()));
    expect(JSON.parse(inline)).toEqual({ ok: true, structured: { items: PAGES }, state: {}, notes: [] });
    const large = await joined(jsonPieces(stored(ITEMS, 3), printing(ITEMS)));
    expect(JSON.parse(large)).toEqual(JSON.parse(inline));
  });
});

describe('other items', () => {
  it('are printed as the tool answers them', async () => {
    const items = [{ tag: 'p' }];
    const text = `[\n${JSON.stringify(items[0])}\n]`;
    expect(await joined(plainPieces(result(text, { structured: { items } }), printing()))).toBe(text);
    expect(await joined(plainPieces(stored(text, 1), printing(text)))).toBe('{"tag":"p"}\n');
  });
});

describe('a text that was stored because of its size', () => {
  const TEXT = 'Grüße "quoted"\n\u{1F3F4} \\ end';

  it('is printed whole', async () => {
    expect(await joined(plainPieces(stored(TEXT, null), printing(TEXT)))).toBe(TEXT);
  });

  it('is whole in the JSON', async () => {
    const json = await joined(jsonPieces(stored(TEXT, null), printing(TEXT)));
    expect(JSON.parse(json)).toEqual({ ok: true, text: TEXT, state: {}, notes: [] });
  });

  it('is named by its descriptor where a handle was asked for', async () => {
    const answer = stored(TEXT, null);
    expect(JSON.parse(await joined(plainPieces(answer, printing(TEXT, true))))).toEqual(answer.descriptor);
    expect(JSON.parse(await joined(jsonPieces(answer, printing(TEXT, true))))).toMatchObject({
      descriptor: answer.descriptor,
    });
  });
});
