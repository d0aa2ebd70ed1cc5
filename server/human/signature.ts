import { createHmac } from 'node:crypto';
import { isObject, type JsonValue } from '../../shared/json.ts';

/** JSON in one form: two values that are equal are the same text, in whatever order their members came. */
function canonical(value: JsonValue | undefined): string {
  if (isObject(value)) {
    const members = Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map((part: JsonValue) => canonical(part)).join(',')}]`;
  return JSON.stringify(value ?? null);
}

/** The HMAC-SHA256 of a value, as hex digits. */
export function sign(key: Buffer, value: JsonValue): string {
  return createHmac('sha256', key).update(canonical(value)).digest('hex');
}
