import { toSpillwayError } from '../../shared/errors.ts';
import type { Bridge, BrowserId, Logger } from '../core/services.ts';

/** Questions of a browser that is away. It ends the others itself, when their ten minutes are over. */
const AWAY_MAX = 1_000;

/** A question as its browser calls it. */
export interface BrowserQuestion {
  readonly browser: BrowserId;
  readonly id: string;
}

/** Ends questions that nobody needs answered any longer. One whose browser is away is ended when it is back. */
export class Withdrawals {
  readonly #bridge: Bridge;
  readonly #logger: Logger;
  readonly #away = new Set<BrowserQuestion>();

  constructor({ bridge, logger }: { readonly bridge: Bridge; readonly logger: Logger }) {
    this.#bridge = bridge;
    this.#logger = logger;
    bridge.onChange((change, { id }) => {
      if (change === 'connected') this.#resume(id);
    });
  }

  withdraw(question: BrowserQuestion): void {
    const { browser, id } = question;
    this.#bridge.request(browser, 'question.cancel', { id }, { call: null }).catch((thrown: unknown) => {
      this.#logger.debug({ err: thrown }, 'a question was not withdrawn');
      if (toSpillwayError(thrown).code === 'browser_disconnected' && this.#away.size < AWAY_MAX)
        this.#away.add(question);
    });
  }

  #resume(browser: BrowserId): void {
    for (const question of this.#away) {
      if (question.browser !== browser) continue;
      this.#away.delete(question);
      this.withdraw(question);
    }
  }
}
