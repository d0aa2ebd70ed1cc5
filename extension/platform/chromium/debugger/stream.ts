import { z } from 'zod';
import type { DebuggerLease } from './sessions.ts';

const Piece = z.object({ data: z.string(), eof: z.boolean(), base64Encoded: z.boolean().default(false) });

/** The pieces of a stream, which is closed at their end. */
export async function* streamOf(
  lease: DebuggerLease,
  handle: string,
  pieceBytes: number,
): AsyncGenerator<z.infer<typeof Piece>> {
  try {
    for (let isMore = true; isMore;) {
      const piece = Piece.parse(await lease.send('IO.read', { handle, size: pieceBytes }));
      yield piece;
      isMore = !piece.eof;
    }
  } finally {
    dropStream(lease, handle).catch(() => undefined);
  }
}

/** Reads none of a stream. */
export const dropStream = (lease: DebuggerLease, handle: string): Promise<unknown> =>
  lease.send('IO.close', { handle });
