import type { JSX } from 'preact';
import { Quoted } from '../../approve/view/quoted.tsx';
import type { ShownAgent } from '../protocol.ts';
import type { PanelStrings } from '../words/strings.ts';

interface Props {
  readonly agents: readonly ShownAgent[];
  readonly strings: PanelStrings;
}

/** The agents that are connected, by the names that they give themselves. */
export function Agents({ agents, strings }: Props): JSX.Element {
  return (
    <section aria-labelledby="agents-title">
      <h2 id="agents-title">{strings.agents}</h2>
      {agents.length === 0 ? (
        <p class="quiet">{strings.noAgents}</p>
      ) : (
        <ul class="rows">
          {agents.map(({ name, version, server }, at) => (
            <li key={at}>
              <span class="agent">
                <b>
                  <Quoted text={name} />
                </b>{' '}
                <Quoted text={version} />
              </span>
              <span class="quiet end">{strings.via(server)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
