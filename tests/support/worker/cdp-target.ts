import type { CDPSession } from 'playwright';
import type { SpawnedBrowser } from './browser.ts';

/** Sends commands to a target, and returns their results. */
export interface TargetSession {
  send(method: string, params: object): Promise<unknown>;
}

class TargetOfBrowser implements TargetSession {
  #nextId = 1;

  constructor(
    private readonly session: CDPSession,
    private readonly sessionId: string,
  ) {}

  async send(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    const answered = new Promise<unknown>((resolve, reject) => {
      this.session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
        const answer = JSON.parse(message) as { id?: number; result: unknown; error?: { message: string } };
        if (sessionId !== this.sessionId || answer.id !== id) return;
        if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(`${method}: ${answer.error.message}`));
      });
    });
    const message = JSON.stringify({ id, method, params });
    await this.session.send('Target.sendMessageToTarget', { sessionId: this.sessionId, message });
    return answered;
  }
}

/** A CDP session with a target that Playwright does not show: the popup, or the service worker. */
export class CdpTarget {
  constructor(private readonly session: TargetSession) {}

  /** The target at that address, of that type; null if there is none. */
  static async find(browser: SpawnedBrowser, type: string, url: string): Promise<CdpTarget | null> {
    const session = await browser.devtools.newBrowserCDPSession();
    const { targetInfos } = await session.send('Target.getTargets');
    const found = targetInfos.find((target) => target.type === type && target.url === url);
    if (found !== undefined) {
      const { targetId } = found;
      const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
      return new CdpTarget(new TargetOfBrowser(session, sessionId));
    }
    await session.detach();
    return null;
  }

  async send<T>(method: string, params: object = {}): Promise<T> {
    return (await this.session.send(method, params)) as T;
  }

  /** The value of an expression in the target. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send<{ result: { value: T } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    return answer.result.value;
  }

  /**
   * Clicks in the middle of an element, as a person does. New content may push the element away from under the pointer:
   * then the click is repeated at its new place.
   */
  async click(selector: string): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      const { x, y } = await this.evaluate<{ x: number; y: number }>(`(() => {
        const found = document.querySelector(${JSON.stringify(selector)});
        found.scrollIntoView({ block: 'center' });
        globalThis.isHit = false;
        found.addEventListener('click', () => { globalThis.isHit = true; }, { capture: true, once: true });
        const { left, top, width, height } = found.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      })()`);
      const event = { x, y, button: 'left', clickCount: 1 };
      await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
      await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
      if (await this.evaluate<boolean>('globalThis.isHit !== false')) return;
    }
    throw new Error(`No click arrived at ${selector}.`);
  }

  /** Presses of several keys at once reach a busy page one after the other, before its timers. */
  async press(key: string, text = '', modifiers = 0): Promise<void> {
    const code = { Tab: 9, Enter: 13, Escape: 27, ' ': 32, ArrowDown: 40 }[key] ?? 0;
    const event = { key, code: key, windowsVirtualKeyCode: code, text, modifiers };
    const types = [text === '' ? 'rawKeyDown' : 'keyDown', 'keyUp'];
    await Promise.all(types.map((type) => this.send('Input.dispatchKeyEvent', { type, ...event })));
  }
}
