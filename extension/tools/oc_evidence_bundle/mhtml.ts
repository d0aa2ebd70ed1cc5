import { onAbort } from '../../../shared/async/abort.ts';
import { withTimeout } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { saveAsMhtml } from '../../background/chromium/page-capture.ts';
import type { StreamHandler } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { unresponsive, type PagePlace } from './in-page.ts';

/** How long a page may take to be written down: a few hundred megabytes take seconds. */
const CAPTURE_MS = 45_000;
/**
 * Chromium may delete the file behind a capture before its blob holds on to it
 * (`PageCaptureSaveAsMHTMLFunction` releases it at the extension's acknowledgement); a first capture
 * after a start does so often, a later one hardly ever.
 */
const ATTEMPTS = 3;

/**
 * `page.mhtml`: the page with its frames, pictures and styles. `pageCapture` gives a file, which is
 * read as the server takes it: of a page of any size one chunk is in memory. `Page.captureSnapshot`
 * of the debugger gives one string, which the worker would hold whole, and a banner.
 *
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`,
 * `page_unresponsive`, `part_too_large`
 */
export const mhtml: StreamHandler<'page.mhtml'> = async ({ tab_id: tabId }, { signal, policy }, sink) => {
  const { url = '' } = await getReadableTab(tabId);
  const place = { tabId, frameId: 0, url };
  await policy.expectFrames(tabId, ['read']);
  const { sizeBytes, first, reader } = await open(place, signal);
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const stopListening = onAbort(signal, stop);
  try {
    // The page may have gone elsewhere meanwhile.
    await policy.expectFrames(tabId, ['read']);
    // The format is ASCII; other bytes would have been written as quoted-printable.
    const decoder = new TextDecoder('latin1');
    for (let piece = first; piece.value !== undefined && !piece.done;) {
      await sink.write(decoder.decode(piece.value, { stream: true }));
      // The buffer comes back: one serves for the whole file.
      piece = await reader.read(new Uint8Array(piece.value.buffer));
    }
    signal.throwIfAborted();
    return { size_bytes: sizeBytes };
  } finally {
    stopListening();
    stop();
  }
};

/** Whole chunks of a stream, which are then sent without being joined. */
const BUFFER_BYTES = 4 * LIMITS.streamChunkUnits;

interface Opened {
  readonly sizeBytes: number;
  readonly first: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;
  readonly reader: ReadableStreamBYOBReader;
}

async function open(place: PagePlace, signal: AbortSignal): Promise<Opened> {
  for (let attempt = 1; ; attempt += 1) {
    const blob = await withTimeout(capture(place), CAPTURE_MS, () => unresponsive(place, CAPTURE_MS), signal);
    if (blob.size > LIMITS.evidencePartBytes) {
      const message = `Tab ${place.tabId} (${place.url}) has ${blob.size} bytes of MHTML.`;
      throw new SpillwayError('part_too_large', message);
    }
    const reader = blob.stream().getReader({ mode: 'byob' });
    try {
      return { sizeBytes: blob.size, first: await reader.read(new Uint8Array(BUFFER_BYTES)), reader };
    } catch (thrown) {
      if (attempt < ATTEMPTS) continue;
      const reason = messageOf(thrown);
      throw new SpillwayError('internal_error', `Tab ${place.tabId}: the MHTML cannot be read: ${reason}`);
    }
  }
}

async function capture({ tabId, url }: PagePlace): Promise<Blob> {
  let blob: Blob | undefined;
  try {
    blob = await saveAsMhtml(tabId);
  } catch (thrown) {
    // Chrome has only a sentence; the tab itself says more.
    await getReadableTab(tabId);
    const reason = messageOf(thrown);
    const code = /permission|cannot access|forbidden/i.test(reason) ? 'page_forbidden' : 'page_changed';
    throw new SpillwayError(code, `Tab ${tabId} (${url}) could not be written as MHTML: ${reason}`);
  }
  if (blob !== undefined) return blob;
  throw new SpillwayError('page_changed', `Tab ${tabId} (${url}) gave no MHTML.`);
}
