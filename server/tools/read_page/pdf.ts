import { SpillwayError } from '../../../shared/errors.ts';
import { FETCH_BOUNDS } from '../../../shared/tools/fetch/limits.ts';
import type { ReadFormat } from '../../../shared/tools/read_page/options.ts';
import type { CallContext } from '../../core/context.ts';
import type { Outcome, Produced, RawPayload } from '../../core/payload.ts';
import type { Bridge, BridgeStream } from '../../core/services.ts';
import { formatTabId, type TabTarget } from '../../core/targets.ts';
import { openFile } from '../../toolkit/file-stream.ts';
import { fileTypeOf } from '../../toolkit/file-type.ts';
import { producePdfText } from '../../toolkit/pdf/produce.ts';

/**
 * The stream once its first chunk has arrived, or null when the tab shows a PDF.
 *
 * @throws SpillwayError what reading the page throws before its first chunk
 */
export async function unlessPdf(
  stream: BridgeStream<'page.read'>,
): Promise<BridgeStream<'page.read'> | null> {
  const chunks = stream.chunks[Symbol.asyncIterator]();
  let first: IteratorResult<string>;
  try {
    first = await chunks.next();
  } catch (thrown) {
    if (thrown instanceof SpillwayError && thrown.code === 'page_is_pdf') return null;
    throw thrown;
  }
  const peeked = async function* (): AsyncGenerator<string> {
    try {
      for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  };
  return { chunks: peeked(), done: stream.done };
}

/**
 * The text of the PDF that a tab shows. The viewer keeps it from extensions, so it is fetched again from its address.
 *
 * @throws SpillwayError `page_is_pdf` where that is not possible, and what fetching and reading a PDF throw
 */
export async function readPdfTab(
  bridge: Bridge,
  { target, format }: { readonly target: TabTarget; readonly format: ReadFormat },
  context: CallContext,
): Promise<Extract<Produced, { readonly payload: RawPayload }>> {
  const { signal } = context;
  const name = formatTabId(target);
  const { tab } = await bridge.request(
    target.browser,
    'tabs.get',
    { tab_id: target.tabId },
    { call: context.call, signal },
  );
  const shown = (why: string, hint?: string): SpillwayError =>
    new SpillwayError('page_is_pdf', `Tab ${name} shows a PDF: ${why}.`, { hint });
  if (format !== 'markdown' && format !== 'text') throw shown(`it has no ${format}`);
  if (!/^https?:/.test(tab.url))
    throw shown(
      'its address cannot be fetched',
      'Open it from an http: or https: url, or take a screenshot.',
    );
  const { timeoutMs, bytes: maxBytes } = FETCH_BOUNDS;
  const stream = bridge.stream(
    target.browser,
    'fetch.file',
    { url: tab.url, timeout_ms: timeoutMs, max_bytes: maxBytes },
    { call: context.call, signal, idleTimeoutMs: timeoutMs },
  );
  context.keepState(() => ({ url: tab.url, title: tab.title, format }));
  const file = await openFile(stream);
  const { kind, mimeType } = fileTypeOf(file.head.headers['content-type'] ?? null, file.start);
  if (kind !== 'pdf') {
    await file.bytes[Symbol.asyncIterator]().return?.();
    throw shown(
      `fetched again, its address answers ${mimeType} with HTTP ${file.head.status}`,
      'The page sent it once, for a form: save it in the browser, or take a screenshot.',
    );
  }
  return producePdfText(file, { format, signal }, (_, pages): Outcome => ({
    state: { tab: name, format, url: tab.url, title: tab.title, pages },
    coverage: ['fetch with as: "bytes" answers the file itself, and with pages only some of it.'],
  }));
}
