import { SpillwayError } from '../../../../shared/errors.ts';

/** Reads a text that comes in pieces up to marks in it. Memory: a piece and a mark. */
export class TextReader {
  readonly #pieces: AsyncIterator<string, unknown>;
  #held = '';

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The text up to `mark`, which is consumed too.
   * @throws SpillwayError `stream_corrupt` when it does not come
   */
  async *until(mark: string): AsyncGenerator<string, void> {
    for (;;) {
      const found = this.#held.indexOf(mark);
      if (found >= 0) {
        const last = this.#held.slice(0, found);
        this.#held = this.#held.slice(found + mark.length);
        if (last !== '') yield last;
        return;
      }
      // What is not held back is not joined with what follows, which would copy it.
      const safeLength = this.#held.length - begunLength(this.#held, mark);
      const piece = this.#held.slice(0, safeLength);
      this.#held = this.#held.slice(safeLength);
      if (piece !== '') yield piece;
      if (!(await this.#more())) throw new SpillwayError('stream_corrupt', 'The MHTML ends too early.');
    }
  }

  /** {@link until} as one text of at most `maxUnits`. */
  async textUntil(mark: string, maxUnits: number): Promise<string> {
    let text = '';
    for await (const piece of this.until(mark)) {
      text += piece;
      if (text.length > maxUnits)
        throw new SpillwayError('stream_corrupt', `The MHTML has headers beyond ${maxUnits} characters.`);
    }
    return text;
  }

  /** What is left. */
  async *rest(): AsyncGenerator<string, void> {
    do {
      const piece = this.#held;
      this.#held = '';
      if (piece !== '') yield piece;
    } while (await this.#more());
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    this.#held += value;
    return true;
  }
}

/** Units at the end of a text that the mark may have begun with. */
function begunLength(text: string, mark: string): number {
  let length = Math.min(text.length, mark.length - 1);
  while (length > 0 && !text.endsWith(mark.slice(0, length))) length -= 1;
  return length;
}
