import { SpillwayError } from '../../../shared/errors.ts';
import { listPages, selectPages } from './pages.ts';
import { openPdfThread } from './reader.ts';

/** Larger files are answered as bytes only: the parser holds a PDF whole. */
const PDF_MAX_BYTES = 100 * 1024 * 1024;
/** Well below what a call may take. What was read by then is the answer. */
const READ_MS = 25_000;

/** The text of a PDF, and what could not be read of it. */
export interface PdfText {
  readonly chunks: AsyncIterable<string>;
  readonly pages: number;
  /** Complete once the chunks were consumed. */
  coverage(): readonly string[];
}

export interface PdfTextOptions {
  readonly format: 'markdown' | 'text';
  /** Such as `2-5`; all without. */
  readonly pages?: string | undefined;
  readonly signal: AbortSignal;
  /** No page is begun after it, but for the first. */
  readonly timeMs?: number;
}

/**
 * Opens a PDF and reads its text page by page as it is consumed. Coverage names the pages that were not reached in time.
 *
 * @throws SpillwayError `pdf_encrypted`, `pdf_damaged`, `pdf_too_complex`, `response_too_large`,
 * `invalid_argument` for pages that it does not have
 */
export async function readPdfText(
  bytes: AsyncIterable<Uint8Array>,
  { format, pages: selection, signal, timeMs = READ_MS }: PdfTextOptions,
): Promise<PdfText> {
  const startedAt = performance.now();
  const document = await openPdfThread(await gather(bytes), { signal });
  try {
    const selected = selectPages(selection, document.pages);
    const reading: Reading = { read: [], without: [], damaged: [] };
    return {
      pages: document.pages,
      chunks: (async function* () {
        try {
          for (const page of selected) {
            if (reading.read.length > 0 && performance.now() - startedAt > timeMs) return;
            yield await pageText(document, page, { format, reading });
            reading.read.push(page);
          }
        } finally {
          await document.close();
        }
      })(),
      coverage: () => notesOf(selected, document.pages, reading),
    };
  } catch (thrown) {
    await document.close();
    throw thrown;
  }
}

/** What became of the pages so far. */
interface Reading {
  readonly read: number[];
  readonly without: number[];
  readonly damaged: number[];
}

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of bytes) {
    sizeBytes += part.length;
    if (sizeBytes > PDF_MAX_BYTES)
      throw new SpillwayError('response_too_large', `The PDF is larger than ${PDF_MAX_BYTES} bytes.`, {
        hint: 'Fetch it with as: "bytes".',
      });
    parts.push(part);
  }
  // A separate buffer, which can be transferred to the thread.
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function pageText(
  document: { text(page: number): Promise<string> },
  page: number,
  { format, reading }: { readonly format: PdfTextOptions['format']; readonly reading: Reading },
): Promise<string> {
  let text = '';
  try {
    text = await document.text(page);
    if (text === '') reading.without.push(page);
  } catch (thrown) {
    // One page that is damaged does not cost the others.
    if (!(thrown instanceof SpillwayError) || thrown.code !== 'pdf_damaged') throw thrown;
    reading.damaged.push(page);
  }
  const heading = format === 'markdown' ? `## Page ${page}` : `[Page ${page}]`;
  // A line of the page must not pass for a heading.
  const body = format === 'markdown' ? text.replaceAll(/^#/gm, '\\#') : text;
  return body === '' ? `${heading}\n\n` : `${heading}\n\n${body}\n\n`;
}

function notesOf(selected: readonly number[], pages: number, { read, without, damaged }: Reading): string[] {
  const notes = [
    read.length === pages
      ? `PDF: text of all ${pages} pages.`
      : `PDF: text of pages ${listPages(read)} of ${pages}.`,
  ];
  const next = selected[read.length];
  if (next !== undefined)
    notes.push(
      `The time limit was reached before page ${next}: pass pages: "${next}-" to continue from there.`,
    );
  if (without.length === read.length)
    notes.push('No page has text: the PDF is scanned or drawn. Show it in a tab and take a screenshot.');
  else if (without.length > 0) notes.push(`No text on pages ${listPages(without)}: scanned, drawn or empty.`);
  if (damaged.length > 0) notes.push(`Pages ${listPages(damaged)} are damaged and could not be read.`);
  return notes;
}
