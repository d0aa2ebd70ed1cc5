const GROUP_BYTES = 3;
/** A multiple of three, so that the pieces join; small enough to be a call's arguments. */
const PIECE_BYTES = GROUP_BYTES * 8_192;

/** Bytes as base64. */
export function toBase64(parts: readonly ArrayBuffer[]): string {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES)));
  return text;
}

/** The bytes of a base64 text. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * GROUP_BYTES - padding;
}
