/**
 * A promise whose work begins when it is first awaited. Without a waiter its rejection is
 * ignored, so it never counts as unhandled.
 */
export class LazyPromise<T> extends Promise<T> {
  readonly #begin: () => void;

  /** What `then` derives is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(work: () => Promise<T>) {
    let settle: (value: Promise<T>) => void = () => undefined;
    super((resolve) => (settle = resolve));
    let hasBegun = false;
    this.#begin = () => {
      if (hasBegun) return;
      hasBegun = true;
      settle(work());
    };
    super.then(undefined, () => undefined);
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#begin();
    return super.then(onFulfilled, onRejected);
  }
}
