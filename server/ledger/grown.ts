import type { ChainEnd } from '../../shared/policy/chain-ends.ts';
import type { Bridge } from '../core/services.ts';

/**
 * Tells browsers how long the ledger is. They remember it where a program of the agent's user does not write, so that a
 * ledger that was cut together with its heads shows.
 */
export class GrownLedger {
  readonly #bridge: Pick<Bridge, 'browsers' | 'request' | 'onChange'>;
  readonly #home: string;
  #last: ChainEnd | null = null;
  #isTold = true;
  #isTelling = false;

  constructor(bridge: Pick<Bridge, 'browsers' | 'request' | 'onChange'>, home: string) {
    this.#bridge = bridge;
    this.#home = home;
    bridge.onChange((event) => {
      if (event === 'connected' && this.#last !== null) this.tell(this.#last);
    });
  }

  /** Lines that are written while a notice is pending share the next one. */
  tell(end: ChainEnd): void {
    this.#last = end;
    this.#isTold = false;
    if (!this.#isTelling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    while (!this.#isTold && this.#last !== null) {
      this.#isTold = true;
      const params = { home: this.#home, ...this.#last };
      const connected = this.#bridge.browsers().filter(({ connected: isConnected }) => isConnected);
      // An extension of the build before remembers nothing.
      await Promise.allSettled(
        connected.map(({ id }) => this.#bridge.request(id, 'ledger.grown', params, { call: null })),
      );
    }
    this.#isTelling = false;
  }
}
