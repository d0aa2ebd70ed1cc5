import ipaddr from 'ipaddr.js';

/** Names that resolve on the machine or in its network alone (RFC 6761, 6762, 8375 and common use). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|corp|home)$/;

/** Ranges that lead to the public internet. IPv6 addresses that hold an IPv4 one are as private as that. */
const PUBLIC_RANGES = new Set(['unicast', '6to4', 'teredo', 'rfc6052']);

/**
 * Whether an IP address is one of the machine itself, of its network, or of the link: loopback, private,
 * link-local, shared, multicast, reserved. Metadata services of clouds are at such addresses.
 *
 * @param address IPv4 or IPv6, with or without brackets; false for anything else
 */
export function isPrivateIp(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return false;
  const ip = ipaddr.process(bare);
  const inner = embeddedIpv4(ip);
  return inner === null ? !PUBLIC_RANGES.has(ip.range()) : isPrivateIp(inner);
}

/** The IPv4 address in one of NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function embeddedIpv4(ip: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  if (!(ip instanceof ipaddr.IPv6)) return null;
  const bytes = ip.toByteArray();
  const at = { rfc6052: 12, '6to4': 2 }[ip.range() as string];
  return at === undefined ? null : bytes.slice(at, at + 4).join('.');
}

/**
 * Whether a host name or address is, without asking a name server, the machine itself or in its network.
 *
 * @param hostname as `URL` has it: addresses in their usual form
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  return isPrivateIp(host) || PRIVATE_NAME.test(host) || isBareName(host);
}

/** A name without a dot is looked up in the local network. */
const isBareName = (host: string): boolean => /^[^.:[\]]+$/.test(host) && host !== '';
