/** Names that resolve only on the machine or in its network (RFC 6761, 6762, 8375 and common use). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|corp|home)$/;

/** Ranges of IPv4 that lead nowhere in the public internet (IANA's registry of special addresses). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3'],
];

/**
 * Whether an IP address belongs to the machine itself, its network, or the link: loopback, private,
 * link-local, shared, multicast, reserved. Clouds' metadata services have such addresses.
 * @param address IPv4 or IPv6, with or without brackets; false for anything else
 */
export function isPrivateIp(address: string): boolean {
  const host = usualForm(address.replaceAll(/^\[|\]$|%.*$/g, ''));
  if (host.startsWith('[')) return isPrivateIpv6(groupsOf(host.slice(1, -1)));
  return /^\d+(?:\.\d+){3}$/.test(host) && SPECIAL_IPV4.some((range) => isWithin(host, range));
}

/**
 * Like `URL.parse` of later Nodes. `URL.canParse` would not do: in Node 20, once V8 has compiled its caller,
 * it rejects every host with a letter between U+0080 and U+00FF (`https://bücher.example/`; measured with
 * 20.20, after some 7,000 calls).
 * @returns null if it is not an absolute address, or not one relative to `base`.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** As `URL` writes it: IPv4 in four decimal parts, IPv6 in groups. Empty for anything else. */
const usualForm = (bare: string): string =>
  parseUrl(`http://${bare.includes(':') ? `[${bare}]` : bare}/`)?.hostname ?? '';

const ipv4ToNumber = (ipv4: string): number =>
  ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function isWithin(ipv4: string, range: string): boolean {
  const [base = '', bits] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  return Math.floor(ipv4ToNumber(ipv4) / size) === Math.floor(ipv4ToNumber(base) / size);
}

function groupsOf(ipv6: string): readonly number[] {
  const [head, tail] = ipv6
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  const [first, last] = [head ?? [], tail ?? []];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** The reserved parts of 2000::/3 by their first three groups: from and to. */
const RESERVED_IPV6 = [
  [0x2001_0001_0000, 0x2001_01ff_ffff],
  [0x2001_0db8_0000, 0x2001_0db8_ffff],
  [0x2620_004f_8000, 0x2620_004f_8000],
  [0x3fff_0000_0000, 0x3fff_0fff_ffff],
] as const;

/**
 * An address that contains an IPv4 address is as private as that one. Of the others, the internet uses
 * 2000::/3.
 */
function isPrivateIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = groups;
  const ipv4At = (at: number): string =>
    groups
      .slice(at, at + 2)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  const isNat64 = a === 0x64 && b === 0xff9b && c <= 1;
  if (isMapped || isNat64) return isPrivateIp(ipv4At(6));
  if (a === 0x2002) return isPrivateIp(ipv4At(1));
  const start = (a * 0x1_0000 + b) * 0x1_0000 + c;
  return a < 0x2000 || a > 0x3fff || RESERVED_IPV6.some(([from, to]) => start >= from && start <= to);
}

/**
 * Whether a host name or address, without asking a name server, means the machine itself or its network.
 * @param hostname in URL's form, with addresses in their usual notation
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  return isPrivateIp(host) || PRIVATE_NAME.test(host) || isBareName(host);
}

/** A name without a dot is looked up in the local network. */
const isBareName = (host: string): boolean => /^[^.:[\]]+$/.test(host) && host !== '';
