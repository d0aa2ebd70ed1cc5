import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const MAGIC = Buffer.from('SPILLWAY-STATE-1\n');
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES + TAG_BYTES;

const keyOf = (secret: string, salt: Buffer): Buffer =>
  scryptSync(secret, salt, 32, { N: 2 ** 15, maxmem: 2 ** 26 });

/** A text that only who has the secret reads: AES-256-GCM, with a key by scrypt. */
export function seal(text: string, secret: string): Buffer {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv(CIPHER, keyOf(secret, salt), nonce).setAAD(MAGIC);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), body]);
}

/** The text of {@link seal}; null for another secret, and for any other file. */
export function unseal(sealed: Buffer, secret: string): string | null {
  if (sealed.length < HEAD_BYTES || !sealed.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  let at = MAGIC.length;
  const take = (bytes: number): Buffer => sealed.subarray(at, (at += bytes));
  const [salt, nonce, tag] = [take(SALT_BYTES), take(NONCE_BYTES), take(TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, keyOf(secret, salt), nonce).setAAD(MAGIC).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(at)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
