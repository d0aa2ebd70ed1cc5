import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import { useActions } from './kit.tsx';
import { formatAddress } from './text.ts';

type LinkProps = { readonly href: string; readonly children?: ComponentChildren };

/**
 * A link that the place itself opens: the document does not navigate.
 * @param href an address that `safeHref` has accepted; shown if there is nothing else
 */
export function Link({ href, children }: LinkProps): JSX.Element {
  const { openLink } = useActions();
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
