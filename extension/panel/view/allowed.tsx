import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Address, Quoted } from '../ask/quoted.tsx';
import { reveal } from '../../../shared/policy/reveal.ts';
import { formatList, formatShortTime } from '../../words/format.ts';
import type { ShownGrant, ShownRefusal } from '../protocol.ts';
import type { PanelWords } from '../../words/panel.ts';

interface GrantsProps {
  readonly grants: readonly ShownGrant[];
  readonly strings: PanelWords;
  /** Null where nothing can be changed. */
  readonly onRevoke: ((grant: string) => void) | null;
}

/** What agents may do because a person has said yes, each with its end. */
export function Grants({ grants, strings, onRevoke }: GrantsProps): JSX.Element {
  const now = useNow();
  const title = useRef<HTMLHeadingElement>(null);
  const good = grants.filter(({ expiresAt }) => expiresAt === null || now < expiresAt);
  return (
    <section aria-labelledby="grants-title">
      <h2 id="grants-title" ref={title} tabIndex={-1}>
        {strings.grants}
      </h2>
      {good.length === 0 ? (
        <p class="quiet">{strings.noGrants}</p>
      ) : (
        <ul class="rows">
          {good.map((grant) => (
            <li key={grant.id}>
              <GrantText grant={grant} strings={strings} />
              {onRevoke !== null && (
                <button
                  type="button"
                  class="end"
                  aria-label={strings.revokeOf(reveal(grant.agent), siteOf(grant, strings))}
                  onClick={() => {
                    onRevoke(grant.id);
                    // The button goes with its row, and the focus would be lost.
                    title.current?.focus();
                  }}
                >
                  {strings.revoke}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const siteOf = ({ origin }: ShownGrant, { noSite }: PanelWords): string =>
  origin === 'null' || origin === '' ? noSite : reveal(origin);

function GrantText({
  grant,
  strings,
}: Pick<GrantsProps, 'strings'> & { readonly grant: ShownGrant }): JSX.Element {
  const { agent, origin, risks, scope, expiresAt } = grant;
  return (
    <div>
      <p class="agent">
        <b>
          <Quoted text={agent} />
        </b>
      </p>
      {origin === 'null' || origin === '' ? strings.noSite : <Address url={origin} />}
      <p class="quiet">
        {formatList(risks.map((risk) => strings.kinds[risk]))}, {strings.scopes[scope]}
        {expiresAt !== null && `, ${strings.until(formatShortTime(expiresAt))}`}
      </p>
    </div>
  );
}

/** The time, often enough to leave out what has expired. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface RefusalsProps {
  readonly refused: readonly ShownRefusal[];
  readonly strings: PanelWords;
}

/** The decisions that were not taken, the latest first: a person who made none of them should know. */
export function Refusals({ refused, strings }: RefusalsProps): JSX.Element | null {
  if (refused.length === 0) return null;
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
  return (
    <section aria-labelledby="refused-title">
      <h2 id="refused-title">{strings.refusals}</h2>
      <ul class="rows">
        {refused.map(({ at, reason }, index) => (
          <li key={index}>
            <span>{strings.refused[reason]}</span>
            <time class="quiet end" dateTime={new Date(at).toISOString()}>
              {time.format(at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
