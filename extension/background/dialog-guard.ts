import { METHODS, type MethodName } from '../../shared/bridge/methods.ts';
import { onAbort, abortable } from '../../shared/async.ts';
import { isObject } from '../../shared/json.ts';
import { dialogOpenError, type Dialogs } from './act/dialogs.ts';
import type { CallGuard, GuardedCall } from './dispatch.ts';

/** Time for a call that a dialog has ended to clean up before its caller gets the error. */
const GRACE_MS = 250;

/**
 * Keeps calls from waiting for a page with an open dialog: they fail with `dialog_open`, as do active calls when a
 * dialog opens. Methods that do not need the page, or that concern the dialog itself, declare that by `dialog` in their
 * definition.
 */
export function createDialogGuard(dialogs: Dialogs): CallGuard {
  return async (call) => {
    const rule = ruleOf(call.method);
    const tabId = isObject(call.params) ? call.params['tab_id'] : null;
    if (rule === 'ignored' || typeof tabId !== 'number') return call.run(call.signal);
    const open = dialogs.of(tabId);
    if (open !== null && (rule !== 'closes' || open.type === 'beforeunload'))
      throw dialogOpenError(tabId, open);
    if (rule === 'refuses' || open !== null) return call.run(call.signal);
    if (rule === 'ends') return untilDialog(call, { tabId, endsWork: true, dialogs });
    const unwatch = await dialogs.watch(tabId, call.signal);
    const run: GuardedCall['run'] = (signal) => call.run(signal).finally(unwatch);
    return untilDialog({ ...call, run }, { tabId, endsWork: false, dialogs });
  };
}

/**
 * How an open dialog affects a method: `ends`, the default, refuses it and ends active calls; `refuses` does not end
 * active ones; `leaves` and `closes` leave the page, which may ask about that in a dialog.
 */
type Rule = 'ends' | 'refuses' | 'leaves' | 'closes' | 'ignored';

function ruleOf(name: MethodName): Rule {
  const definition = METHODS[name];
  if (!('tab_id' in definition.params.shape)) return 'ignored';
  return 'dialog' in definition ? definition.dialog : 'ends';
}

interface Waiting {
  readonly tabId: number;
  /** Otherwise it continues without its caller: if the tab leaves the page after all, the next one has to load. */
  readonly endsWork: boolean;
  readonly dialogs: Dialogs;
}

async function untilDialog(
  { run, signal }: GuardedCall,
  { tabId, endsWork, dialogs }: Waiting,
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
    // The result of an aborted call is of no interest.
    throw opened.signal.aborted ? opened.signal.reason : thrown;
  } finally {
    waiting.stop();
    stopListening();
  }
}
