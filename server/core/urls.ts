import { SpillwayError } from '../../shared/errors.ts';
import { clip } from './notes.ts';

const ALLOWED_PROTOCOLS = new Set(['http:', 'https:']);
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?([/?#]|$)/i;
const BARE_HOST = /^[^\s/:?#]+\.[^\s/:?#]+(:\d+)?([/?#]|$)/;

/**
 * The address that a caller means: absolute http(s), `about:blank`, or a bare host, which gets
 * `https://` (`http://` on the own machine) as in an address bar.
 *
 * @throws SpillwayError `invalid_argument` for what is no address, `url_not_allowed` for a scheme
 * that an agent has no business with.
 */
export function checkUrl(given: string): string {
  const trimmed = given.trim();
  if (trimmed === 'about:blank') return trimmed;
  const candidate = LOCAL_HOST.test(trimmed)
    ? `http://${trimmed}`
    : BARE_HOST.test(trimmed)
      ? `https://${trimmed}`
      : trimmed;
  if (!URL.canParse(candidate)) {
    throw new SpillwayError(
      'invalid_argument',
      `url: "${clip(given, 100)}" is no absolute address such as https://example.com/.`,
    );
  }
  const url = new URL(candidate);
  if (!ALLOWED_PROTOCOLS.has(url.protocol)) {
    throw new SpillwayError('url_not_allowed', `url: ${url.protocol} addresses are not opened.`);
  }
  return url.href;
}
