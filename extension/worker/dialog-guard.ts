import { METHODS, type MethodName } from '../../shared/bridge/methods.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { abortable } from '../../shared/async/wait.ts';
import { dialogOpenError, type Dialogs } from '../background/act/dialogs.ts';
import type { HandlerContext, Handlers, StreamSink } from '../background/handler.ts';

/** How long a call that a dialog has ended may take to clean up before its caller is told. */
const GRACE_MS = 250;

type AnyHandler = (params: object, context: HandlerContext, sink?: StreamSink) => Promise<unknown>;

/**
 * Handlers that do not wait for a page whose dialog waits for an answer: a call on a tab with an open dialog
 * fails with `dialog_open`, and so does one that is under way when a dialog opens. A method that can do
 * without the page, or that concerns the dialog itself, says so by `dialog` in its definition.
 */
export function guardDialogs(handlers: Handlers, dialogs: Dialogs): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const rule = ruleOf(name as MethodName);
    return [name, rule === 'ignored' ? handler : guard(handler as AnyHandler, rule, dialogs)];
  });
  // Each entry has its own method's handler, wrapped.
  return Object.fromEntries(guarded) as Handlers;
}

/**
 * What an open dialog means for a method: `ends` refuses it and ends it, as for all that say nothing; `refuses` does
 * not end what has begun; `leaves` and `closes` go away from the page, which may ask by a dialog whether they may.
 */
type Rule = 'ends' | 'refuses' | 'leaves' | 'closes' | 'ignored';

function ruleOf(name: MethodName): Rule {
  const definition = METHODS[name];
  if (!('tab_id' in definition.params.shape)) return 'ignored';
  return 'dialog' in definition ? definition.dialog : 'ends';
}

function guard(handler: AnyHandler, rule: Rule, dialogs: Dialogs): AnyHandler {
  return async (params, context, sink) => {
    const tabId: unknown = Reflect.get(params, 'tab_id');
    if (typeof tabId !== 'number') return handler(params, context, sink);
    const open = dialogs.of(tabId);
    if (open !== null && (rule !== 'closes' || open.type === 'beforeunload'))
      throw dialogOpenError(tabId, open);
    if (rule === 'refuses' || open !== null) return handler(params, context, sink);
    const run = (signal: AbortSignal): Promise<unknown> => handler(params, { ...context, signal }, sink);
    if (rule === 'ends') return untilDialog({ tabId, run, endsWork: true, dialogs }, context.signal);
    const unwatch = await dialogs.watch(tabId, context.signal);
    const watched = (signal: AbortSignal): Promise<unknown> => run(signal).finally(unwatch);
    return untilDialog({ tabId, run: watched, endsWork: false, dialogs }, context.signal);
  };
}

interface Guarded {
  readonly tabId: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** Else it goes on without its caller: a page that is left after all has to load. */
  readonly endsWork: boolean;
  readonly dialogs: Dialogs;
}

async function untilDialog(
  { tabId, run, endsWork, dialogs }: Guarded,
  signal: AbortSignal,
): Promise<unknown> {
  const opened = new AbortController();
  const ended = new AbortController();
  const stopListening = onAbort(signal, () => ended.abort(signal.reason));
  const waiting = dialogs.whenDialog(tabId);
  void waiting.opened.then((dialog) => {
    const error = dialogOpenError(tabId, dialog);
    if (endsWork) ended.abort(error);
    opened.abort(error);
  });
  try {
    return await abortable(run(ended.signal), opened.signal, endsWork ? { graceMs: GRACE_MS } : {});
  } catch (thrown) {
    // What a call says that was ended midway is of no interest.
    throw opened.signal.aborted ? opened.signal.reason : thrown;
  } finally {
    waiting.stop();
    stopListening();
  }
}
