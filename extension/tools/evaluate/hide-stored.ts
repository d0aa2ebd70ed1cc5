import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import { waitAtMost } from '../../../shared/async/wait.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { listWebStorage } from '../../page/in-page/storage.ts';

const Cookies = z.object({ cookies: z.array(z.object({ name: z.string(), value: z.string() })) });
const Stored = z.array(z.object({ result: z.array(z.tuple([z.string(), z.string()])) }));

/** A shorter value occurs everywhere by chance. */
const VALUE_LEAST = 8;
/** Names of secrets in the page's storage. A single word as a value also occurs everywhere by chance. */
const SECRET_NAME = /token|secret|session|auth|passw|jwt|[cx]srf|credential|api.?key|\bsid\b/i;
const WORD = /^[a-z _-]*$/i;
const JSON_PAIR = /"([^"\\]{1,100})"\s*:\s*"([^"\\]+)"/g;

/** Time for a page to answer. */
const READ_MS = 1_000;

/** As the server's redactor writes it. */
const MARK = '«redacted:cookie»';

interface Place {
  readonly lease: DebuggerLease;
  /** Of the document's frame. */
  readonly session: string | null;
  readonly tabId: number;
  readonly documentId: string | null;
}

/**
 * Removes from a text or JSON the values of the cookies that its document receives, and of storage entries with a
 * secret's name: a person may be signed in with them, and no redactor recognises them by their form.
 */
export async function hideStored(text: string, place: Place): Promise<string> {
  const { cookies } = Cookies.parse(
    await place.lease.send('Network.getCookies', {}, { sessionId: place.session }),
  );
  const values = [
    ...cookies.flatMap(({ value }) => [value, decoded(value)]),
    ...[...(await storedIn(place, 'local')), ...(await storedIn(place, 'session'))].flatMap(secretsOf),
  ];
  const written = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const long = [...new Set(written)].filter(({ length }) => length >= VALUE_LEAST);
  const short = cookies.filter(({ value }) => value !== '' && value.length < VALUE_LEAST);
  return [
    ...long
      .toSorted((one, other) => other.length - one.length)
      .map((value): [string, string] => [value, MARK]),
    // As `document.cookie` has it.
    ...short.map(({ name, value }): [string, string] => [`${name}=${value}`, `${name}=${MARK}`]),
  ].reduce((rest, [value, mark]) => rest.replaceAll(value, mark), text);
}

async function storedIn({ lease, tabId, documentId }: Place, area: string): Promise<[string, string][]> {
  if (documentId === null) return [];
  const asked = browser.scripting.executeScript({
    target: { tabId, documentIds: [documentId] },
    injectImmediately: true,
    func: listWebStorage,
    args: [area],
  });
  // The page may be busy, or gone.
  const answer = await waitAtMost(asked, READ_MS, lease.signal).catch(() => null);
  return Stored.safeParse(answer).data?.flatMap(({ result }) => result) ?? [];
}

function secretsOf([name, value]: [string, string]): string[] {
  const inner = [...value.matchAll(JSON_PAIR)].map(([, key = '', text = '']): [string, string] => [
    key,
    text,
  ]);
  return [[name, value], ...inner].flatMap(([key = '', text = '']) =>
    SECRET_NAME.test(key) && !WORD.test(text) ? [text] : [],
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
