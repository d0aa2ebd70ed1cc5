import { vi } from 'vitest';
import { AskedPerson } from './asked-person.ts';
import { PATIENCE } from './patience.ts';
import type { BrowserScope } from './worker-scope.ts';

export class TakeoverPerson {
  readonly #window: AskedPerson;

  constructor(private readonly worker: BrowserScope) {
    this.#window = new AskedPerson(worker, '.takeover');
  }

  card(): Promise<string> {
    return this.#window.card();
  }

  isLeftAlone(): Promise<void> {
    return this.#window.isLeftAlone();
  }

  async press(button: 'done' | 'decline'): Promise<void> {
    await this.card();
    await this.#window.press(`#takeover-${button}`);
  }

  /** A press can be lost, and once it has worked the card is behind the page, where its button does nothing. */
  async show(isShown: () => Promise<boolean>): Promise<void> {
    await vi.waitFor(async () => {
      if (await isShown()) return;
      await this.#window.pressNow('#takeover-show');
      throw new Error('The tab is not shown.');
    }, PATIENCE);
  }

  async decline(reason: string): Promise<void> {
    await this.card();
    await this.#window.fill('.takeover .reason', reason);
    await this.press('decline');
  }

  /** Types into a field of the page at an address, as a person's keyboard would. */
  async type(
    address: string,
    { field, text }: { readonly field: string; readonly text: string },
  ): Promise<void> {
    await vi.waitFor(async () => {
      const found = await this.worker.inPage<boolean>(
        address,
        `(() => { const el = document.querySelector(${JSON.stringify(field)}); el?.focus(); return el !== null && document.activeElement === el; })()`,
      );
      if (found !== true) throw new Error(`There is no ${field}.`);
    }, PATIENCE);
    await this.worker.typeIn(address, text);
  }
}
