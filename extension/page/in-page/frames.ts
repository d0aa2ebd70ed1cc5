/*
 * Each function runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */

/**
 * Resolves when the document has been drawn `count` times.
 */
export function framesDrawn(count: number): Promise<true> {
  return new Promise((resolve) => {
    let left = count;
    const next = (): void => {
      left -= 1;
      if (left < 0) resolve(true);
      else requestAnimationFrame(next);
    };
    next();
  });
}

/**
 * Begins or ends to keep a gesture of an agent out of a frame. Null where the script that does it is missing: the frame
 * was there before the extension.
 */
export function guardFrame(gesture: string, isOn: boolean): unknown {
  const guard: unknown = Reflect.get(globalThis, Symbol.for('spillway.guard'));
  return typeof guard === 'function' ? Reflect.apply(guard, undefined, [gesture, isOn]) : null;
}

/**
 * Whether keys may go to a frame: the page's focus lies on one, or, in a frame, the document has it.
 */
export function hasFocusedFrame(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isFrame = focused !== null && /^(?:iframe|frame|object|embed|fencedframe)$/i.test(focused.localName);
  return isFrame || (window.top !== window.self && document.hasFocus());
}
