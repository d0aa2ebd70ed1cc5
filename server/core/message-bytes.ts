const LINE_BREAK = 0x0a;
/** The beginning and the end of a message usually name its request. */
const EDGE_UNITS = 4_096;

export interface ReceivedMessage {
  /** Of one that is too large, only {@link edgesOf} it. */
  readonly text: string;
  readonly isTooLarge: boolean;
}

export const edgesOf = (text: string): string => text.slice(0, EDGE_UNITS) + text.slice(-EDGE_UNITS);

/** Gathers the bytes of one message at a time, and joins them at most once. */
export class MessageBytes {
  #pieces: Uint8Array[] = [];
  #sizeBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get isTooLarge(): boolean {
    return this.#sizeBytes > this.maxBytes;
  }

  push(piece: Uint8Array): void {
    this.#sizeBytes += piece.length;
    this.#pieces.push(piece);
    if (!this.isTooLarge) return;
    const gathered = Buffer.concat(this.#pieces);
    const isCut = gathered.length > 2 * EDGE_UNITS;
    // Copies, because parts would keep the whole in memory.
    const edges = [gathered.subarray(0, EDGE_UNITS), gathered.subarray(-EDGE_UNITS)];
    this.#pieces = isCut ? edges.map((edge) => Buffer.from(edge)) : [gathered];
  }

  /** Returns the complete message, and begins the next one. */
  take(): ReceivedMessage {
    const received = { text: Buffer.concat(this.#pieces).toString('utf8'), isTooLarge: this.isTooLarge };
    [this.#pieces, this.#sizeBytes] = [[], 0];
    return received;
  }

  /** The messages that end in a chunk, where each is a line. */
  *lines(chunk: Uint8Array): Generator<ReceivedMessage, void> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      this.push(chunk.subarray(from, end));
      from = end + 1;
      yield this.take();
    }
    this.push(chunk.subarray(from));
  }
}
