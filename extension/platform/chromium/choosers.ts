import * as z from 'zod/mini';
import { waitAtMost } from '../../../shared/base/async.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { objectOf } from './debugger/exchange.ts';
import { targetIn } from './debugger/page-guard.ts';

/** Many times as long as a page needs to handle a debugger command. */
const ENABLE_MS = 250;

const Opened = z.object({ frameId: z.string(), backendNodeId: z.optional(z.int()) });

/** Passes an element to our script in its document: the script and the debugger share no other name for it. */
const HAND_OVER = `function () { Reflect.get(globalThis, Symbol.for('spillway.page'))?.hand(this); }`;

/** A file chooser that a page has opened. */
export interface FileChooser {
  readonly session: string | null;
  /** The debugger's id of the frame. */
  readonly frameId: string;
  /** The file field; null for a chooser without one, which `showOpenFilePicker()` opens. */
  readonly node: number | null;
}

/** Has the browser report a tab's file choosers instead of showing them, from `start` to `stop`. */
export function interceptChoosers(lease: DebuggerLease, onOpened: (chooser: FileChooser) => void) {
  const sessions = new Set<string | null>();
  const send = (sessionId: string | null, method: string, params = {}): Promise<unknown> =>
    lease.send(method, params, { sessionId }).catch(() => undefined);
  const set = (sessionId: string | null, enabled: boolean): Promise<unknown> =>
    send(sessionId, 'Page.setInterceptFileChooserDialog', { enabled });
  const intercept = (sessionId: string | null): Promise<unknown> => {
    sessions.add(sessionId);
    // The tab's own session has the domain enabled for its dialogs.
    const enabled = sessionId === null ? null : send(sessionId, 'Page.enable');
    return Promise.all([enabled, set(sessionId, true)]);
  };
  const ignore = lease.onEvent((event) => {
    const target = targetIn(event);
    // This takes effect before the frame gets input: finding our script there takes longer.
    if (target?.type === 'iframe') void intercept(target.session);
    const opened =
      event.method === 'Page.fileChooserOpened' ? Opened.safeParse(event.params).data : undefined;
    if (opened === undefined) return;
    onOpened({ session: event.sessionId, frameId: opened.frameId, node: opened.backendNodeId ?? null });
  });
  return {
    /** A page that is too busy to handle this handles no input either. */
    async start(): Promise<void> {
      const frames = lease.targets().filter(({ type }) => type === 'iframe');
      const all = [null, ...frames.map(({ session }) => session)];
      await waitAtMost(Promise.all(all.map(intercept)), ENABLE_MS);
    },
    /** Lets the browser show choosers again. */
    stop(): void {
      ignore();
      for (const sessionId of sessions) void set(sessionId, false);
    },
  };
}

/**
 * Passes the field of a chooser to our script in its document.
 * @returns false without our script there
 * @throws SpillwayError as `DebuggerLease.send`: `internal_error` if the field is gone
 */
export async function handOver(
  lease: DebuggerLease,
  { session: sessionId, frameId, node }: FileChooser,
): Promise<boolean> {
  const send = (method: string, params: object = {}): Promise<unknown> =>
    lease.send(method, params, { sessionId });
  await send('Runtime.enable');
  const executionContextId = lease.contexts.of(sessionId, frameId);
  if (executionContextId === null) return false;
  const objectId = await objectOf(lease, sessionId, { backendNodeId: node, executionContextId });
  await send('Runtime.callFunctionOn', { objectId, functionDeclaration: HAND_OVER });
  return true;
}
