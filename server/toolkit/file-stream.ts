import type { MethodResult } from '../../shared/bridge/methods.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { FileHead } from '../../shared/tools/fetch/methods.ts';
import type { BridgeStream } from '../core/services.ts';
import { decodeBase64 } from './base64.ts';

/** A file whose headers have arrived. */
export interface FetchedFile {
  readonly head: FileHead;
  /** The beginning of the body, to see what it is; `bytes` has it too. */
  readonly start: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly done: Promise<MethodResult<'fetch.file'>>;
}

/** The extension never writes a first line longer than this. */
const HEAD_UNITS = 512 * 1024;

/**
 * Reads the stream of `fetch.file` up to the first bytes of the body. The rest is read while
 * `bytes` is consumed; leaving it early cancels the request.
 *
 * @throws SpillwayError what the request failed with, `stream_corrupt`
 */
export async function openFile(stream: BridgeStream<'fetch.file'>): Promise<FetchedFile> {
  const chunks = stream.chunks[Symbol.asyncIterator]();
  const leave = async (): Promise<void> => void (await chunks.return?.());
  try {
    const { head, rest } = await readHead(chunks);
    const bytes = decodeBase64(prefixed(rest, chunks, leave));
    const first = await bytes.next();
    const start = first.done === true ? new Uint8Array() : first.value;
    return { head, start, bytes: startingWith(start, bytes), done: stream.done };
  } catch (thrown) {
    await leave();
    throw thrown;
  }
}

async function readHead(chunks: AsyncIterator<string>): Promise<{ head: FileHead; rest: string }> {
  let text = '';
  for (;;) {
    const end = text.indexOf('\n');
    if (end >= 0) return { head: parseHead(text.slice(0, end)), rest: text.slice(end + 1) };
    const next = await chunks.next();
    if (next.done === true || text.length > HEAD_UNITS)
      throw new SpillwayError('stream_corrupt', 'The stream of a file does not begin with its headers.');
    text += next.value;
  }
}

function parseHead(line: string): FileHead {
  try {
    return FileHead.parse(JSON.parse(line));
  } catch (thrown) {
    throw new SpillwayError('stream_corrupt', 'The headers of a file are malformed.', { cause: thrown });
  }
}

async function* prefixed(
  first: string,
  rest: AsyncIterator<string>,
  leave: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await leave();
  }
}

async function* startingWith(
  start: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
