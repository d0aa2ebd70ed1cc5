import { SpillwayError, invalidArgument } from '../../shared/errors.ts';
import { cut } from '../../shared/cut.ts';
import { parseUrl } from '../../shared/private-address.ts';

const ALLOWED_PROTOCOLS = new Set(['http:', 'https:']);
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?([/?#]|$)/i;
const BARE_HOST = /^[^\s/:?#]+\.[^\s/:?#]+(:\d+)?([/?#]|$)/;

/**
 * The address that a caller means: absolute http(s), `about:blank`, or a bare host, which gets `https://`
 * (`http://` on the own machine) as in an address bar.
 * @throws SpillwayError `invalid_argument` for an invalid address, `url_not_allowed` for a scheme that an
 *   agent has no business with.
 */
export function checkUrl(given: string): string {
  const trimmed = given.trim();
  if (trimmed === 'about:blank') return trimmed;
  const candidate = LOCAL_HOST.test(trimmed)
    ? `http://${trimmed}`
    : BARE_HOST.test(trimmed)
      ? `https://${trimmed}`
      : trimmed;
  const url = parseUrl(candidate);
  if (url === null) {
    throw invalidArgument(`url: "${cut(given, 100)}" is not an absolute URL such as https://example.com/.`);
  }
  if (!ALLOWED_PROTOCOLS.has(url.protocol)) {
    throw new SpillwayError('url_not_allowed', `url: ${url.protocol} URLs are not allowed.`);
  }
  return url.href;
}
