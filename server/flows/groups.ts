import { getPublicSuffix } from 'tough-cookie';
import { siteOf } from '../../shared/policy/sites.ts';

/**
 * What a site and its subdomains have in common: `example.co.uk` for `https://mail.example.co.uk`. The host of an
 * address, whatever its port; the origin itself where there is no host.
 */
export function groupOf(origin: string): string {
  const site = siteOf(origin);
  if (site === null || site.host === '' || site.scheme === 'upstream') return origin;
  return getPublicSuffix(site.host, { allowSpecialUseDomain: true, ignoreError: true }) ?? site.host;
}
