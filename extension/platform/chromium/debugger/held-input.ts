import browser from 'webextension-polyfill';
import * as z from 'zod/mini';

/** A command that releases a key or button that another command has pressed. */
const Release = z.object({
  /** A session below the tab; null for the tab's own. */
  sessionId: z.nullable(z.string()),
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
});
export type Release = Readonly<z.infer<typeof Release>>;

type Params = Readonly<Record<string, unknown>>;

const OUTSIDE = { x: -1, y: -1 };

/** No data: cancelling the drag returns the item to where it came from. */
const NO_DRAG = { items: [], dragOperationsMask: 0 };

/**
 * The keys and buttons that commands to a tab have pressed and not released. Most are pressed and released in
 * one turn of the event loop, during which the worker cannot end. Those still pressed at the end of the turn
 * are remembered, so that the next worker can release them.
 */
export class HeldInput {
  readonly #held = new Map<string, readonly Release[]>();
  #isKept = false;
  #isChecking = false;

  constructor(
    private readonly tabId: number,
    private readonly memory: HeldMemory,
  ) {}

  /** Call for every command, in the task that sends it. */
  note(sessionId: string | null, method: string, params: Params): void {
    if (method === 'Input.dispatchMouseEvent') this.#noteMouse(sessionId, method, params);
    else if (method === 'Input.dispatchKeyEvent') this.#noteKey(sessionId, method, params);
    else if (method === 'Input.dispatchTouchEvent') this.#noteTouch(sessionId, method, params);
    else return;
    if (this.#isChecking) return;
    this.#isChecking = true;
    queueMicrotask(() => {
      this.#isChecking = false;
      this.#keep();
    });
  }

  /** Takes the commands that release everything, last pressed first. Afterwards nothing counts as pressed. */
  take(): readonly Release[] {
    const releases = [...this.#held.values()].reverse().flat();
    this.#held.clear();
    this.#keep();
    return releases;
  }

  #keep(): void {
    if (this.#held.size === 0 && !this.#isKept) return;
    this.#isKept = this.#held.size > 0;
    const releases = [...this.#held.values()].reverse().flat();
    // If this fails, only the next worker cannot release them.
    this.memory.keep(this.tabId, releases).catch(() => undefined);
  }

  #noteMouse(sessionId: string | null, method: string, { type, x, y, button }: Params): void {
    const key = `${sessionId} ${String(button)}`;
    if (type === 'mouseReleased') this.#held.delete(key);
    if (type !== 'mousePressed') return;
    // Released outside the page: at its old place it would be a click, and elsewhere in the page a drop.
    this.#held.set(key, [
      { sessionId, method: 'Input.dispatchDragEvent', params: { type: 'dragCancel', x, y, data: NO_DRAG } },
      { sessionId, method, params: { type: 'mouseReleased', ...OUTSIDE, button, clickCount: 0 } },
    ]);
  }

  #noteTouch(sessionId: string | null, method: string, { type }: Params): void {
    const key = `${sessionId} touch`;
    if (type === 'touchEnd') this.#held.delete(key);
    else this.#held.set(key, [{ sessionId, method, params: { type: 'touchCancel', touchPoints: [] } }]);
  }

  #noteKey(sessionId: string | null, method: string, { type, ...key }: Params): void {
    const { code, windowsVirtualKeyCode, location } = key;
    const name = `${sessionId} ${String(code)}`;
    if (type === 'keyUp') this.#held.delete(name);
    else if (type !== 'char') {
      const params = { type: 'keyUp', key: key['key'], code, windowsVirtualKeyCode, location, modifiers: 0 };
      this.#held.set(name, [{ sessionId, method, params }]);
    }
  }
}

/** Sends the releases of input. The browser handles them before a later request to detach. */
export function releaseHeld(tabId: number, releases: readonly Release[]): void {
  for (const { sessionId, method, params } of releases)
    chrome.debugger
      .sendCommand(sessionId === null ? { tabId } : { tabId, sessionId }, method, params)
      .catch(() => undefined);
}

const PREFIX = 'heldInput.';

/** Remembers pressed keys and buttons of each tab. Outlives the worker, but not the browser. */
export type HeldMemory = typeof heldMemory;

export const heldMemory = {
  /** Replaces the tab's record. */
  keep: (tabId: number, releases: readonly Release[]): Promise<void> =>
    releases.length === 0
      ? browser.storage.session.remove(`${PREFIX}${tabId}`)
      : browser.storage.session.set({ [`${PREFIX}${tabId}`]: releases }),
  async all(): Promise<ReadonlyMap<number, readonly Release[]>> {
    const stored = Object.entries(await browser.storage.session.get(null));
    return new Map(
      stored
        .filter(([key]) => key.startsWith(PREFIX))
        .map(([key, value]) => [Number(key.slice(PREFIX.length)), z.array(Release).parse(value)]),
    );
  },
};
