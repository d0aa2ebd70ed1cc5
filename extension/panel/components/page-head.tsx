import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import { Link } from './link.tsx';
import { safeHref, type OpenLink } from './text.ts';

interface Props {
  /** Of the page; null where it is not known. */
  readonly title: string | null;
  readonly url: string | null;
  readonly openLink: OpenLink;
  /** Marks next to the title. */
  readonly children?: ComponentChildren;
}

/** Which page something is about: its title and its address. */
export function PageHead({ title, url, openLink, children }: Props): JSX.Element | null {
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
      {href !== null && <Link href={href} openLink={openLink} />}
      {href === null && url !== null && <bdi class="c-quiet">{reveal(url)}</bdi>}
    </div>
  );
}
