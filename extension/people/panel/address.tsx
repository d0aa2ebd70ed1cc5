import { reveal } from '../../../shared/core/policy/reveal.ts';

/** A longer address may crowd out its host. */
const LONG_URL = 150;
/** Longer hosts are meant to be misread. */
const LONG_HOST = 60;

/** An address with its host emphasised. */
export function Address({ url }: { readonly url: string }) {
  const { before, host, after } = splitUrl(url);
  return (
    <bdi class={url.length > LONG_URL ? 'address long' : 'address'} dir="ltr">
      <span>
        {reveal(before)}
        <b>{reveal(host)}</b>
      </span>
      <span class="rest" tabIndex={url.length > LONG_URL ? 0 : undefined}>
        {reveal(after)}
      </span>
    </bdi>
  );
}

function splitUrl(url: string): { readonly before: string; readonly host: string; readonly after: string } {
  const { protocol, host, pathname, search, hash } = new URL(URL.canParse(url) ? url : 'about:blank');
  if (host === '') return { before: url, host: '', after: '' };
  // An origin is an address without a path.
  const path = pathname === '/' && url.endsWith(host) ? '' : pathname;
  return { before: `${protocol}//`, host, after: `${path}${search}${hash}` };
}

/** Whether a host is so long that its end, which tells its owner, is easily missed. */
export const hasLongHost = (url: string): boolean => splitUrl(url).host.length > LONG_HOST;

/** Whether a host has letters of other scripts, which may look like those of another host. */
export const isLookalike = (url: string): boolean => /(?:^|\.)xn--/.test(splitUrl(url).host);

/** The address of a page on a card, or its site if the address names no host: `about:blank`. */
export const shownAddress = ({ url, origin }: { readonly url: string; readonly origin: string }): string =>
  splitUrl(url).host === '' && splitUrl(origin).host !== '' ? origin : url;
