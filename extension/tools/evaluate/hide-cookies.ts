import * as z from 'zod/mini';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';

const Cookies = z.object({ cookies: z.array(z.object({ value: z.string() })) });

/** A shorter value is found everywhere by chance. */
const VALUE_LEAST = 8;

/** As the server's redactor says it. */
const MARK = '«redacted:cookie»';

/**
 * A text, or JSON, without the values of the cookies that its document is sent: they may be what a person is signed in
 * with, and no redactor knows them by their form.
 */
export async function hideCookies(
  text: string,
  lease: DebuggerLease,
  sessionId: string | null,
): Promise<string> {
  const { cookies } = Cookies.parse(await lease.send('Network.getCookies', {}, { sessionId }));
  const values = cookies.flatMap(({ value }) => [value, decoded(value)]);
  const written = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(written)]
    .filter(({ length }) => length >= VALUE_LEAST)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, MARK), text);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
