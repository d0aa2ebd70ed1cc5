import { delay } from '../../../shared/async/wait.ts';

/** How long to wait. A page that arrives more slowly is acted on before it is complete. */
const PARSED_MS = 2_000;

/**
 * Waits until a document has been parsed: until then its controls may be there without the scripts that make
 * them work.
 */
export async function whenParsed(document: Document): Promise<void> {
  if (document.readyState !== 'loading') return;
  const waiting = new AbortController();
  const parsed = new Promise((resolve) =>
    document.addEventListener('DOMContentLoaded', resolve, { once: true, signal: waiting.signal }),
  );
  await Promise.race([parsed, delay(PARSED_MS, waiting.signal).catch(() => undefined)]);
  waiting.abort();
}
