/** A command that releases what another one has pressed. */
export interface Release {
  /** Of a session below the tab; null for the tab's own. */
  readonly sessionId: string | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Where what is pressed in a tab is remembered: it outlives the worker, not the browser. */
export interface HeldMemory {
  /** Takes the place of what was kept for the tab. */
  keep(tabId: number, releases: readonly Release[]): Promise<void>;
  /** What was kept, by tab. */
  all(): Promise<ReadonlyMap<number, readonly Release[]>>;
}

const OUTSIDE = { x: -1, y: -1 };

/** Without data: whatever is dragged then goes back to where it came from. */
const NO_DRAG = { items: [], dragOperationsMask: 0 };

/**
 * What the commands to a tab have pressed and not released. Most is pressed and released in one turn of the worker,
 * which cannot end within it. What is still pressed after the turn is remembered in the same turn, so that the next
 * worker can release it.
 */
export class HeldInput {
  readonly #tabId: number;
  readonly #memory: HeldMemory;
  readonly #held = new Map<string, readonly Release[]>();
  #isKept = false;
  #isChecking = false;

  constructor(tabId: number, memory: HeldMemory) {
    this.#tabId = tabId;
    this.#memory = memory;
  }

  /** Has to be called with every command, in the turn in which it is sent. */
  note(sessionId: string | null, method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'Input.dispatchMouseEvent') this.#noteMouse(sessionId, method, params);
    else if (method === 'Input.dispatchKeyEvent') this.#noteKey(sessionId, method, params);
    else return;
    if (this.#isChecking) return;
    this.#isChecking = true;
    queueMicrotask(() => {
      this.#isChecking = false;
      this.#keep();
    });
  }

  /** What releases everything, the last pressed first. None of it counts as pressed from now on. */
  take(): readonly Release[] {
    const releases = [...this.#held.values()].reverse().flat();
    this.#held.clear();
    this.#keep();
    return releases;
  }

  #keep(): void {
    if (this.#held.size === 0 && !this.#isKept) return;
    this.#isKept = this.#held.size > 0;
    void this.#memory.keep(this.#tabId, [...this.#held.values()].reverse().flat());
  }

  #noteMouse(
    sessionId: string | null,
    method: string,
    { type, x, y, button }: Readonly<Record<string, unknown>>,
  ): void {
    const key = `${sessionId} ${String(button)}`;
    if (type === 'mouseReleased') this.#held.delete(key);
    if (type !== 'mousePressed') return;
    // Outside the page: at the place of the press it would be a click, and elsewhere a drop.
    this.#held.set(key, [
      {
        sessionId,
        method: 'Input.dispatchDragEvent',
        params: { type: 'dragCancel', x, y, data: NO_DRAG },
      },
      { sessionId, method, params: { type: 'mouseReleased', ...OUTSIDE, button, clickCount: 0 } },
    ]);
  }

  #noteKey(
    sessionId: string | null,
    method: string,
    { type, ...key }: Readonly<Record<string, unknown>>,
  ): void {
    const { code, windowsVirtualKeyCode, location } = key;
    const name = `${sessionId} ${String(code)}`;
    if (type === 'keyUp') this.#held.delete(name);
    else if (type !== 'char')
      this.#held.set(name, [
        {
          sessionId,
          method,
          params: { type: 'keyUp', key: key['key'], code, windowsVirtualKeyCode, location, modifiers: 0 },
        },
      ]);
  }
}
