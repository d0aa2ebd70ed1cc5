export interface Body {
  /** At most `maxBytes`, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why it is incomplete. */
  readonly cut: 'too_large' | 'timeout' | 'broken' | null;
}

/**
 * Reads a body until its end, `maxBytes` or the deadline, and keeps what has arrived. A compressed body is counted
 * after decompression, so that a small one cannot fill the memory.
 */
export async function readBody(response: Response, maxBytes: number, deadline: AbortSignal): Promise<Body> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let cut: Body['cut'] = null;
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read();
      if (done) break;
      const room = maxBytes - size;
      chunks.push(value.length > room ? value.subarray(0, room) : value);
      size += Math.min(room, value.length);
      if (value.length <= room) continue;
      cut = 'too_large';
      break;
    }
  } catch {
    cut = deadline.aborted ? 'timeout' : 'broken';
  }
  if (cut !== null) reader?.cancel().catch(() => undefined);
  return { bytes: join(chunks, size), cut };
}

function join(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
