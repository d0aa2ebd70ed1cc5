import type { JSX } from 'preact';
import { reveal, visibleName } from '../../../../shared/policy/reveal.ts';
import type { ActiveSession } from '../../feed/agents-store.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { AgentControl } from '../../feed-protocol.ts';
import type { ShownAgent } from '../../protocol.ts';
import {
  type AgentGroup,
  AgentGroupView,
  type Control,
  ControlButtons,
  controlOf,
  EVERYONE,
} from './agent-group.tsx';
import { useClock } from '../use-clock.ts';
import type { PanelWords } from '../../../words/panel.ts';

interface Props {
  readonly feed: PanelFeed;
  /** The agents that servers say are connected, also those that have not called yet. */
  readonly agents: readonly ShownAgent[];
  readonly strings: PanelWords;
  /** Null where nothing can be changed. */
  readonly control: Control | null;
}

/** Who is connected, what each agent does at the moment, and what stops it. */
export function Now({ feed, agents, strings, control }: Props): JSX.Element {
  const sessions = feed.agents.sessions.value;
  const controls = feed.controls.value;
  const groups = groupsOf(sessions, agents);
  const now = useClock(sessions.some(({ calls }) => calls.length > 0));
  const everyone = controlOf(controls, EVERYONE);
  return (
    <section aria-labelledby="agents-title">
      {feed.isDamaged.value && (
        <p class="notice" role="alert">
          {strings.now.damaged}
        </p>
      )}
      <div class="line title">
        <h2 id="agents-title">{strings.agents}</h2>
        {control !== null && (groups.length > 0 || everyone !== null) && (
          <ControlButtons
            agent={EVERYONE}
            who={strings.now.everyone}
            state={everyone?.state ?? null}
            strings={strings}
            control={control}
          />
        )}
      </div>
      {everyone !== null && (
        <p class={`held ${everyone.state}`}>
          {everyone.state === 'stopped' ? strings.now.allStopped : strings.now.allPaused}
        </p>
      )}
      {groups.length === 0 ? (
        <p class="quiet">
          {strings.noAgents} {strings.nothingDetail}
        </p>
      ) : (
        <ul class="agents">
          {groups.map((group) => (
            <AgentGroupView
              key={group.name}
              group={group}
              controls={controls.filter(({ name }) => name !== null)}
              now={now}
              strings={strings}
              control={control}
            />
          ))}
        </ul>
      )}
      <Absent controls={absentOf(controls, groups)} strings={strings} control={control} />
    </section>
  );
}

interface AbsentProps extends Pick<Props, 'strings' | 'control'> {
  readonly controls: readonly AgentControl[];
}

/** Agents that are stopped or paused and not here: they stay so when they come back. */
function Absent({ controls, strings, control }: AbsentProps): JSX.Element | null {
  if (controls.length === 0) return null;
  return (
    <>
      <h2>{strings.now.absent}</h2>
      <ul class="agents">
        {controls.map((held) => (
          <li class="line" key={`${held.name} ${held.session}`}>
            <span class="quiet">
              {held.session === null
                ? strings.now.everySession(reveal(held.name ?? ''))
                : strings.now.oneSession(reveal(held.name ?? ''), held.session.slice(-4))}
            </span>
            {control !== null && (
              <ControlButtons
                agent={held}
                who={reveal(held.name ?? '')}
                state={held.state}
                strings={strings}
                control={(agent, state) => control({ name: agent.name, session: agent.session }, state)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * By what a person sees of their names, in alphabetical order: rows do not move while agents work. The name is shown as
 * the agent gives it, where that is known.
 */
function groupsOf(sessions: readonly ActiveSession[], agents: readonly ShownAgent[]): readonly AgentGroup[] {
  const groups = new Map<string, (ActiveSession | ShownAgent)[]>();
  for (const agent of [...agents, ...sessions]) {
    const name = visibleName(agent.name);
    groups.set(name, [...(groups.get(name) ?? []), agent]);
  }
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([visible, found]) => ({
      name: found[0]?.name ?? visible,
      versions: [...new Set(found.flatMap(({ version }) => (version ? [version] : [])))],
      sessions: sessions.filter(({ name }) => visibleName(name) === visible),
    }));
}

function absentOf(controls: readonly AgentControl[], groups: readonly AgentGroup[]): readonly AgentControl[] {
  const names = new Set(groups.map(({ name }) => visibleName(name)));
  const sessions = new Set(groups.flatMap((group) => group.sessions.map(({ session }) => session)));
  return controls.filter(({ name, session }) =>
    session === null ? name !== null && !names.has(visibleName(name)) : !sessions.has(session),
  );
}
