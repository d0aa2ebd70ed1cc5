import { z } from 'zod';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { streamOf } from '../../background/chromium/debugger/cast.ts';
import { refusalOf } from '../../background/chromium/debugger/send-command.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { base64Bytes } from '../../ports/base64.ts';

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

/** The method of `page_pdf`. */
export const createHandlers = ({ debuggers }: WorkerServices): Pick<Handlers, 'page.pdf'> => ({
  'page.pdf': async ({ tab_id: tabId, ...wish }, { signal, policy }, sink) => {
    const { url = '', title = '' } = await getReadableTab(tabId);
    // The PDF shows the frames as well as the page.
    await policy.expectFrames(tabId, ['read']);
    return debuggers.use(tabId, signal, async (lease) => {
      const handle = await print(lease, wish);
      let sizeBytes = 0;
      for await (const { data, base64Encoded } of streamOf(lease, handle, PIECE_BYTES)) {
        // The page may have navigated meanwhile.
        if (sizeBytes === 0) await policy.expectFrames(tabId, ['read']);
        if (data !== '' && !base64Encoded) throw new SpillwayError('pdf_failed', 'The browser printed text.');
        sizeBytes += base64Bytes(data);
        await sink.write(data);
        signal.throwIfAborted();
      }
      return { url, title, size_bytes: sizeBytes };
    });
  },
});

type Wish = Omit<MethodParams<'page.pdf'>, 'tab_id' | 'stream' | 'credit'>;

async function print(
  lease: DebuggerLease,
  { paper, landscape, scale, background, pages }: Wish,
): Promise<string> {
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
  try {
    return Printed.parse(await lease.send('Page.printToPDF', asked, { timeoutMs: PRINT_MS })).stream;
  } catch (thrown) {
    throw refusalOf(thrown, 'pdf_failed');
  }
}
