/**
 * Begins or ends to keep a gesture of an agent out of a frame. Null where the script that does it is missing: the frame
 * was there before the extension.
 *
 * Runs in a page through `scripting.executeScript`, which passes it on as text: it sees its arguments and
 * the page, and nothing else of the extension.
 */
export function guardFrame(gesture: string, isOn: boolean): unknown {
  const guard: unknown = Reflect.get(globalThis, Symbol.for('spillway.guard'));
  return typeof guard === 'function' ? Reflect.apply(guard, undefined, [gesture, isOn]) : null;
}
