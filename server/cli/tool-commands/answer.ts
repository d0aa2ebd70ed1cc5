import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import type { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import type { ToolResult } from '../../core/result.ts';

/** Reads a stored output from its beginning. */
type ReadStored = (handle: string) => AsyncIterable<Uint8Array>;

/** How a result is printed. */
export interface Printing {
  readonly readStored: ReadStored;
  /** The call asked for a handle: its descriptor is the answer. */
  readonly wantsHandle: boolean;
  /** Bytes would be shown to a person. */
  readonly isInteractive: boolean;
}

type Piece = string | Uint8Array;

/** Only bytes have no preview. */
const isText = ({ preview }: OutputDescriptor): boolean => preview !== null;

/** The notes of a result, a line each: everything besides its payload. */
export function notesOf({ ok, content }: ToolResult): readonly string[] {
  const [, ...rest] = content;
  const texts = rest.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return ok ? texts.flatMap((text) => text.split('\n')).filter((line) => line !== '') : [];
}

/** A successful result as text, or as its bytes. Crawled pages follow each other, each below its address. */
export async function* plainPieces(result: ToolResult, printing: Printing): AsyncGenerator<Piece> {
  const { descriptor } = result;
  const [first] = result.content;
  if (descriptor !== undefined && !printing.wantsHandle) {
    yield* storedPieces(descriptor, printing);
  } else if (first.type === 'text') {
    const items = descriptor === undefined ? pagesIn(result.structured) : null;
    if (items === null) yield first.text;
    else for (const item of items) yield pageText(item);
    if (printing.isInteractive && items === null && !first.text.endsWith('\n')) yield '\n';
  } else if (first.type !== 'foreign') {
    refuseBytes(first.mimeType, printing);
    yield Buffer.from(first.data, 'base64');
  }
}

async function* storedPieces(descriptor: OutputDescriptor, printing: Printing): AsyncGenerator<Piece> {
  const { output_handle: handle, mime_type: mimeType, item_count: count } = descriptor;
  if (!isText(descriptor)) refuseBytes(mimeType, printing);
  const bytes = printing.readStored(handle);
  if (!isText(descriptor)) yield* bytes;
  else if (count === null) yield* decoded(bytes);
  else
    for await (const item of storedItems(bytes))
      yield isPage(item) ? pageText(item) : `${JSON.stringify(item)}\n`;
}

/** @throws SpillwayError `invalid_argument` where bytes would be printed to a terminal */
function refuseBytes(mimeType: string, { isInteractive }: Printing): void {
  if (!isInteractive) return;
  throw new SpillwayError('invalid_argument', `It is ${mimeType}, which a terminal cannot show.`, {
    hint: 'Write it to a file: add > FILE.',
  });
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Items are stored one a line, between the brackets of an array. */
async function* storedItems(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let rest = '';
  for await (const text of decoded(bytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.length > 1) yield JSON.parse(line.replace(/,$/, ''));
  }
}

/** An item of a crawl with content, or without it for a page that failed. */
type Page = JsonObject & { readonly url: string };

const CONTENT = ['markdown', 'text', 'html'] as const;

const isPage = (item: unknown): item is Page =>
  isObject(item) &&
  typeof item['url'] === 'string' &&
  'depth' in item &&
  (isObject(item['error']) || CONTENT.some((format) => typeof item[format] === 'string'));

function pagesIn(structured: JsonObject | undefined): readonly Page[] | null {
  const items = structured?.['items'];
  return Array.isArray(items) && items.length > 0 && items.every(isPage) ? items : null;
}

/** As `head` shows several files. */
function pageText(page: Page): string {
  const content = CONTENT.map((format) => page[format]).find((text) => typeof text === 'string');
  const { error, status } = page;
  const http = typeof status === 'number' && status >= 400 ? ` (HTTP ${status})` : '';
  const failure = isObject(error) ? [`[${String(error['message'])} (${String(error['code'])})]`] : [];
  const text = typeof content === 'string' && content.trim() !== '' ? [content.trimEnd()] : [];
  return `==> ${page.url}${http} <==\n${[...failure, ...text].join('\n\n')}\n\n`;
}

/** A result as one JSON object, on one line. Stored text and items are part of it; stored bytes are not. */
export async function* jsonPieces(result: ToolResult, printing: Printing): AsyncGenerator<string> {
  const { ok, state, error, descriptor } = result;
  const [first] = result.content;
  const rest = JSON.stringify({
    state,
    notes: notesOf(result),
    ...(error === undefined ? {} : { error }),
  }).slice(1);
  yield `{"ok":${String(ok)},`;
  if (ok && descriptor !== undefined && !printing.wantsHandle && isText(descriptor)) {
    yield* storedMember(descriptor, printing.readStored);
    yield ',';
  } else if (ok) {
    const members = descriptor === undefined ? inlineMembers(result, first) : { descriptor };
    yield `${JSON.stringify(members).slice(1, -1)},`;
  }
  yield `${rest}\n`;
}

function inlineMembers({ structured }: ToolResult, first: ToolResult['content'][0]): object {
  if (structured !== undefined) return { structured };
  if (first.type === 'text') return { text: first.text };
  return first.type === 'foreign' ? {} : { mime_type: first.mimeType, base64: first.data };
}

async function* storedMember(
  { output_handle: handle, item_count: count }: OutputDescriptor,
  readStored: ReadStored,
): AsyncGenerator<string> {
  const texts = decoded(readStored(handle));
  if (count !== null) {
    yield '"structured":{"items":';
    yield* texts;
    yield '}';
    return;
  }
  yield '"text":"';
  // A text may be cut anywhere: each part of a string is escaped alone.
  for await (const text of texts) yield JSON.stringify(text).slice(1, -1);
  yield '"';
}
