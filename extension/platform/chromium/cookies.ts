import { z } from 'zod';
import { PartitionKey } from '../../../shared/inspect/storage.methods.ts';
import type { DebuggerLease } from './debugger/sessions.ts';

const Cookies = z.object({
  cookies: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      path: z.string(),
      size: z.int(),
      /** Seconds since the epoch; less than 0: until the browser ends. */
      expires: z.number(),
      httpOnly: z.boolean(),
      secure: z.boolean(),
      session: z.boolean(),
      sameSite: z.string().optional(),
      priority: z.string().optional(),
      sourceScheme: z.string().optional(),
      partitionKey: PartitionKey.optional(),
    }),
  ),
});
/** As the debugger knows it, with those that scripts do not see. */
export type BrowserCookie = z.infer<typeof Cookies>['cookies'][number];

/**
 * Cookies that requests carry.
 * @param of requests for an address, or of a frame's session and the frames within it; without either, of the tab's page
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function cookiesOf(
  lease: DebuggerLease,
  { url, sessionId = null }: { readonly url?: string; readonly sessionId?: string | null } = {},
): Promise<readonly BrowserCookie[]> {
  const of = url === undefined ? {} : { urls: [url] };
  return Cookies.parse(await lease.send('Network.getCookies', of, { sessionId })).cookies;
}

type CookieKey = Pick<BrowserCookie, 'name' | 'domain' | 'path' | 'partitionKey'>;

export async function deleteCookie(
  lease: DebuggerLease,
  { name, domain, path, partitionKey }: CookieKey,
): Promise<void> {
  const own = partitionKey === undefined ? {} : { partitionKey };
  await lease.send('Network.deleteCookies', { name, domain, path, ...own });
}

const Set = z.object({ success: z.boolean() });

/** @returns whether the browser has taken it; it throws some refusals, with its reason */
export const setCookie = async (lease: DebuggerLease, cookie: object): Promise<boolean> =>
  Set.parse(await lease.send('Network.setCookie', cookie)).success;

const Certificates = z.object({ tableNames: z.array(z.string()) });

/**
 * The certificates of connections to an origin, DER in base64, the site's own first. `chrome.debugger` offers no
 * `Security` domain.
 */
export const certificatesOf = async (lease: DebuggerLease, origin: string): Promise<string[]> =>
  Certificates.parse(await lease.send('Network.getCertificate', { origin })).tableNames;
