import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { withDebugger, type FactRequest } from './fact-source.ts';

/** `Network.Cookie` of CDP; the value is not read. */
const Cookie = z.object({
  name: z.string(),
  domain: z.string(),
  path: z.string(),
  expires: z.number(),
  size: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  session: z.boolean(),
  sameSite: z.string().optional(),
  priority: z.string().optional(),
  sourceScheme: z.string().optional(),
  partitionKey: z.object({ topLevelSite: z.string() }).optional(),
});
const Answer = z.object({ cookies: z.array(Cookie) });

/** Cookies that the page and its frames would send: names and attributes. Values stay in the browser. */
export async function* listCookies(request: FactRequest): AsyncGenerator<JsonObject> {
  const { cookies } = Answer.parse(await withDebugger(request, (lease) => lease.send('Network.getCookies')));
  for (const cookie of cookies)
    yield {
      kind: 'cookie',
      name: cookie.name,
      domain: cookie.domain,
      path: cookie.path,
      size_bytes: cookie.size,
      http_only: cookie.httpOnly,
      secure: cookie.secure,
      same_site: cookie.sameSite ?? null,
      expires: cookie.session ? null : isoSeconds(cookie.expires),
      priority: cookie.priority ?? null,
      source_scheme: cookie.sourceScheme ?? null,
      partition: cookie.partitionKey?.topLevelSite ?? null,
    };
}

const LAST_DATE_S = 8.64e12;

function isoSeconds(seconds: number): string | null {
  return seconds >= 0 && seconds <= LAST_DATE_S ? new Date(seconds * 1_000).toISOString() : null;
}
