import { getPublicSuffix } from 'tough-cookie';
import { siteOf } from '../../shared/core/policy/sites.ts';

/**
 * The part of an origin that a site shares with its subdomains: `example.co.uk` for `https://mail.example.co.uk`. For an
 * IP address, the address without its port; without a host, the origin itself.
 */
export function groupOf(origin: string): string {
  const site = siteOf(origin);
  if (site === null || site.host === '' || site.scheme === 'upstream') return origin;
  return getPublicSuffix(site.host, { allowSpecialUseDomain: true, ignoreError: true }) ?? site.host;
}
