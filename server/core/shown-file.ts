import { createHash, type Hash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';

/** Nobody reads a longer text on a card. */
const TEXT_BYTES = 32 * 1_024;
/** A text like the words for another file is described, too: a yes for one would be for both. */
const DESCRIPTION = /^[\d,]+ bytes, SHA-256 [\da-f]{64}$/;

/** A file on the card of a call: a text that a person can read, or its size and its SHA-256. */
export const showFile = (bytes: Buffer): string =>
  bytes.length <= TEXT_BYTES && isUtf8(bytes) && !bytes.includes(0) && !DESCRIPTION.test(bytes.toString())
    ? bytes.toString('utf8')
    : describeFile(bytes.length, createHash('sha256').update(bytes));

/** The same for a file that was not held. */
export const describeFile = (size: number, hash: Hash): string =>
  `${size.toLocaleString('en')} bytes, SHA-256 ${hash.digest('hex')}`;
