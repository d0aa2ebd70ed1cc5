import { printPdf } from '../../platform/chromium/print.ts';
import type { Handlers, WorkerServices } from '../../core/handler.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import { base64Bytes } from '../../core/ports/base64.ts';

/** The method of `page_pdf`. */
export const createHandlers = ({ debuggers }: WorkerServices): Pick<Handlers, 'page.pdf'> => ({
  'page.pdf': async ({ tab_id: tabId, ...wish }, { signal, policy }, sink) => {
    const { url = '', title = '' } = await getReadableTab(tabId);
    // The PDF shows the frames as well as the page.
    await policy.expectFrames(tabId, ['read']);
    return debuggers.use(tabId, signal, async (lease) => {
      let sizeBytes = 0;
      for await (const data of printPdf(lease, wish)) {
        // The page may have navigated meanwhile.
        if (sizeBytes === 0) await policy.expectFrames(tabId, ['read']);
        sizeBytes += base64Bytes(data);
        await sink.write(data);
        signal.throwIfAborted();
      }
      return { url, title, size_bytes: sizeBytes };
    });
  },
});
