/** Made with the first use; a failure to make it is forgotten, so that the next use tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = null;
      throw thrown;
    });
    return made;
  };
}
