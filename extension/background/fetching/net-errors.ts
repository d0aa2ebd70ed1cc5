import type { ErrorCode } from '../../../shared/errors.ts';

/** What Chrome's network errors mean to a crawl; the rest is `navigation_failed`. */
const MEANINGS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^net::ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_|ICANN_NAME_COLLISION)/, 'dns_failed'],
  [/^net::ERR_(?:CERT_|SSL_|BAD_SSL_|TLS_|ECH_)/, 'tls_failed'],
  [/^net::ERR_TOO_MANY_REDIRECTS/, 'redirect_loop'],
  [/^net::ERR_RESPONSE_HEADERS_TOO_BIG/, 'headers_too_large'],
  [/^net::ERR_TIMED_OUT/, 'response_timeout'],
  [
    /^net::ERR_(?:CONNECTION_(?:REFUSED|FAILED|TIMED_OUT)|ADDRESS_|INTERNET_DISCONNECTED|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|HOST_RESOLVER|NETWORK_ACCESS_DENIED)/,
    'host_unreachable',
  ],
];

/** The code of a `net::ERR_…`. */
export function codeOfNetError(error: string): ErrorCode {
  return MEANINGS.find(([pattern]) => pattern.test(error))?.[1] ?? 'navigation_failed';
}

/** The `net::ERR_…` that a message names, or null. */
export const netErrorIn = (message: string): string | null => /net::ERR_\w+/.exec(message)?.[0] ?? null;
