import { waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import type { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import type { PageDialog } from '../../platform/chromium/debugger/page-guard.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SHOWN_UNITS, type ShownElement } from '../../core/ports/shown-element.ts';
import { quotePage } from '../../core/pages/targets.ts';

const MESSAGE_UNITS = 200;
const ENABLE_MS = 250;

export interface DialogWait {
  /** Resolves with the open or next dialog. It never rejects, and may never resolve. */
  readonly opened: Promise<PageDialog>;
  /** Ends the wait. Idempotent. */
  stop(): void;
}

/**
 * Known dialogs of all tabs: those that open while a lease of the debugger has enabled the Page domain. A page with an
 * open dialog runs no script, so waiting for the page means waiting for its dialog as well.
 */
export class Dialogs {
  readonly #waiting = new Waiters<number, PageDialog>();

  constructor(private readonly debuggers: DebuggerSessions) {
    debuggers.onDialog((tabId, dialog) => {
      if (dialog !== null) this.#waiting.notify(tabId, dialog);
    });
  }

  of(tabId: number): PageDialog | null {
    return this.debuggers.dialogOf(tabId);
  }

  /** Waits for a dialog of a tab, which may be open already. */
  whenDialog(tabId: number): DialogWait {
    const open = this.of(tabId);
    if (open !== null) return { opened: Promise.resolve(open), stop: () => undefined };
    const { next: opened, stop } = this.#waiting.open(tabId);
    return { opened, stop };
  }

  /**
   * Watches the dialogs of a tab that an agent has acted in until the returned function is called: such a page may ask
   * whether to leave it, unlike pages that nobody acted in. If the debugger cannot attach, nothing is detected.
   */
  async watch(tabId: number, signal: AbortSignal): Promise<() => void> {
    if (!this.debuggers.hasKeptDialogs(tabId)) return () => undefined;
    const lease = await this.debuggers.acquire(tabId, signal).catch(() => null);
    if (lease === null) return () => undefined;
    try {
      // A busy page handles it later; its events arrive anyway.
      const enabled = lease.keepDialogs().catch(() => undefined);
      await waitAtMost(enabled, ENABLE_MS, signal);
    } catch (thrown) {
      await lease.release();
      throw thrown;
    }
    return () => void lease.release();
  }
}

/** A dialog as answers describe it. */
export const dialogFacts = (
  { type, message }: PageDialog,
  maxUnits: number,
): Pick<PageDialog, 'type' | 'message'> => ({ type, message: cut(message, maxUnits).toWellFormed() });

/** A dialog for the card of a call that answers it. A person decides by what it says; null says nothing. */
export const shownDialog = (dialog: PageDialog | null): ShownElement => ({
  line: cut(dialog?.message ?? '', SHOWN_UNITS).toWellFormed(),
  leads: null,
});

/** The error of every method that needs a page with an open dialog. */
export function dialogOpenError(tabId: number, { type, message }: PageDialog): SpillwayError {
  if (type === 'beforeunload')
    return new SpillwayError(
      'dialog_open',
      `Tab ${tabId} has a dialog open (beforeunload): its page asks whether to leave it.`,
      {
        hint: 'Call interact with steps: ["dialog accept"] to leave the page, or ["dialog dismiss"] to stay.',
      },
    );
  return new SpillwayError(
    'dialog_open',
    `Tab ${tabId} has a dialog open (${type}), which says ${quotePage(message, MESSAGE_UNITS)}.`,
  );
}
