import { cutUrl } from '../../../shared/cut.ts';

/** Of an address, what is looked at. */
const LOOKED_AT = 1_024;
/** Nested addresses too, save those that are percent-encoded. */
const USERINFO = /(:[\\/]{2})[^\s\\/?#]*@/g;
const AT_IN_AUTHORITY = /[\\/]{2}[^]*@/;
/** Represents the page's own address; it has a scheme that no page has, so `https:user@host` is not relative. */
const SOME_BASE = 'ftp://page.invalid';

/** An address without the name and password of its authority; as it is written where it has none. */
function withoutUserinfo(address: string): string {
  if (!address.includes('@')) return address;
  if (!URL.canParse(address, SOME_BASE)) return AT_IN_AUTHORITY.test(address) ? '…' : address;
  const url = new URL(address, SOME_BASE);
  if (url.username === '' && url.password === '') return address.replace(USERINFO, '$1');
  url.username = '';
  url.password = '';
  return url.href.replace(/^ftp:/, '').replace(USERINFO, '$1');
}

/**
 * Cuts an address of a page's source: names and passwords before a host never stay, neither in one
 * that is short.
 */
export function cutAddress(value: string, mostUnits: number): string {
  // Inline content can be megabytes long; what is beyond is cut in any case.
  const address = withoutUserinfo(value.slice(0, LOOKED_AT));
  return cutUrl(address, mostUnits, value.length > LOOKED_AT);
}
