import { lookUp } from '../../base/json.ts';
import { isPrivateHost, parseUrl } from '../../base/private-address.ts';
import lists from './site-lists.json';

/**
 * The shipped lists, by their name in rules (`@banking`): sites on which a mistake costs more than elsewhere. A
 * host stands for itself and all below it. The lists are a start and not complete: people switch entries off
 * and add their own, see docs/approvals.md.
 */
export const SITE_LISTS: Readonly<Record<SiteListName, readonly string[]>> = lists;
export type SiteListName = keyof typeof lists;
export const SITE_LIST_NAMES = [
  'payment',
  'banking',
  'password_manager',
  'identity',
] as const satisfies readonly SiteListName[];

/** Where a document or an address belongs. */
export interface Site {
  /** Without the colon: `https`. */
  readonly scheme: string;
  /** Lower case, punycode, without a trailing dot; IPv6 in brackets; empty for files of this machine. */
  readonly host: string;
  /** Also for the scheme's default; empty if a scheme has none. */
  readonly port: string;
  /** `https://shop.example:8443`, as a browser writes it. */
  readonly origin: string;
}

/** A parsed pattern of sites. */
export interface SitePattern {
  readonly scheme: string | null;
  /** Null for any. */
  readonly host: string | null;
  readonly port: string | null;
  /** `*.example.com`: not the host itself. */
  readonly isBelow: boolean;
  /** An address or an origin means only itself: it has no subdomains. */
  readonly isAlone: boolean;
  /** `@private`, or a shipped list, by its name without the sign. */
  readonly group: string | null;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  http: '80',
  https: '443',
  ws: '80',
  wss: '443',
  ftp: '21',
  /** Another server, by its name: it has no port. */
  upstream: '',
};
/** Documents of the origin named after the scheme. */
const MADE_BY = /^(?:blob|filesystem):(?!null(?:\/|$))/i;
/** No name, or one with an empty label: it would match nothing. */
const NO_HOST = /^(?:\.|$)|\.\./;
const GROUP = /^@([a-z][a-z_]*)$/;
const PATTERN =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.|\.)?(\[[0-9a-f:.]+\]|[^/?#@:[\]\s*\\]+)(?::(\d{1,5}))?\/?$/i;

/** One machine, or one of its origins: narrower than a name can be. */
const ALONE = 2_000;
const LAST_PORT = 65_535;
const ANY: SitePattern = {
  scheme: null,
  host: null,
  port: null,
  isBelow: false,
  isAlone: false,
  group: null,
};

/** The group of addresses of the machine and its network. */
const PRIVATE_GROUP = 'private';

/**
 * The site of an address, as the browser would read it. Null for one without a site: `about:blank`, `data:`,
 * documents of a page without an origin, and anything that is not an address.
 */
export function siteOf(url: string): Site | null {
  const made = MADE_BY.exec(url);
  const parsed = parseUrl(made === null ? url : url.slice(made[0].length));
  if (parsed === null) return null;
  const scheme = parsed.protocol.slice(0, -1);
  if (scheme === 'file') return { scheme, host: parsed.hostname, port: '', origin: 'file://' };
  const own = lookUp(DEFAULT_PORTS, scheme);
  if (own === undefined || parsed.hostname === '') return null;
  const host = plainHost(parsed.hostname);
  const shownPort = parsed.port === '' ? '' : `:${parsed.port}`;
  return { scheme, host, port: parsed.port || own, origin: `${scheme}://${host}${shownPort}` };
}

/**
 * Reads a pattern: `example.com` or `.example.com` with its subdomains, `*.example.com` for the subdomains alone,
 * `https://example.com`, `=https://example.com` for that origin alone, `localhost:3000`, `192.0.2.7`, `[::1]`,
 * `file:`, `*`, or `@banking`. Null for anything else, including a path: rules are about sites. A page
 * changes its path without another document, and judgements and grants are kept by origin.
 */
export function parseSitePattern(text: string): SitePattern | null {
  const trimmed = text.trim();
  if (trimmed === '*') return ANY;
  if (/^file:(?:\/\/\/?)?$/i.test(trimmed)) return { ...ANY, scheme: 'file' };
  const group = GROUP.exec(trimmed)?.[1];
  if (group !== undefined) return { ...ANY, group };
  return trimmed.startsWith('=') ? parseOrigin(trimmed.slice(1)) : parseHostPattern(trimmed);
}

function parseOrigin(text: string): SitePattern | null {
  const pattern = parseHostPattern(text);
  if (pattern?.scheme == null || pattern.isBelow) return null;
  return { ...pattern, port: pattern.port ?? lookUp(DEFAULT_PORTS, pattern.scheme) ?? null, isAlone: true };
}

function parseHostPattern(text: string): SitePattern | null {
  const [, given, below, name = '', port = null] = PATTERN.exec(text) ?? [];
  const scheme = given?.toLowerCase() ?? null;
  const host = plainHost(parseUrl(`http://${name}/`)?.hostname ?? '');
  if (NO_HOST.test(host) || Number(port) > LAST_PORT || !hasOrigins(scheme)) return null;
  const isAlone = host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host);
  const isBelow = below === '*.';
  if (isAlone && isBelow) return null;
  return { ...ANY, scheme, host, port: port === null ? null : String(Number(port)), isBelow, isAlone };
}

const hasOrigins = (scheme: string | null): boolean =>
  scheme === null || lookUp(DEFAULT_PORTS, scheme) !== undefined;

/** Maximum sites in each list of a server's flags. */
export const MAX_SITES = 1_000;

/** Groups that have a name, without the sign. */
const GROUPS: ReadonlySet<string> = new Set([PRIVATE_GROUP, ...SITE_LIST_NAMES]);

/** Whether a text is a pattern of known sites: an unknown list would match nothing. */
export function isSite(text: string): boolean {
  const pattern = parseSitePattern(text);
  return pattern !== null && text.length <= 300 && (pattern.group === null || GROUPS.has(pattern.group));
}

/** Whether a pattern that names no shipped list matches a site; `null` means no site. */
export function matchesSite(pattern: SitePattern, site: Site | null): boolean {
  const { scheme, host, port, group } = pattern;
  if (group !== null) return group === PRIVATE_GROUP && site !== null && isPrivateHost(site.host);
  if (scheme === null && host === null && port === null) return true;
  if (site === null) return false;
  if (scheme !== null && scheme !== site.scheme) return false;
  if (port !== null && port !== site.port) return false;
  return host === null || matchesHost(pattern, host, site.host);
}

/** Whether one of these texts is a pattern that {@link matchesSite}. */
export const isAtOne = (texts: readonly string[], site: Site | null): boolean =>
  texts.some((text) => {
    const pattern = parseSitePattern(text);
    return pattern !== null && matchesSite(pattern, site);
  });

function matchesHost({ isBelow, isAlone }: SitePattern, wanted: string, host: string): boolean {
  if (host === wanted) return !isBelow;
  return !isAlone && host.endsWith(`.${wanted}`);
}

/** How narrow a pattern is: more labels of a host are narrower than fewer. */
export function narrowness({ scheme, host, port, isBelow, isAlone, group }: SitePattern): number {
  if (group !== null) return 1;
  const labels = host === null ? 0 : host.split('.').length;
  const name = isAlone ? ALONE : labels * 8 + (isBelow ? 4 : 0);
  return name + (port === null ? 0 : 2) + (scheme === null ? 0 : 1);
}

const plainHost = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');
