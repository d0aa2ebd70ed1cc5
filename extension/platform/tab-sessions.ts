import type { SpillwayError } from '../../shared/base/errors.ts';

/** Prepares for an address that a call is about to load in a tab. */
type LoadListener = (tabId: number, url: string) => Promise<void>;

/** The part of a browser's sessions that needs no debugger. */
export abstract class TabSessions {
  readonly #lent = new Map<number, SpillwayError>();
  #onLoad: LoadListener = async () => undefined;

  /** Detaches from a tab: all its users lose it. */
  abstract drop(tabId: number, reason: SpillwayError): void;

  onLoad(listener: LoadListener): void {
    this.#onLoad = listener;
  }

  /** Before a call loads an address in a tab. Never rejects. */
  async willLoad(tabId: number | null, url: string): Promise<void> {
    if (tabId !== null) await this.#onLoad(tabId, url).catch(() => undefined);
  }

  /**
   * Detaches from a tab and keeps everyone from attaching to it until the returned function is called: its dialogs,
   * file choosers and focus belong to a person, and nobody records it.
   */
  lend(tabId: number, reason: SpillwayError): () => void {
    this.#lent.set(tabId, reason);
    this.drop(tabId, reason);
    return () => {
      if (this.#lent.get(tabId) === reason) this.#lent.delete(tabId);
    };
  }

  protected checkLent(tabId: number): void {
    const reason = this.#lent.get(tabId);
    if (reason !== undefined) throw reason;
  }
}
