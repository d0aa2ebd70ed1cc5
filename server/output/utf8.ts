/** True for the second to fourth byte of a character (`10xxxxxx`). */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The largest boundary between code points at or before `at`. An encoded character has at most three
 * continuation bytes, so bytes that are not UTF-8 stop the search early.
 */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position > 0 && at - position < 3 && isContinuation(bytes[position])) position -= 1;
  return position;
}

/** The smallest boundary at or after `at`. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position < bytes.length && position - at < 3 && isContinuation(bytes[position])) position += 1;
  return position;
}

/** Bytes that one byte of UTF-8 takes inside a JSON string, after JSON.stringify. */
export function escapedSize(byte: number): number {
  if (byte === 0x22 || byte === 0x5c) return 2;
  if (byte >= 0x20) return 1;
  return byte === 0x08 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d ? 2 : 6;
}
