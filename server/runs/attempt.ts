/** A change in a transaction of LMDB: tells what the change itself threw from what the disk refused. */
export class Attempt {
  readonly run: () => void;
  #thrown: { readonly value: unknown } | undefined;

  constructor(change: () => void) {
    this.run = () => {
      try {
        change();
      } catch (thrown) {
        this.#thrown = { value: thrown };
        throw thrown;
      }
    };
  }

  failed(thrown: unknown): boolean {
    return this.#thrown !== undefined && this.#thrown.value === thrown;
  }
}
