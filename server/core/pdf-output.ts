import { formatNote } from '../../shared/core/notes.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { asQuoting } from '../../shared/base/quoting.ts';
import { onAbort, withTimeout } from '../../shared/base/async.ts';
import { startThread } from './bundled.ts';
import { Answer, UNMAPPED, type Order, type PdfDocument } from '../libraries/pdf-text/document.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { Outcome, Produced, RawPayload } from './result.ts';
import { readStart, type FetchedFile } from './file-stream.ts';

/** The thread's program, by the build's name for it. */
const PDF_WORKER = 'pdf-worker.js';

export interface PdfBounds {
  /** To open it, and then for each page. */
  readonly stepMs: number;
  /** How much the process may grow: the thread's unpacked data is outside its heap. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;
const BOUNDS: PdfBounds = { stepMs: 20_000, memoryBytes: 768 * MIB };
const WATCH_MS = 100;

/**
 * Opens a PDF in its own thread. The bytes are transferred: the caller must not use them again.
 * @throws SpillwayError `pdf_encrypted`, `pdf_damaged`, `pdf_too_complex`, or the signal's reason; so does
 *   reading a page
 */
export async function openPdfThread(
  data: Uint8Array<ArrayBuffer>,
  { signal, bounds }: { readonly signal: AbortSignal; readonly bounds?: Partial<PdfBounds> },
): Promise<PdfDocument> {
  signal.throwIfAborted();
  const { stepMs, memoryBytes } = { ...BOUNDS, ...bounds };
  const startBytes = process.memoryUsage.rss();
  const thread = startThread(PDF_WORKER, data, {
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / MIB) },
  });
  const failed = new AbortController();
  const end = async (reason: unknown): Promise<void> => {
    clearInterval(watch);
    stop();
    failed.abort(reason);
    await thread.terminate();
  };
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - startBytes > memoryBytes)
      void end(tooComplex(`it takes more than ${Math.round(memoryBytes / MIB)} MiB of memory`));
  }, WATCH_MS);
  const stop = onAbort(signal, () => void end(signal.reason));
  thread.on('error', (error) => void end(buildCrash(error)));
  // Its last message may arrive in the same turn, and counts.
  thread.on('exit', () => setImmediate(() => void end(tooComplex('its thread ended'))));
  /** The next answer, within the time of a step. */
  const answer = async (): Promise<Exclude<Answer, { readonly type: 'failed' }>> => {
    const late = (): SpillwayError => tooComplex(`it takes longer than ${stepMs} ms`);
    const next = new Promise((resolve) => thread.once('message', resolve));
    const message = await withTimeout(next, stepMs, late, failed.signal).catch(async (thrown: unknown) => {
      await end(thrown);
      throw thrown;
    });
    const given = Answer.parse(message);
    if (given.type === 'failed') throw new SpillwayError(given.code, given.message);
    return given;
  };
  const close = (): Promise<void> => end(new SpillwayError('internal_error', 'The PDF was closed.'));
  try {
    const { pages } = await answer();
    return {
      pages,
      text: async (page) => {
        thread.postMessage({ page } satisfies Order);
        return (await answer()).text;
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function buildCrash(error: Error): SpillwayError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return tooComplex('it takes too much memory');
  return new SpillwayError('pdf_damaged', `The PDF cannot be read: ${error.message}.`, { cause: error });
}

const tooComplex = (why: string): SpillwayError =>
  new SpillwayError('pdf_too_complex', `The PDF was given up: ${why}.`);

const LIST = /^\d{1,6}(?:-\d{0,6})?(?:,\d{1,6}(?:-\d{0,6})?)*$/;

/**
 * The pages of a selection such as `2-5`, `1,3` or `10-`, in its order, without repeats.
 * @throws SpillwayError `invalid_argument` for an invalid selection, or one without a page of the document
 */
export function selectPages(selection: string | undefined, pages: number): readonly number[] {
  const text = selection?.replaceAll(/\s/g, '') ?? '1-';
  if (!LIST.test(text))
    throw invalidArgument('pages: takes page numbers and ranges such as "2-5" or "1,3,10-".');
  const selected = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last] = part.split('-');
    const end = last === undefined ? Number(first) : last === '' ? pages : Number(last);
    for (let page = Math.max(1, Number(first)); page <= Math.min(end, pages); page += 1) selected.add(page);
  }
  if (selected.size === 0 && pages > 0)
    throw invalidArgument(`pages: the PDF has ${pages} pages, and ${text} names none of them.`);
  return [...selected];
}

