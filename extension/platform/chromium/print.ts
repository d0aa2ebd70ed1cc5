import { z } from 'zod';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { refusalOf } from './debugger/send-command.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { streamOf } from './debugger/stream.ts';

const Printed = z.object({ stream: z.string() });

/** A long page is laid out again for paper, which takes time. */
const PRINT_MS = 40_000;
/** Divisible by three, so that the base64 of two pieces can be joined. */
const PIECE_BYTES = 192 * 1_024;

/** In inches, portrait. */
const PAPERS: Readonly<Record<MethodParams<'page.pdf'>['paper'], readonly [number, number]>> = {
  a3: [11.69, 16.54],
  a4: [8.27, 11.69],
  a5: [5.83, 8.27],
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
};

type Wish = Omit<MethodParams<'page.pdf'>, 'tab_id' | 'stream' | 'credit'>;

/**
 * The page of a tab as PDF, in pieces of base64 that can be joined.
 * @throws SpillwayError `pdf_failed`, and as `DebuggerLease.send`
 */
export async function* printPdf(
  lease: DebuggerLease,
  { paper, landscape, scale, background, pages }: Wish,
): AsyncGenerator<string> {
  const [paperWidth, paperHeight] = PAPERS[paper];
  const asked = {
    paperWidth,
    paperHeight,
    landscape,
    scale,
    printBackground: background,
    pageRanges: pages,
    transferMode: 'ReturnAsStream',
  };
  const printed = await lease
    .send('Page.printToPDF', asked, { timeoutMs: PRINT_MS })
    .catch((thrown: unknown) => {
      throw refusalOf(thrown, 'pdf_failed');
    });
  for await (const { data, base64Encoded } of streamOf(lease, Printed.parse(printed).stream, PIECE_BYTES)) {
    if (data !== '' && !base64Encoded) throw new SpillwayError('pdf_failed', 'The browser printed text.');
    yield data;
  }
}
