import type { JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { Sentence } from '../words/sentence.ts';

/** A text of an agent or a page. It cannot reach into the text around it, and nothing in it is hidden. */
export const Quoted = ({ text }: { readonly text: string }): JSX.Element => (
  <bdi class={text.includes('\n') ? 'quoted block' : 'quoted'} dir="auto">
    {reveal(text).replaceAll('⏎', '⏎\n')}
  </bdi>
);

export const SentenceView = ({ sentence }: { readonly sentence: Sentence }): JSX.Element => (
  <>{sentence.map((part, at) => (typeof part === 'string' ? part : <Quoted key={at} text={part.quote} />))}</>
);

/** An address, in which the host is what one sees first. */
export function Address({ url }: { readonly url: string }): JSX.Element {
  const { before, host, after } = partsOf(url);
  return (
    <bdi class="address" dir="ltr">
      {reveal(before)}
      <b>{reveal(host)}</b>
      {reveal(after)}
    </bdi>
  );
}

function partsOf(url: string): { readonly before: string; readonly host: string; readonly after: string } {
  try {
    const { protocol, host, pathname, search, hash } = new URL(url);
    if (host === '') return { before: url, host: '', after: '' };
    // An origin is an address without a path.
    const path = pathname === '/' && url.endsWith(host) ? '' : pathname;
    return { before: `${protocol}//`, host, after: `${path}${search}${hash}` };
  } catch {
    return { before: url, host: '', after: '' };
  }
}

/** Whether a host has letters of other scripts, which may look like those of another host. */
export const isLookalike = (origin: string): boolean => /^[a-z]+:\/\/(?:[^/]*\.)?xn--/i.test(origin);
