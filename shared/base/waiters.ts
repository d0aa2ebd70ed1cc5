import { abortable, defer } from './async.ts';
import { valueIn } from './maps.ts';

/** Calls that wait for the next value of a key. */
export class Waiters<Key, Value> {
  readonly #waiting = new Map<Key, Set<(value: Value) => void>>();

  /** Waits until `stop` is called. */
  open(key: Key): { readonly next: Promise<Value>; readonly stop: () => void } {
    const { promise: next, resolve } = defer<Value>();
    const waiting = valueIn(this.#waiting, key, () => new Set());
    waiting.add(resolve);
    const stop = (): void => {
      if (waiting.delete(resolve) && waiting.size === 0) this.#waiting.delete(key);
    };
    return { next, stop };
  }

  /** @throws the signal's reason */
  wait(key: Key, signal: AbortSignal): Promise<Value> {
    const { next, stop } = this.open(key);
    return abortable(next, signal).finally(stop);
  }

  notify(key: Key, value: Value): void {
    for (const resolve of this.#waiting.get(key) ?? []) resolve(value);
  }
}
