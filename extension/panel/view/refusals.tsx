import type { JSX } from 'preact';
import type { ShownRefusal } from '../protocol.ts';
import type { PanelStrings } from '../words/strings.ts';

interface Props {
  readonly refused: readonly ShownRefusal[];
  readonly strings: PanelStrings;
}

/** The decisions that were not taken, the latest first: a person who made none of them should know. */
export function Refusals({ refused, strings }: Props): JSX.Element | null {
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
