const GROUP_BYTES = 3;
/** A multiple of three, so that the pieces join; small enough for a call's arguments. */
const PIECE_BYTES = GROUP_BYTES * 8_192;

/**
 * Bytes as base64, since ports and native messaging carry JSON. The texts of consecutive parts can be joined if each
 * part but the last has a length divisible by three.
 */
export function toBase64(bytes: Uint8Array): string {
  // The native encoder of Chrome 140 and later is five times as fast.
  if (isEncoder(bytes)) return bytes.toBase64();
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES)));
  return text;
}

const isEncoder = (bytes: Uint8Array): bytes is Uint8Array & { toBase64(): string } => 'toBase64' in bytes;

/** The bytes of a base64 text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The number of bytes in a base64 text. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * GROUP_BYTES - padding;
}
