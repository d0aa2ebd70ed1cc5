import { MIME } from '../../../shared/mime.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { Outcome, Produced, RawPayload } from '../../core/result.ts';
import type { FetchedFile } from '../file-stream.ts';
import { readPdfText, type PdfTextOptions } from './text.ts';
import { SpillwayError } from '../../../shared/errors.ts';

/**
 * What a tool returns for a PDF: its text by page, and the facts that `outcomeOf` makes of its transfer, with what
 * could not be read.
 *
 * @throws SpillwayError what {@link readPdfText} throws, `response_too_large` for a PDF without its end
 */
export async function producePdfText(
  file: FetchedFile,
  options: PdfTextOptions,
  outcomeOf: (result: MethodResult<'fetch.file'>, pages: number) => Outcome,
): Promise<Extract<Produced, { readonly payload: RawPayload }>> {
  const text = await readPdfText(wholeFile(file), options);
  let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  const isRead = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  isRead.catch(() => undefined);
  const chunks = async function* (): AsyncGenerator<string> {
    try {
      yield* text.chunks;
      settle?.resolve();
    } catch (thrown) {
      settle?.reject(thrown);
      throw thrown;
    }
  };
  return {
    payload: {
      kind: 'text',
      mimeType: options.format === 'markdown' ? MIME.markdown : MIME.text,
      chunks: chunks(),
    },
    done: isRead.then(async () => {
      const { state, coverage } = outcomeOf(await file.done, text.pages);
      return { state, coverage: [...text.coverage(), ...coverage] };
    }),
    untrustedFrom: () => file.head.final_url,
  };
}

/** A PDF without its end cannot be read. */
async function* wholeFile({ bytes, done }: FetchedFile): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    yield chunk;
  }
  if ((await done).is_cut)
    throw new SpillwayError('response_too_large', `The PDF is larger than max_bytes, ${sizeBytes} bytes.`, {
      hint: 'Raise max_bytes, or pass as: "bytes" for its beginning.',
    });
}
