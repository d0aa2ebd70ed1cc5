import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonValue } from '../../shared/json.ts';

/** The HMAC-SHA256 of a value, as hex digits. */
export function sign(key: Buffer, value: JsonValue): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('hex');
}
