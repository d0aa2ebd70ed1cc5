/*
 * As in document.ts, each function sees only its arguments. They run in the isolated world of the extension: no page
 * knows the name of the event before it comes, and no listener of the page hears it.
 */

/** Listens for the only event of a name. */
export function listenForContext(name: string): void {
  const hear = (event: Event): void => {
    event.stopImmediatePropagation();
    if (event instanceof CustomEvent) Reflect.set(globalThis, Symbol.for(name), event.detail);
  };
  window.addEventListener(name, hear, { capture: true, once: true });
}

/** The id that came with the event; null if it has not come. */
export function heardContext(name: string): string | null {
  const heard: unknown = Reflect.get(globalThis, Symbol.for(name));
  Reflect.deleteProperty(globalThis, Symbol.for(name));
  return typeof heard === 'string' ? heard : null;
}
