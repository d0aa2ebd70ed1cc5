/*
 * As in contexts.ts: they run in the isolated world of the extension, and no page can foresee the names of their events.
 */

/**
 * Watches the next drag that the browser runs by itself. Until `NAME stop`, `NAME drop` ends it as its release does:
 * with `drop` and `dragend` by script, and the data that the browser has shown to the page.
 * @returns true once such a drag has begun, false once it is stopped
 */
export function watchDrag(name: string): Promise<boolean> {
  const over = new AbortController();
  const how = { capture: true, signal: over.signal };
  const world: Window & { readonly wrappedJSObject?: typeof globalThis } = window;
  let source: EventTarget | null = null;
  let last: DragEvent | null = null;
  let data: readonly (readonly [type: string, text: string])[] = [];
  let files: readonly File[] = [];
  // Also in a closed root.
  const targetOf = (event: Event): EventTarget | null => {
    const target: unknown = Reflect.get(event, 'originalTarget');
    return target instanceof EventTarget ? target : event.target;
  };
  /** As in HTML. */
  const effectOf = ({ effectAllowed: allowed }: DataTransfer): DataTransfer['dropEffect'] => {
    if (allowed === 'none' || allowed === 'move') return allowed;
    return allowed.startsWith('link') ? 'link' : 'copy';
  };
  const end = (at: DragEvent): void => {
    const { dropEffect, effectAllowed } = at.dataTransfer ?? { dropEffect: 'none', effectAllowed: 'none' };
    // The page gets none that a script of another world has made.
    const dataTransfer = new (world.wrappedJSObject ?? globalThis).DataTransfer();
    for (const [type, text] of data) dataTransfer.setData(type, text);
    for (const file of files) dataTransfer.items.add(file);
    dataTransfer.effectAllowed = effectAllowed;
    const send = (type: string, to: EventTarget | null, effect: DataTransfer['dropEffect']): void => {
      const { clientX, clientY, screenX, screenY, altKey, ctrlKey, metaKey, shiftKey } = at;
      const place = { clientX, clientY, screenX, screenY, altKey, ctrlKey, metaKey, shiftKey };
      const kind = { bubbles: true, composed: true, cancelable: type === 'drop' };
      dataTransfer.dropEffect = effect;
      const event = new DragEvent(type, { ...place, ...kind, dataTransfer });
      // For our script in the page, which trusts no other event.
      Reflect.set(globalThis, Symbol.for('spillway.drop'), event);
      to?.dispatchEvent(event);
      Reflect.deleteProperty(globalThis, Symbol.for('spillway.drop'));
    };
    const isTaken = at.defaultPrevented && dropEffect !== 'none';
    send(isTaken ? 'drop' : 'dragleave', targetOf(at), dropEffect);
    send('dragend', source, isTaken ? dropEffect : 'none');
  };
  return new Promise((resolve) => {
    const listen = (type: string, hear: (event: Event) => void): void =>
      window.addEventListener(type, hear, how);
    listen('dragstart', (event) => {
      if (event.isTrusted) source = targetOf(event);
    });
    // A drag that its page prevents, or gives no data, gets none.
    listen('dragenter', ({ isTrusted }) => void (isTrusted && resolve(true)));
    listen('dragover', (event) => {
      if (!event.isTrusted || !(event instanceof DragEvent) || event.dataTransfer === null) return;
      const { dataTransfer } = event;
      const types = dataTransfer.types.filter((type) => type !== 'Files');
      data = types.map((type) => [type, dataTransfer.getData(type)]);
      files = [...dataTransfer.files];
      last = event;
      // WebDriver's drag has no effect as one of a person has: the page may choose another, or none.
      if (dataTransfer.dropEffect === 'none') dataTransfer.dropEffect = effectOf(dataTransfer);
    });
    listen(`${name} drop`, () => {
      if (last !== null) end(last);
      last = null;
    });
    listen(`${name} stop`, () => {
      over.abort();
      resolve(false);
    });
  });
}

/** Tells {@link watchDrag}. */
export function tellDrag(name: string, what: 'drop' | 'stop' | 'begin'): void {
  window.dispatchEvent(new CustomEvent(`${name} ${what}`));
}
