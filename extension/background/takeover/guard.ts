import { METHODS, type MethodName } from '../../../shared/bridge/methods.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { abortable } from '../../../shared/async/wait.ts';
import { isObject } from '../../../shared/json.ts';
import type { CallGuard } from '../dispatch.ts';
import { personHasTab, type PersonTabs } from './person-tabs.ts';

/** How long a call that a take-over has ended may take to clean up before its caller gets the error. */
const GRACE_MS = 250;

/**
 * Refuses every call about a tab that a person has, and ends those that are active when they are given it: what a call
 * reads could be what they type. A method that can do without the page says so by `person` in its definition.
 */
export const createTakeoverGuard =
  (tabs: PersonTabs, next: CallGuard): CallGuard =>
  async (call) => {
    const tabId = isObject(call.params) ? call.params['tab_id'] : undefined;
    if (typeof tabId !== 'number' || isIgnored(call.method)) return next(call);
    await tabs.loaded;
    tabs.check(tabId);
    const ended = new AbortController();
    const taken = new AbortController();
    const stopListening = onAbort(call.signal, () => ended.abort(call.signal.reason));
    const stopWatching = tabs.onChange((id, isTaken) => {
      if (id !== tabId || !isTaken) return;
      const error = personHasTab(tabId);
      ended.abort(error);
      taken.abort(error);
    });
    try {
      const result = await abortable(next({ ...call, signal: ended.signal }), taken.signal, {
        graceMs: GRACE_MS,
      });
      // It may have read what the person has typed by now.
      taken.signal.throwIfAborted();
      return result;
    } catch (thrown) {
      // What a call says that was ended midway is of no interest.
      throw taken.signal.aborted ? taken.signal.reason : thrown;
    } finally {
      stopWatching();
      stopListening();
    }
  };

function isIgnored(name: MethodName): boolean {
  const definition = METHODS[name];
  return 'person' in definition && definition.person === 'ignored';
}
