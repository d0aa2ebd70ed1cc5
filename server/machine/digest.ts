import { createHash } from 'node:crypto';

/** SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Names a home to browsers, and does not say where it is. */
export const nameOfHome = (home: string): string => sha256(home).slice(0, 16);
