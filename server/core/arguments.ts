import { invalidArgument, SpillwayError } from '../../shared/base/errors.ts';
import { cut } from '../../shared/base/cut.ts';
import { parseUrl } from '../../shared/base/private-address.ts';

const AGE = /^(?<count>\d{1,6})(?<unit>[smhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** A date, or a date and a time; without an offset it is UTC, like every time that we write. */
const ISO_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:T(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Milliseconds since the epoch of an ISO time, or of an age before `now`.
 * @param field the argument's name, for the message
 * @throws SpillwayError `invalid_argument` if it is neither
 */
export function parseSince(since: string, now: number, field = 'since'): number {
  const text = since.trim();
  const age = AGE.exec(text)?.groups;
  if (age !== undefined) return now - Number(age['count']) * (UNIT_MS[age['unit'] ?? ''] ?? 0);
  const { date, time = '00:00', offset = 'Z' } = ISO_TIME.exec(text)?.groups ?? {};
  const parsed = date === undefined ? NaN : Date.parse(`${date}T${time}${offset}`);
  if (Number.isFinite(parsed)) return parsed;
  throw invalidArgument(
    `${field}: takes an ISO time such as 2026-05-19T12:00:00Z, or an age such as 15m, 2h, 1d; got ${JSON.stringify(text.slice(0, 64))}.`,
  );
}

const ALLOWED_PROTOCOLS = new Set(['http:', 'https:']);
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?([/?#]|$)/i;
const BARE_HOST = /^[^\s/:?#]+\.[^\s/:?#]+(:\d+)?([/?#]|$)/;

/**
 * The address that a caller means: absolute http(s), `about:blank`, or a bare host, which gets `https://`
 * (`http://` on the own machine) as in an address bar.
 * @param hint for an invalid address
 * @throws SpillwayError `invalid_argument` for an invalid address, `url_not_allowed` for a scheme that an
 *   agent has no business with.
 */
export function checkUrl(given: string, hint?: string): string {
  const trimmed = given.trim();
  if (trimmed === 'about:blank') return trimmed;
  const candidate = LOCAL_HOST.test(trimmed)
    ? `http://${trimmed}`
    : BARE_HOST.test(trimmed)
      ? `https://${trimmed}`
      : trimmed;
  const url = parseUrl(candidate);
  if (url === null) {
    const message = `url: "${cut(given, 100)}" is not an absolute URL such as https://example.com/.`;
    throw invalidArgument(message, hint);
  }
  if (!ALLOWED_PROTOCOLS.has(url.protocol))
    throw new SpillwayError('url_not_allowed', `url: ${url.protocol} URLs are not allowed.`);
  return url.href;
}

/**
 * An argument that an action does not accept is an error, not something to ignore.
 * @param given undefined or false if it was left out
 * @param takes the arguments of each action
 * @throws SpillwayError `invalid_argument`
 */
export function checkTaken<Action extends string>(
  action: Action,
  given: Readonly<Record<string, unknown>>,
  takes: Readonly<Record<Action, readonly string[]>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === false || takes[action].includes(name)) continue;
    const others = Object.entries<readonly string[]>(takes).flatMap(([other, taken]) =>
      taken.includes(name) ? [other] : [],
    );
    const own = takes[action].join(', ') || 'none';
    throw invalidArgument(`${name}: is for ${others.join(', ')}; action "${action}" takes ${own}.`);
  }
}
