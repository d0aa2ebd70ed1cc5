/*
 * `scripting.executeScript` passes each function to the page as text: it sees only its arguments and the page, nothing
 * else of the extension.
 */

/** Resolves after the document has been drawn `count` times. */
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
 * Starts or stops blocking an agent's gesture in a frame. Null if the guard script is missing: the frame is older than
 * the extension.
 */
export function guardFrame(gesture: string, isOn: boolean): unknown {
  const guard: unknown = Reflect.get(globalThis, Symbol.for('spillway.guard'));
  return typeof guard === 'function' ? Reflect.apply(guard, undefined, [gesture, isOn]) : null;
}

/** Whether keys may reach a frame: the page's focus is on one or, within a frame, its document has it. */
export function hasFocusedFrame(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isFrame = focused !== null && /^(?:iframe|frame|object|embed|fencedframe)$/i.test(focused.localName);
  return isFrame || (window.top !== window.self && document.hasFocus());
}
