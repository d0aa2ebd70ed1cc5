import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import { useActions } from './actions.ts';
import { formatAddress, safeHref } from './text.ts';

interface LinkProps {
  /** An address that `safeHref` has passed. */
  readonly href: string;
  /** Else the address. */
  readonly children?: ComponentChildren;
}

/** An address that the place itself opens: the document goes nowhere. */
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

interface PageHeadProps {
  /** Of the page; null where it is not known. */
  readonly title: string | null;
  readonly url: string | null;
  /** Marks next to the title. */
  readonly children?: ComponentChildren;
}

/** Which page something is about: its title and its address. */
export function PageHead({ title, url, children }: PageHeadProps): JSX.Element | null {
  const href = url === null ? null : safeHref(url);
  if (title === null && url === null && children === undefined) return null;
  return (
    <div class="f-page">
      {(title !== null || children !== undefined) && (
        <p class="f-title">
          {title !== null && (
            <b>
              <bdi>{reveal(title)}</bdi>
            </b>
          )}
          {children}
        </p>
      )}
      {href !== null && <Link href={href} />}
      {href === null && url !== null && <bdi class="c-quiet">{reveal(url)}</bdi>}
    </div>
  );
}
