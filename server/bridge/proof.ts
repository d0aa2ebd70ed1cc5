import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 32;

/** Both nonces of one handshake. Each is used once. */
export interface Nonces {
  readonly host: string;
  readonly server: string;
}

export function createNonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

/** HMAC-SHA256 over role and nonces: proves the secret without sending it (`shared/bridge/hello.ts`). */
export function createProof(secret: string, role: 'server' | 'host', nonces: Nonces): string {
  return createHmac('sha256', secret).update(`${role}\n${nonces.host}\n${nonces.server}`).digest('hex');
}

/** Compares in constant time. */
export function isProof(proof: string, expected: string): boolean {
  const actual = Buffer.from(proof);
  const wanted = Buffer.from(expected);
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
