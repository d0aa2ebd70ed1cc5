import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import type { ServerPort } from '../../core/handler.ts';
import type { Acting } from './acting.ts';

/** The server ends a vault's command sooner. */
const VAULT_MS = 45_000;

/**
 * Puts secrets in place of the keys that stand for them: the server makes them at this moment.
 * @throws SpillwayError `secret_unavailable`, `timeout`, the signal's reason
 */
export function revealer(
  { lent = [] }: MethodParams<'act.run'>['secret'],
  server: ServerPort,
  signal: AbortSignal,
): Acting['reveal'] {
  const take = async (text: string): Promise<string> =>
    lent.includes(text)
      ? (await server.request('secrets.take', { key: text, wait_ms: VAULT_MS }, signal)).value
      : text;
  return async (one) => {
    const { value } = one;
    // A text replaces a text, and a list a list.
    if (typeof value === 'string' && lent.includes(value)) return { ...one, value: await take(value) };
    if (!Array.isArray(value) || !value.some((text) => lent.includes(text))) return one;
    return { ...one, value: await Promise.all(value.map(take)) };
  };
}