/** `1-3, 7`: page numbers as a reader writes them. */
function listPages(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range !== undefined && page === range[1] + 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

/** Larger files are only returned as bytes: the parser keeps a whole PDF in memory. */
const PDF_MAX_BYTES = 100 * 1024 * 1024;
/** Well below the time limit of a call. The answer is the text read by then. */
const READ_MS = 25_000;

interface PdfTextOptions {
  readonly format: 'markdown' | 'text';
  /** Such as `2-5`; all without. */
  readonly pages?: string | undefined;
  readonly signal: AbortSignal;
  /** After it, only the first page is still begun. */
  readonly timeMs?: number;
}

/**
 * Opens a PDF and reads its text page by page as it is consumed. Coverage, which is complete once the chunks were
 * consumed, names the parts that could not be read or were not reached in time.
 * @throws SpillwayError `pdf_encrypted`, `pdf_damaged`, `pdf_too_complex`, `response_too_large`,
 *   `invalid_argument` for pages that it does not have
 */
export async function readPdfText(
  bytes: AsyncIterable<Uint8Array>,
  { format, pages: selection, signal, timeMs = READ_MS }: PdfTextOptions,
) {
  const startedAt = performance.now();
  const document = await openPdfThread(await gather(bytes), { signal });
  try {
    const selected = selectPages(selection, document.pages);
    const reading: PageLists = { read: [], without: [], damaged: [], unmapped: [] };
    let glyphs = 0;
    const textOf = async (page: number): Promise<string> => {
      try {
        const text = await document.text(page);
        if (text === '') reading.without.push(page);
        const unmapped = text.split(UNMAPPED).length - 1;
        if (unmapped > 0) reading.unmapped.push(page);
        glyphs += unmapped;
        return text;
      } catch (thrown) {
        // One damaged page does not affect the others.
        if (!(thrown instanceof SpillwayError) || thrown.code !== 'pdf_damaged') throw thrown;
        reading.damaged.push(page);
        return '';
      }
    };
    return {
      pages: document.pages,
      chunks: (async function* () {
        try {
          for (const page of selected) {
            if (reading.read.length > 0 && performance.now() - startedAt > timeMs) return;
            yield pageText(page, await textOf(page), format);
            reading.read.push(page);
          }
        } finally {
          await document.close();
        }
      })(),
      coverage: () => notesOf(selected, document.pages, reading, glyphs),
    };
  } catch (thrown) {
    await document.close();
    throw thrown;
  }
}

/** Numbers of pages. */
type PageLists = Readonly<Record<'read' | 'without' | 'damaged' | 'unmapped', number[]>>;

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes: whole, isWhole } = await readStart(bytes, PDF_MAX_BYTES);
  if (!isWhole)
    throw new SpillwayError('response_too_large', `The PDF is larger than ${PDF_MAX_BYTES} bytes.`, {
      hint: 'Fetch it with as: "bytes".',
    });
  // A separate buffer, which can be transferred to the thread.
  return Uint8Array.from(whole);
}

function pageText(page: number, text: string, format: PdfTextOptions['format']): string {
  const heading = format === 'markdown' ? `## Page ${page}` : `[Page ${page}]`;
  // A line of the page must not look like a heading.
  const body = format === 'markdown' ? text.replaceAll(/^#/gm, '\\#') : text;
  return body === '' ? `${heading}\n\n` : `${heading}\n\n${body}\n\n`;
}

function notesOf(
  selected: readonly number[],
  pages: number,
  { read, without, damaged, unmapped }: PageLists,
  glyphs: number,
): string[] {
  const notes = [
    read.length === pages
      ? formatNote('pdf', { count: pages })
      : formatNote('pdf_pages', { read: listPages(read), count: pages }),
  ];
  const next = selected[read.length];
  if (next !== undefined) notes.push(formatNote('pdf_late', { page: next }));
  if (without.length === read.length) notes.push(formatNote('pdf_drawn'));
  else if (without.length > 0) notes.push(formatNote('pdf_empty', { pages: listPages(without) }));
  if (damaged.length > 0) notes.push(formatNote('pdf_damaged', { pages: listPages(damaged) }));
  if (glyphs > 0)
    notes.push(formatNote('pdf_unmapped', { count: glyphs, glyph: UNMAPPED, pages: listPages(unmapped) }));
  return notes;
}

/**
 * A tool's result for a PDF: its text by page, and the facts that `outcomeOf` derives from its transfer, with
 * the parts that could not be read.
 * @throws SpillwayError as {@link readPdfText}, `response_too_large` for a truncated PDF
 */
export async function producePdfText(
  file: FetchedFile,
  options: PdfTextOptions,
  outcomeOf: (result: MethodResult<'fetch.file'>, pages: number) => Outcome,
): Promise<Extract<Produced, { readonly payload: RawPayload }>> {
  const text = await readPdfText(wholeFile(file), options).catch((thrown: unknown) => {
    throw asQuoting(thrown, file.head.final_url);
  });
  const outcome = (): Outcome => {
    const { state, coverage } = outcomeOf(file.result(), text.pages);
    return { state, coverage: [...text.coverage(), ...coverage] };
  };
  return {
    payload: {
      kind: 'text',
      mimeType: options.format === 'markdown' ? MIME.markdown : MIME.text,
      chunks: text.chunks,
    },
    outcome,
    untrustedFrom: () => file.head.final_url,
  };
}

/** A truncated PDF cannot be read. */
async function* wholeFile({ bytes, result }: FetchedFile): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    yield chunk;
  }
  if (result().is_cut)
    throw new SpillwayError('response_too_large', `The PDF is larger than max_bytes, ${sizeBytes} bytes.`, {
      hint: 'Raise max_bytes, or pass as: "bytes" for its beginning.',
    });
}
