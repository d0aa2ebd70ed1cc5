const LINE_BREAK = 10;

/**
 * Cuts bytes into lines without joining them more than once. A line beyond `maxBytes` is skipped to
 * its end and reported as null, so that the next one is read.
 */
export class LineReader {
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in a chunk, without their breaks; null for each that was too long. */
  *push(chunk: Buffer): Generator<string | null, void> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.maxBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): string | null {
    const line = this.#bytes > this.maxBytes ? null : Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}
