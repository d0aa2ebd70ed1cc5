import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { toSpillwayError, type SpillwayError } from '../../../shared/errors.ts';
import type { StreamSink } from '../handler.ts';
import { FrameFinder } from './frame-finder.ts';
import { readTab, startAssembly, timesOf, type ReadTabOptions } from './read-tab.ts';
import { getReadableTab } from './targets.ts';

/** Their page does not tell the numbers of such frames; no frame has one that is so high. */
const FIRST_REF_NUMBER = 100_000;

/**
 * Reads a tab's page as {@link readTab} does. If the page runs no script, its frames in other processes may
 * still answer: they are read, and coverage says that the page around them is missing.
 *
 * @throws SpillwayError of `readTab`; `page_unresponsive` if no frame has text either
 */
export async function readTabOrFrames(read: ReadTabOptions): Promise<MethodResult<'page.read'>> {
  let hasWritten = false;
  const sink: StreamSink = {
    write: (text) => {
      hasWritten = true;
      return read.sink.write(text);
    },
    flush: () => read.sink.flush(),
  };
  try {
    return await readTab({ ...read, sink });
  } catch (thrown) {
    read.signal.throwIfAborted();
    const error = toSpillwayError(thrown);
    // A selector is the page's: it names nothing in its frames.
    if (error.code !== 'page_unresponsive' || hasWritten || read.options.selector !== null) throw error;
    return await readFrames(read, error);
  }
}

async function readFrames(read: ReadTabOptions, error: SpillwayError): Promise<MethodResult<'page.read'>> {
  const { tabId, options, channels, signal } = read;
  const finding = { tabId, channels, timeoutMs: timesOf(read).frameMs, signal };
  const { answering, silent } = await new FrameFinder(finding).outermost();
  // Frames that do not answer have used up that finder's time, and those that do are still to be read.
  const { assembly } = startAssembly(read, new FrameFinder(finding), `Tab ${tabId}`);
  assembly.note({ kind: 'page_unresponsive', detail: `Only frames could be read. ${error.message}` });
  assembly.note({ kind: 'page_unresponsive', detail: error.hint });
  for (const url of silent)
    assembly.note({ kind: 'closed_frame', detail: `Frame ${url} could not be read: page_unresponsive.` });
  for (const { address, channel, url } of answering)
    await assembly.readDetached({ channel, url, refNumber: FIRST_REF_NUMBER + address.frameId });
  if (!assembly.hasText) throw error;
  await assembly.finish();
  const { url = '', title = '', status } = await getReadableTab(tabId);
  return {
    page: {
      url,
      title,
      lang: null,
      content_type: 'text/html',
      ready_state: status === 'complete' ? 'complete' : 'loading',
      frames: assembly.frames + 1,
    },
    coverage: assembly.coverage,
    hidden_elements: assembly.hiddenElements,
    left: assembly.left,
    is_compared: assembly.isCompared,
    main_content: 'main_content_only' in options && options.main_content_only ? 'whole_page' : 'not_asked',
  };
}
