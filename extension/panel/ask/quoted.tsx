import type { JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { Sentence } from '../../words/sentence.ts';

/** A longer text needs a box of its own. */
const LONG_TEXT = 300;
/** A longer address may crowd out its host. */
const LONG_URL = 150;
/** Longer hosts are meant to be misread. */
const LONG_HOST = 60;
const PLAIN_NAME = /^[\w.@/-]{1,30}(?: [\w.@/-]{1,20})?$/;

/** A text of an agent or a page. It cannot affect the text around it, and nothing in it is hidden. */
export function Quoted({ text }: { readonly text: string }): JSX.Element {
  const isBlock = text.includes('\n') || text.length > LONG_TEXT;
  return (
    // A long text scrolls in its box, or it would push the text after it out of sight.
    <bdi class={isBlock ? 'quoted block' : 'quoted'} dir="auto" tabIndex={isBlock ? 0 : undefined}>
      {reveal(text).replaceAll('⏎', '⏎\n')}
    </bdi>
  );
}

/** In a box like other texts of agents, unless it is as short and plain as a name. */
export const AgentText = ({ text }: { readonly text: string }): JSX.Element => (
  <span class={PLAIN_NAME.test(text) && !/spillway/i.test(text) ? 'plain-name' : undefined}>
    <Quoted text={text} />
  </span>
);

export const SentenceView = ({ sentence }: { readonly sentence: Sentence }): JSX.Element => (
  <>{sentence.map((part, at) => (typeof part === 'string' ? part : <Quoted key={at} text={part.quote} />))}</>
);

/** An address with its host emphasised. */
export function Address({ url }: { readonly url: string }): JSX.Element {
  const { before, host, after } = partsOf(url);
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

/** Whether a host is so long that its end, which tells its owner, is easily missed. */
export const hasLongHost = (url: string): boolean => partsOf(url).host.length > LONG_HOST;

/** Whether a host has letters of other scripts, which may look like those of another host. */
export const isLookalike = (origin: string): boolean => /^[a-z]+:\/\/(?:[^/]*\.)?xn--/i.test(origin);
