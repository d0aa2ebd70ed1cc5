import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';
import type { BrowserScope } from './worker-scope.ts';

const WINDOW = '/people/approve/approve.html';

/**
 * Whether the pressed button has missed the press: it is still there, and has been live for a second. A card that is
 * answered goes with its buttons. One that only rests keeps them: its window may have come to the front with the press.
 */
const HAS_MISSED = `new Promise((done) => {
  let since = performance.now();
  const look = () => {
    const now = performance.now();
    if (pressed.ariaDisabled === 'true') since = now;
    if (!pressed.isConnected) done('taken');
    else if (now > since + 1_000) done('missed');
    else setTimeout(look, 20);
  };
  look();
})`;

export class AskedPerson {
  constructor(
    private readonly worker: BrowserScope,
    private readonly ofCard = '#allow',
  ) {}

  async card(): Promise<string> {
    return vi.waitFor(async () => {
      const text = await this.read(`document.querySelector('${this.ofCard}') && document.body.innerText`);
      if (text === null) throw new Error('No card is shown.');
      return text;
    }, PATIENCE);
  }

  async isAsked(): Promise<boolean> {
    return (await this.read(`document.querySelector('${this.ofCard}') && 'asked'`)) !== null;
  }

  /** Resolves when no card is shown any more. */
  async isLeftAlone(): Promise<void> {
    await vi.waitFor(async () => {
      if (await this.isAsked()) throw new Error('A card is still shown.');
    }, PATIENCE);
  }

  async allow(scope = 'once'): Promise<void> {
    await this.card();
    if (scope !== 'once') await this.fill('.scope select', scope, 'change');
    await this.press('#allow');
  }

  async deny(reason: string): Promise<void> {
    await this.card();
    await this.fill('.reason', reason, 'input');
    await this.press('#deny');
  }

  async edit(text: string): Promise<void> {
    await this.card();
    await this.fill('details.args textarea', text, 'input');
  }

  async fill(selector: string, value: string, event = 'input'): Promise<void> {
    const fill = `(() => {
      const el = document.querySelector(${JSON.stringify(selector)});
      el.value = ${JSON.stringify(value)};
      el.dispatchEvent(new Event(${JSON.stringify(event)}, { bubbles: true }));
      return 'filled';
    })()`;
    // A window that is closing shows the card too, without its fields.
    await vi.waitFor(async () => {
      if ((await this.read(fill)) === null) throw new Error(`There is no ${selector}.`);
    }, PATIENCE);
  }

  /**
   * Presses a button once it is live, and again if the press had no effect: a card that has changed, or whose window
   * has come to the front, is inactive for a moment.
   */
  async press(selector: string): Promise<void> {
    let isPressed = false;
    await vi.waitFor(async () => {
      // It may have taken the press later.
      if (isPressed && (await this.read('pressed.isConnected && "there"')) !== 'there') return;
      await this.pressNow(selector);
      isPressed = true;
      if ((await this.read(HAS_MISSED)) === 'missed') throw new Error(`${selector} was not pressed.`);
    }, PATIENCE);
  }

  async pressNow(selector: string): Promise<void> {
    const point = await this.#livePoint(selector);
    if (point === null) throw new Error(`${selector} does nothing yet.`);
    const [x = 0, y = 0] = point.split(',').map(Number);
    await this.worker.clickAt(WINDOW, { x, y });
  }

  #livePoint(selector: string): Promise<string | null> {
    return this.read(`(() => {
      const el = document.querySelector('${selector}[aria-disabled="false"]');
      if (el === null) return null;
      globalThis.pressed = el;
      el.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = el.getBoundingClientRect();
      return [x + width / 2, y + height / 2].join();
    })()`);
  }

  async read(expression: string): Promise<string | null> {
    return (await this.worker.inPage<string | null>(WINDOW, expression).catch(() => null)) ?? null;
  }
}
