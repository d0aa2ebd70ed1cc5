import { usePanel } from '../../ui/frame/panel-context.tsx';
import { useRef } from 'preact/hooks';
import { useClock } from '../../ui/use-clock.ts';
import { Address } from './address.tsx';
import { Quoted } from '../../ui/quoted.tsx';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatList, formatShortTime, formatTime } from '../../ui/words/format.ts';

export function Allowed() {
  const { onRules, state, strings } = usePanel();
  return (
    <>
      <Grants />
      <button type="button" class="plain" onClick={onRules}>
        {strings.rules}
      </button>
      {/* The latest first: a person who made none of them should know. */}
      {state.refused.length > 0 && (
        <section aria-labelledby="refused-title">
          <h2 id="refused-title">{strings.refusals}</h2>
          <ul class="rows divided">
            {state.refused.map(({ at, reason }, index) => (
              <li key={index} class="line">
                <span>{strings.refused[reason]}</span>
                <time class="quiet end" dateTime={new Date(at).toISOString()}>
                  {formatTime(at)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Grants() {
  const { state, request, strings } = usePanel();
  const now = useClock(true);
  const title = useRef<HTMLHeadingElement>(null);
  const good = state.grants.filter(({ expires_at: end }) => end === null || now < end);
  const revoke = (grant: string): void => {
    request({ type: 'revoke', grant });
    // The button disappears with its row, and would lose the focus.
    title.current?.focus();
  };
  return (
    <section aria-labelledby="grants-title">
      <h2 id="grants-title" ref={title} tabIndex={-1}>
        {strings.grants}
      </h2>
      {good.length === 0 ? (
        <p class="quiet">{strings.noGrants}</p>
      ) : (
        <ul class="rows divided">
          {good.map(({ id, agent, origin, risks, scope, expires_at: end }) => {
            const hasSite = origin !== 'null' && origin !== '';
            return (
              <li key={id} class="line">
                <div>
                  <p class="agent">
                    <b>
                      <Quoted text={agent} />
                    </b>
                  </p>
                  {hasSite ? <Address url={origin} /> : strings.noSite}
                  <p class="quiet">
                    {formatList(risks.map((risk) => strings.risks[risk]))}, {strings.scopes[scope]}
                    {end !== null && `, ${strings.until({ time: formatShortTime(end) })}`}
                  </p>
                </div>
                {state.isPanel && (
                  <button
                    type="button"
                    class="end"
                    aria-label={strings.revokeOf({
                      agent: reveal(agent),
                      site: hasSite ? reveal(origin) : strings.noSite,
                    })}
                    onClick={() => revoke(id)}
                  >
                    {strings.revoke}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
