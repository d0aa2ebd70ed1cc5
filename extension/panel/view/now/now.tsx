import { usePanel, usePanelWords } from '../panel-context.ts';
import type { JSX } from 'preact';
import { reveal, visibleName } from '../../../../shared/policy/reveal.ts';
import type { ActiveSession } from '../../feed/agents-store.ts';
import type { AgentControl } from '../../../ports/feed.ts';
import type { ShownAgent } from '../../protocol.ts';
import { type AgentGroup, AgentGroupView, ControlButtons, controlOf, EVERYONE } from './agent-group.tsx';
import { later } from '../later.tsx';
import { useClock } from '../../components/use-clock.ts';

/** Only with an agent, next to the page. */
const PickPart = later(async () => (await import('./pick.tsx')).PickPart);
const RecordPart = later(async () => (await import('./record.tsx')).RecordPart);

/** Who is connected, what each agent is doing, and what holds it up. */
export function Now(): JSX.Element {
  const { feed, state } = usePanel();
  const strings = usePanelWords();
  const sessions = feed.agents.sessions.value;
  const controls = feed.controls.value;
  const groups = groupsOf(sessions, state.agents);
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
        {(groups.length > 0 || everyone !== null) && (
          <ControlButtons agent={EVERYONE} who={strings.now.everyone} state={everyone?.state ?? null} />
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
            />
          ))}
        </ul>
      )}
      {state.isPanel && <Shown hasAgent={sessions.length > 0} />}
      <Absent controls={absentOf(controls, groups)} />
    </section>
  );
}

/** The person shows an agent something. Pointing would be recorded. */
function Shown({ hasAgent }: { readonly hasAgent: boolean }): JSX.Element {
  const { recording } = usePanel().state;
  return (
    <>
      {hasAgent && recording?.step !== 'recording' && <PickPart />}
      {(hasAgent || recording !== null) && <RecordPart />}
    </>
  );
}

/** Stopped or paused agents that are not connected: they stay so when they return. */
function Absent({ controls }: { readonly controls: readonly AgentControl[] }): JSX.Element | null {
  const strings = usePanelWords();
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
            <ControlButtons agent={held} who={reveal(held.name ?? '')} state={held.state} />
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * In alphabetical order of the displayed names: rows do not move while agents work. The name is shown as the agent
 * gives it, if known.
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
