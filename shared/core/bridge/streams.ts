import { z } from 'zod';

/**
 * Anything larger than a frame is a stream, bound to the RPC call that asked for it: the caller (server)
 * chooses the stream's id and passes it in the params with the first credit; the sender (worker) sends
 * numbered chunks while it has credit; the call's result follows the last one.
 * Hash: SHA-256 over the concatenated *raw* SHA-256 digests of the chunks' UTF-8 bytes, so that the worker
 * can hash each chunk with one `crypto.subtle.digest` as it passes.
 * Text must be well-formed UTF-16 (`toWellFormed()`) before it is hashed and counted.
 */

const StreamId = z.int().min(1);

/** In the params of each method that streams. */
export const StreamParams = z.object({
  stream: StreamId,
  /** Bytes (UTF-8 of `data`) that may be sent before more is granted. */
  credit: z.int().min(1),
});
export type StreamParams = z.infer<typeof StreamParams>;

const StreamSeal = z.object({
  chunks: z.int().min(0),
  size_bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Sender → receiver. The last chunk, or an empty one, carries `end`. `seq` counts from 0. Every chunk, even
 * an empty one, counts in `end.chunks` and its digest in the hash.
 */
export const StreamChunk = z.object({
  stream: StreamId,
  seq: z.int().min(0),
  data: z.string(),
  end: StreamSeal.optional(),
});
export type StreamChunk = z.infer<typeof StreamChunk>;

/** Receiver → sender: `credit` more bytes may follow, or the stream is no longer wanted. */
export const StreamControl = z.union([
  z.object({ stream: StreamId, credit: z.int().min(1) }),
  z.object({ stream: StreamId, cancel: z.string().max(300) }),
]);
export type StreamControl = z.infer<typeof StreamControl>;
