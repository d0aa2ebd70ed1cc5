import { METHODS, type MethodName } from '../../../shared/bridge/methods.ts';
import { onAbort, abortable } from '../../../shared/async.ts';
import { isObject } from '../../../shared/json.ts';
import type { CallGuard } from '../dispatch.ts';
import { personHasTab, type PersonTabs } from './person-tabs.ts';

/** Time for an aborted call to clean up before its caller gets the error. */
const GRACE_MS = 250;

/**
 * Refuses calls to a tab that a person has taken over, and aborts those still running when that happens: a call could
 * read what they type. Methods that do not touch the page opt out with `person: 'ignored'` in their definition.
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
      // The result may contain something that the person has typed since.
      taken.signal.throwIfAborted();
      return result;
    } catch (thrown) {
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
