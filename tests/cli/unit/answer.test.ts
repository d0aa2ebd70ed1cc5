import { text as joined } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { jsonPieces, plainPieces, type Printing } from '../../../server/cli/tool-commands/run.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { vouch } from '../../support/clean.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';

const PAGES: readonly JsonObject[] = [
  { url: 'https://a.test/', depth: 0, status: 200, markdown: '# Grüße\n\nOne.\n' },
  { url: 'https://a.test/gone', depth: 1, status: 404, markdown: 'Not here.' },
  { url: 'https://a.test/slow', depth: 1, status: null, error: { code: 'timeout', message: 'Too long.' } },
];
const PAGES_TEXT = [
  '==> https://a.test/ <==\n# Grüße\n\nOne.\n\n',
  '==> https://a.test/gone (HTTP 404) <==\nNot here.\n\n',
  '==> https://a.test/slow <==\n[Too long. (timeout)]\n\n',
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

const ITEMS = `[\n${PAGES.map((page) => JSON.stringify(page)).join(',\n')}\n]`;
const TEXT = 'Grüße "quoted"\n\u{1F3F4} \\ end';
const OTHER = [{ tag: 'p' }];
const OTHER_TEXT = `[\n${JSON.stringify(OTHER[0])}\n]`;
const MIXED = '[\n{"tag":"p"},\n5\n]';
const inline = (text: string, items: readonly JsonObject[]): ToolResult =>
  result(text, { structured: { items } });

it.each([
  ['pages of a crawl follow each other below their addresses', inline(ITEMS, PAGES), '', PAGES_TEXT],
  ['pages of a crawl are the same when they were stored', stored(ITEMS, 3), ITEMS, PAGES_TEXT],
  ['other items are as the tool answers them', inline(OTHER_TEXT, OTHER), '', OTHER_TEXT],
  ['other items that were stored are a line each', stored(MIXED, 2), MIXED, '{"tag":"p"}\n5\n'],
  ['a text that was stored is whole', stored(TEXT, null), TEXT, TEXT],
])('what is printed %s', async (_what, answer, file, text) => {
  expect(await joined(plainPieces(answer, printing(file)))).toBe(text);
});

it.each([
  ['pages of a crawl', inline(ITEMS, PAGES), '', { structured: { items: PAGES } }],
  ['pages of a crawl that were stored', stored(ITEMS, 3), ITEMS, { structured: { items: PAGES } }],
  ['a text that was stored', stored(TEXT, null), TEXT, { text: TEXT }],
])('what is printed has %s in the JSON', async (_what, answer, file, fields) => {
  const json = await joined(jsonPieces(answer, printing(file)));
  expect(json.indexOf('\n')).toBe(json.length - 1);
  expect(JSON.parse(json)).toEqual({ ok: true, ...fields, state: {}, notes: [] });
});
