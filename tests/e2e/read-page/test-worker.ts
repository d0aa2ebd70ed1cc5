import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { ReadPageOptions } from '../../../shared/tools/read_page/options.ts';
import { TabRequests } from '../../../extension/background/navigation/tab-requests.ts';
import { cancelMemory } from '../../../extension/background/chromium/debugger/cancel-memory.ts';
import { heldMemory } from '../../../extension/background/chromium/debugger/held-memory.ts';
import { DebuggerSessions } from '../../../extension/background/chromium/debugger/sessions.ts';
import { FocusEmulation } from '../../../extension/background/pages/focus-emulation.ts';
import { RefBook } from '../../../extension/background/pages/ref-book.ts';
import { ScrollTurns } from '../../../extension/background/pages/scroll-turns.ts';
import { createPageChannels } from '../../../extension/background/pages/channels.ts';
import { createHandlers } from '../../../extension/tools/read_page/handler.ts';
import { openPolicy } from '../../support/open-policy.ts';

/** What a test asks for: options that differ from the defaults, and how the reader behaves. */
export interface ReadRequest {
  readonly tabId: number;
  readonly options: Partial<ReadPageOptions>;
  /** Aborts after so many writes. */
  readonly abortAfter?: number;
  /** Holds the reader after so many writes, until {@link RESUME} is called. */
  readonly pauseAfter?: number;
  /** A page-side buffer of this size instead of the real one. */
  readonly bufferBytes?: number;
  /** Numbers are lent a few at a time. */
  readonly isLentFew?: boolean;
  /** The session that reads. */
  readonly viewer?: string;
}

export interface ReadAnswer {
  readonly text: string;
  readonly writes: number;
  readonly timeMs: number;
  readonly result: MethodResult<'page.read'> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Where a held reader puts the function that releases it. */
const RESUME = 'spillwayResume';

const TIMES = { responseMs: 2_000, frameMs: 1_000 };
const channels = createPageChannels();
const requests = new TabRequests();
const debuggers = new DebuggerSessions(cancelMemory, heldMemory);
const focus = new FocusEmulation(debuggers);
const services = {
  channels,
  requests,
  debuggers,
  focus,
  turns: new ScrollTurns(),
  refBook: new RefBook(),
  closed: new AbortController().signal,
};
const readPage = createHandlers(services, TIMES)['page.read'];
/** A document of more elements than it is lent numbers at a time. */
const readLentFew = createHandlers({ ...services, refBook: new RefBook(80) }, TIMES)['page.read'];
const readSmall = createHandlers(services, { ...TIMES, bufferBytes: 64 * 1024 })['page.read'];

const DEFAULTS = ReadPageOptions.parse({
  format: 'markdown',
  selector: null,
  main_content_only: false,
  include_links: true,
  include_hidden: false,
});

async function read({
  tabId,
  options,
  abortAfter,
  pauseAfter,
  bufferBytes,
  isLentFew = false,
  viewer = 'reader',
}: ReadRequest): Promise<ReadAnswer> {
  const abort = new AbortController();
  let text = '';
  let writes = 0;
  const sink = {
    write: (more: string) => {
      text += more;
      writes += 1;
      if (writes === abortAfter) abort.abort();
      if (writes !== pauseAfter) return Promise.resolve();
      return new Promise<void>((resume) => void Reflect.set(globalThis, RESUME, resume));
    },
    flush: () => Promise.resolve(),
  };
  const handler = isLentFew ? readLentFew : bufferBytes === undefined ? readPage : readSmall;
  const start = performance.now();
  try {
    // As the tool has it: addresses in a snapshot are asked for.
    const links = { include_links: options.format !== 'snapshot' };
    const params = {
      tab_id: tabId,
      caller: { session: viewer, name: 'test' },
      ...DEFAULTS,
      ...links,
      ...options,
    };
    const result = await handler(params, { signal: abort.signal, scope: null, policy: openPolicy }, sink);
    return { text, writes, timeMs: performance.now() - start, result, error: null };
  } catch (thrown) {
    const { code, message } = toSpillwayError(thrown);
    return { text, writes, timeMs: performance.now() - start, result: null, error: { code, message } };
  }
}

Reflect.set(globalThis, 'spillwayRead', read);
