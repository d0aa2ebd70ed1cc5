/** A promise that is settled from outside: `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | Promise<T>) => void;
} {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
