import { onAbort } from '../../../../shared/base/async.ts';
import type { SpillwayError } from '../../../../shared/base/errors.ts';
import type * as chromium from '../../chromium/debugger/sessions.ts';
import { PageGuard } from '../../chromium/debugger/page-guard.ts';
import { TabSessions } from '../../tab-sessions.ts';
import { endRecording } from '../console.ts';
import { onOpenDialog, openDialogOf } from '../dialogs.ts';
import { unsupportedInFirefox } from '../unsupported.ts';

type Sessions = chromium.DebuggerSessions;

const nothing = (): void => undefined;
const none = (): [] => [];

/** A lease of a tab. Firefox has no debugger for extensions: the platform does what it can by other means. */
function leaseOf(tabId: number, abort: AbortController, release: () => void): chromium.DebuggerLease {
  const refuse = (): Promise<never> => Promise.reject(unsupportedInFirefox(`Tab ${tabId}`));
  return {
    tabId,
    signal: abort.signal,
    send: refuse,
    contexts: { of: () => null, in: none },
    sessions: none,
    targets: none,
    isRecording: () => false,
    autoAttaches: () => false,
    keepDialogs: refuse,
    dialogsAreKept: () => false,
    releaseInput: () => Promise.resolve(),
    onEvent: () => nothing,
    release: () => Promise.resolve(release()),
  };
}

/** The leases of tabs, with the same rules as on Chromium for who gets none. */
export class DebuggerSessions extends TabSessions implements Pick<Sessions, keyof Sessions> {
  readonly isInUse = false;
  readonly #leases = new Map<number, Set<AbortController>>();
  readonly #guard = new PageGuard((tabId, error) => this.drop(tabId, error));

  async acquire(tabId: number, signal: AbortSignal): Promise<chromium.DebuggerLease> {
    await this.#guard.check(tabId);
    signal.throwIfAborted();
    this.checkLent(tabId);
    const abort = new AbortController();
    const all = this.#leases.get(tabId) ?? new Set();
    this.#leases.set(tabId, all.add(abort));
    const release = (): void => {
      if (all.delete(abort) && all.size === 0) this.#leases.delete(tabId);
    };
    onAbort(abort.signal, release);
    return leaseOf(tabId, abort, release);
  }

  async use<T>(
    tabId: number,
    signal: AbortSignal,
    work: (lease: chromium.DebuggerLease) => Promise<T>,
  ): Promise<T> {
    const lease = await this.acquire(tabId, signal);
    return work(lease).finally(() => void lease.release());
  }

  readonly dialogOf = openDialogOf;

  hasKeptDialogs(): boolean {
    return false;
  }

  readonly onDialog = onOpenDialog;

  dropAll(reason: SpillwayError): void {
    for (const tabId of [...this.#leases.keys()]) this.drop(tabId, reason);
  }

  drop(tabId: number, reason: SpillwayError): void {
    endRecording(tabId);
    for (const abort of [...(this.#leases.get(tabId) ?? [])]) abort.abort(reason);
  }

  /** An ended event page leaves nothing behind. */
  readonly reconcile = (): Promise<void> => Promise.resolve();
}
