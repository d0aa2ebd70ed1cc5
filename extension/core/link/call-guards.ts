import { METHODS, type MethodName } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { isObject } from '../../../shared/base/json.ts';
import { mayQuote } from '../../../shared/base/quoting.ts';
import { dialogOpenError, type Dialogs } from '../../act/worker/dialogs.ts';
import type { CallGuard, GuardedCall } from './dispatch.ts';
import { interruptible } from './interrupt.ts';
import { personHasTab, type PersonTabs } from '../person-tabs.ts';

/** The tab that a call names; null for none. */
export function tabOf({ params }: GuardedCall): number | null {
  const tabId = isObject(params) ? params['tab_id'] : null;
  return typeof tabId === 'number' ? tabId : null;
}

/** Names the page that the texts of an error may quote. */
export const createSourceGuard =
  (addressOf: (tabId: number) => Promise<string>, next: CallGuard): CallGuard =>
  (call) =>
    next(call).catch(async (thrown: unknown) => {
      const error = toSpillwayError(thrown);
      const tabId = tabOf(call);
      if (tabId === null || !mayQuote(error.code)) throw thrown;
      throw error.with({ quotes: (await addressOf(tabId)) || undefined });
    });

/**
 * Refuses every call to the approval window's tab, whatever the method: an agent that could close or navigate it could
 * keep people from saying no, or show them a copy of it.
 */
export const createWindowGuard =
  (isTabOfWindow: (tabId: number) => Promise<boolean>, next: CallGuard): CallGuard =>
  async (call) => {
    const tabId = tabOf(call);
    if (tabId !== null && (await isTabOfWindow(tabId)))
      throw new SpillwayError('page_forbidden', `In tab ${tabId}, people decide what agents may do.`);
    return next(call);
  };

/**
 * Refuses calls to a tab that a person has taken over, and aborts those still running when that happens: a call could
 * read what they type. Methods that do not touch the page opt out with `person: 'ignored'` in their definition.
 */
export const createTakeoverGuard =
  (tabs: PersonTabs, next: CallGuard): CallGuard =>
  async (call) => {
    const tabId = tabOf(call);
    if (tabId === null || isIgnored(call.method)) return next(call);
    await tabs.loaded;
    tabs.check(tabId);
    let isTakenOver = false;
    const result = await interruptible(
      call.signal,
      (signal) => next({ ...call, signal }),
      (end) =>
        tabs.onChange((id, isTaken) => {
          if (id !== tabId || !isTaken) return;
          isTakenOver = true;
          end(personHasTab(tabId));
        }),
    );
    // The result may contain something that the person has typed since.
    if (isTakenOver) throw personHasTab(tabId);
    return result;
  };

function isIgnored(name: MethodName): boolean {
  const definition = METHODS[name];
  return 'person' in definition && definition.person === 'ignored';
}

/**
 * Keeps calls from waiting for a page with an open dialog: they fail with `dialog_open`, as do active calls when a
 * dialog opens. Methods that do not need the page, or that concern the dialog itself, declare that by `dialog` in their
 * definition.
 */
export const createDialogGuard =
  (dialogs: Dialogs): CallGuard =>
  async (call) => {
    const { run, signal } = call;
    const rule = ruleOf(call.method);
    const tabId = tabOf(call);
    if (rule === 'ignored' || tabId === null) return run(signal);
    const open = dialogs.of(tabId);
    if (open !== null && (rule !== 'closes' || open.type === 'beforeunload'))
      throw dialogOpenError(tabId, open);
    if (rule === 'refuses' || open !== null) return run(signal);
    const untilDialog = (end: (error: SpillwayError) => void): (() => void) => {
      const waiting = dialogs.whenDialog(tabId);
      void waiting.opened.then((dialog) => end(dialogOpenError(tabId, dialog)));
      return () => waiting.stop();
    };
    if (rule === 'ends') return interruptible(signal, run, untilDialog);
    const unwatch = await dialogs.watch(tabId, signal);
    // If the tab leaves the page after all, the next one has to load.
    return interruptible(signal, (limited) => run(limited).finally(unwatch), untilDialog, true);
  };

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
