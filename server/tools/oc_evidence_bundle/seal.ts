/*
 * A bundle ends with a second gzip member (RFC 1952, 2.2) that unpacks to nothing. Its extra field
 * (2.3.1.1) holds the SHA-256 of all bytes before it. gzip checks what it unpacks and not what it
 * read: header fields, spare bits and some codes may change unseen. The seal sees every byte.
 */

const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 36, 0, 0x53, 0x57, 32, 0]);
/** An empty deflate block, CRC-32 and length of nothing. */
const END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const DIGEST_BYTES = 32;

export const SEAL_BYTES = HEADER.length + DIGEST_BYTES + END.length;

/** The seal over what has the digest. */
export function sealOf(digest: Buffer): Buffer {
  return Buffer.concat([HEADER, digest, END]);
}

/** The digest in a seal; null if the bytes are not a seal. */
export function digestOf(seal: Buffer): Buffer | null {
  const digest = seal.subarray(HEADER.length, HEADER.length + DIGEST_BYTES);
  return sealOf(digest).equals(seal) ? digest : null;
}
