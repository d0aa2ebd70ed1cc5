import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import { FETCH_BOUNDS } from '../../../shared/tools/fetch/limits.ts';
import type { manifest } from '../../../shared/tools/fetch/manifest.ts';
import type { CallContext } from '../../core/context.ts';
import type { Produced } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Bridge } from '../../core/services.ts';
import { openFile, type FetchedFile } from '../../toolkit/file-stream.ts';
import { decodeText, fileTypeOf, type FileType } from '../../toolkit/file-type.ts';
import { producePdfText } from '../../toolkit/pdf/produce.ts';
import { findFile } from './address.ts';
import { describeFile } from './describe.ts';

type Args = z.output<typeof manifest.input>;

/** The browser ends a request by itself within `timeout_ms`; the bridge waits a little longer. */
const GRACE_MS = 5_000;
/** Bytes between two reports of progress. */
const PROGRESS_BYTES = 4 * 1024 * 1024;
const PICTURES: readonly MimeType[] = [MIME.png, MIME.jpeg, MIME.webp, MIME.gif];

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  fetch: createFetch(services),
});

/** `fetch`: the body of an address, as text, as the text of a PDF, or as bytes. */
function createFetch({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      const { browser, url } = await findFile(bridge, args, context);
      const stream = bridge.stream(
        browser,
        'fetch.file',
        { url, timeout_ms: args.timeout_ms, max_bytes: args.max_bytes },
        { call: context.call, signal: context.signal, idleTimeoutMs: args.timeout_ms + GRACE_MS },
      );
      context.keepState(() => ({ url }));
      const file = withProgress(await openFile(stream), context);
      const type = fileTypeOf(file.head.headers['content-type'] ?? null, file.start);
      if (args.pages !== undefined && (type.kind !== 'pdf' || args.as === 'bytes')) {
        await leave(file);
        throw new SpillwayError(
          'invalid_argument',
          `pages: selects pages of a PDF read as text, and this is ${type.mimeType}.`,
        );
      }
      if (type.kind !== 'pdf' || args.as === 'bytes') return produceFile(file, type, args);
      const { head } = file;
      const options = { format: 'markdown', pages: args.pages, signal: context.signal } as const;
      return await producePdfText(file, options, (result, pages) => {
        const outcome = describeFile({ head, result, type: MIME.pdf, args, isText: true });
        return {
          state: { ...outcome.state, pages },
          coverage: [...outcome.coverage, 'as: "bytes" answers the file itself.'],
        };
      });
    },
  };
}

const leave = async ({ bytes }: FetchedFile): Promise<void> =>
  void (await bytes[Symbol.asyncIterator]().return?.());

function withProgress(file: FetchedFile, { progress, keepState }: CallContext): FetchedFile {
  const length = Number(file.head.headers['content-length'] ?? Number.NaN);
  // What is compressed on its way has another length.
  const total = file.head.headers['content-encoding'] === undefined && length > 0 ? { total: length } : {};
  let done = 0;
  keepState(() => ({ url: file.head.final_url, status: file.head.status, bytes_read: done }));
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    let next = PROGRESS_BYTES;
    for await (const chunk of file.bytes) {
      done += chunk.length;
      if (done >= next) {
        progress({ done, ...total, message: `${done} bytes` });
        next = done + PROGRESS_BYTES;
      }
      yield chunk;
    }
  };
  return { ...file, bytes: bytes() };
}

function produceFile(file: FetchedFile, { kind, mimeType, charset }: FileType, args: Args): Produced {
  const { head, done } = file;
  const facts = {
    done: done.then((result) =>
      describeFile({ head, result, type: mimeType, args, isText: kind === 'text' }),
    ),
    untrustedFrom: () => head.final_url,
  };
  if (kind === 'text')
    return { payload: { kind: 'text', mimeType, chunks: decodeText(file.bytes, charset) }, ...facts };
  return {
    payload: { kind: 'bytes', mimeType, chunks: file.bytes },
    inlineMaxBytes: PICTURES.includes(mimeType) ? FETCH_BOUNDS.inlinePictureBytes : FETCH_BOUNDS.inlineBytes,
    ...facts,
  };
}
