import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import { formatAddress, type OpenLink } from './text.ts';

interface Props {
  /** An address that `safeHref` has passed. */
  readonly href: string;
  readonly openLink: OpenLink;
  /** Else the address. */
  readonly children?: ComponentChildren;
}

/** An address that the place itself opens: the document goes nowhere. */
export function Link({ href, openLink, children }: Props): JSX.Element {
  const isAddress = children === undefined;
  const name = isAddress ? 'c-address' : undefined;
  const shown = isAddress ? <bdi>{reveal(formatAddress(href))}</bdi> : children;
  const title = reveal(href);
  if (openLink === null)
    return (
      <span class={name} title={title}>
        {shown}
      </span>
    );
  return (
    <a
      class={name}
      href={href}
      rel="noreferrer"
      title={title}
      onClick={(event) => {
        event.preventDefault();
        openLink(href);
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {shown}
    </a>
  );
}
