import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { TabRequests } from '../../../extension/core/navigation/tab-requests.ts';
import { cancelMemory } from '../../../extension/platform/chromium/debugger/cancel-memory.ts';
import { heldMemory } from '../../../extension/platform/chromium/debugger/held-input.ts';
import { DebuggerSessions } from '../../../extension/platform/chromium/debugger/sessions.ts';
import { FocusEmulation } from '../../../extension/platform/chromium/debugger/focus.ts';
import { RefBook } from '../../../extension/core/pages/ref-book.ts';
import { ScrollTurns } from '../../../extension/core/pages/tab-turns.ts';
import { createPageChannels } from '../../../extension/core/pages/channels.ts';
import { createHandlers } from '../../../extension/read/worker/read_page.handler.ts';
import { openPolicy } from '../../support/open-policy.ts';

/** Options that differ from the defaults, and how the reader behaves. */
export interface ReadRequest {
  readonly tabId: number;
  readonly options: Partial<ReadPageOptions>;
  readonly abortAfter?: number;
  /** Holds the reader after so many writes, until {@link RESUME} is called. */
  readonly pauseAfter?: number;
  readonly how?: keyof typeof HANDLERS;
  readonly viewer?: string;
}

export interface ReadAnswer {
  readonly text: string;
  readonly writes: number;
  readonly result: MethodResult<'page.read'> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Where a held reader puts the function that releases it. */
const RESUME = 'spillwayResume';
const TIMES = { responseMs: 30_000, frameMs: 15_000 };
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
const handlerOf = (own: Partial<typeof services>, times: Parameters<typeof createHandlers>[1]) =>
  createHandlers({ ...services, ...own }, times)['page.read'];
const HANDLERS = {
  plain: handlerOf({}, TIMES),
  /** A document with more elements than one loan of numbers. */
  'lent few': handlerOf({ refBook: new RefBook(80) }, TIMES),
  small: handlerOf({}, { ...TIMES, bufferBytes: 64 * 1024 }),
  /** Gives up sooner on a page that does not answer. */
  hasty: handlerOf({}, { responseMs: 5_000, frameMs: 3_000 }),
};

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
  how = 'plain',
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
    const result = await HANDLERS[how](
      params,
      { signal: abort.signal, scope: null, policy: openPolicy },
      sink,
    );
    return { text, writes, result, error: null };
  } catch (thrown) {
    const { code, message } = toSpillwayError(thrown);
    return { text, writes, result: null, error: { code, message } };
  }
}

Reflect.set(globalThis, 'spillwayRead', read);
