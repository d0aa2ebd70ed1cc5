/** The first bytes of what is compressed: a gzip header without time, name, flags and system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** zlib names the operating system in the header: an archive does not depend on it. */
export async function* withFixedHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < GZIP_HEADER.length) continue;
    GZIP_HEADER.copy(head);
    yield head;
    head = null;
  }
}
