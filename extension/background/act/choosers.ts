import * as z from 'zod/mini';
import { waitAtMost } from '../../../shared/async.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { DebuggerEvent, DebuggerLease } from '../chromium/debugger/sessions.ts';
import { frameSession } from './act-debugger.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held } from './act-page.ts';

/** Many times as long as a page needs to handle a debugger command. */
const ENABLE_MS = 250;

const Opened = z.object({ frameId: z.string(), backendNodeId: z.optional(z.int()) });
const Resolved = z.object({ object: z.object({ objectId: z.string() }) });

/** Passes an element to our script in its document: the script and the debugger share no other name for it. */
const HAND_OVER = `function () { Reflect.get(globalThis, Symbol.for('spillway.page'))?.hand(this); }`;

/** A file chooser that a page has opened. */
interface FileChooser {
  readonly session: string | null;
  /** The debugger's id of the frame. */
  readonly frameId: string;
  /** The file field; null for a chooser without one, which `showOpenFilePicker()` opens. */
  readonly node: number | null;
}

/** The line of a receipt about a file chooser that a step opened. */
export const chooserNote = (chooser: FileChooser | null | undefined): string | null =>
  chooser == null
    ? null
    : chooser.node === null
      ? 'asked for files with showOpenFilePicker(), which was cancelled: only a person can choose them'
      : 'opened a file chooser, which was not shown; to give it files, upload to the same target, for example upload e5 /path/to/file';

/**
 * File choosers that pages open while an act runs. No agent can answer one, and it should not appear on a person's
 * screen, so the browser reports it instead of showing it. This ends with the act: a person who clicks expects a
 * chooser.
 */
export class FileChoosers {
  /** The last that has opened. */
  #opened: FileChooser | null = null;
  readonly #sessions = new Set<string | null>();
  readonly #ignore: () => void;

  constructor(private readonly lease: DebuggerLease) {
    this.#ignore = lease.onEvent((event) => this.#take(event));
  }

  /** Suppresses choosers. A page that is too busy to handle this command handles no input either. */
  async start(): Promise<void> {
    const frames = this.lease.announcements().map(frameSession);
    const sessions = [null, ...frames.filter((session) => session !== null)];
    await waitAtMost(Promise.all(sessions.map((session) => this.#intercept(session))), ENABLE_MS);
  }

  get hasOpened(): boolean {
    return this.#opened !== null;
  }

  /** Returns the last chooser that opened since the previous call, or null. */
  take(): FileChooser | null {
    const opened = this.#opened;
    this.#opened = null;
    return opened;
  }

  /** The file field that a chooser belongs to; null if it is gone. */
  async fieldOf(
    { session: sessionId, frameId, node }: FileChooser,
    frames: ActFrames,
    signal: AbortSignal,
  ): Promise<Held | null> {
    // Our script must be there before it can be passed anything.
    const pages = await frames.all(signal);
    const send = (method: string, params: object = {}): Promise<unknown> =>
      this.lease.send(method, params, { sessionId });
    try {
      await send('Runtime.enable');
      const executionContextId = this.lease.contexts.of(sessionId, frameId);
      if (executionContextId === null) return null;
      const resolved = await send('DOM.resolveNode', { backendNodeId: node, executionContextId });
      const { objectId } = Resolved.parse(resolved).object;
      await send('Runtime.callFunctionOn', { objectId, functionDeclaration: HAND_OVER });
    } catch (thrown) {
      signal.throwIfAborted();
      this.lease.signal.throwIfAborted();
      // An agent cannot use an error about a field or a frame that is gone.
      if (toSpillwayError(thrown).code === 'internal_error') return null;
      throw thrown;
    }
    for (const page of pages) {
      const facts = await page.ask({ do: 'handed' }, signal);
      if (facts !== null) return { page, facts };
    }
    return null;
  }

  /** Lets the browser show choosers again. */
  stop(): void {
    this.#ignore();
    for (const sessionId of this.#sessions)
      this.lease
        .send('Page.setInterceptFileChooserDialog', { enabled: false }, { sessionId })
        .catch(() => undefined);
  }

  async #intercept(sessionId: string | null): Promise<void> {
    this.#sessions.add(sessionId);
    const send = (method: string, params = {}): Promise<unknown> =>
      this.lease.send(method, params, { sessionId }).catch(() => undefined);
    // The tab's own session has the domain enabled for its dialogs.
    await Promise.all([
      ...(sessionId === null ? [] : [send('Page.enable')]),
      send('Page.setInterceptFileChooserDialog', { enabled: true }),
    ]);
  }

  #take(event: DebuggerEvent): void {
    const { method, sessionId, params } = event;
    const frame = frameSession(event);
    // This takes effect before the frame gets input: finding our script there takes longer.
    if (frame !== null) void this.#intercept(frame);
    if (method !== 'Page.fileChooserOpened') return;
    const { data } = Opened.safeParse(params);
    if (data !== undefined)
      this.#opened = { session: sessionId, frameId: data.frameId, node: data.backendNodeId ?? null };
  }
}
