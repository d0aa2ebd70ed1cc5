import type { JSX } from 'preact';
import { Quoted } from '../../../approve/view/quoted.tsx';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { ActiveSession } from '../../feed/agents-store.ts';
import type { AgentControl } from '../../feed-protocol.ts';
import { formatShortTime } from '../../../words/format.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { ActiveCallRow } from './active-call.tsx';
import { ControlButtons, type Control } from './control-buttons.tsx';
import { controlOf, heldBy } from './held.ts';

/** The sessions of agents that give themselves the same name. */
export interface AgentGroup {
  readonly name: string;
  readonly versions: readonly string[];
  /** None has called yet where there are none. */
  readonly sessions: readonly ActiveSession[];
}

interface Props {
  readonly group: AgentGroup;
  readonly controls: readonly AgentControl[];
  readonly now: number;
  readonly strings: PanelStrings;
  /** Null where nothing can be changed. */
  readonly control: Control | null;
}

/** An agent by its name, with what each of its sessions does. */
export function AgentGroupView({ group, controls, now, strings, control }: Props): JSX.Element {
  const { name, versions, sessions } = group;
  const every = { name, session: null };
  const who = strings.now.everySession(reveal(name));
  return (
    <li class="agent-group">
      <div class="line">
        <span class="agent">
          <b>
            <Quoted text={name} />
          </b>{' '}
          <span class="quiet">{versions.map((version) => reveal(version)).join(', ')}</span>
        </span>
        {control !== null && (
          <ControlButtons
            agent={every}
            who={who}
            state={controlOf(controls, every)?.state ?? null}
            strings={strings}
            control={control}
          />
        )}
      </div>
      <HeldNote held={heldBy(controls, every)} strings={strings} />
      {sessions.length === 0 && <p class="quiet">{strings.now.notYet}</p>}
      <ul class="sessions">
        {sessions.map((session) => (
          <Session
            key={session.session}
            session={session}
            isOnly={sessions.length === 1}
            controls={controls}
            now={now}
            strings={strings}
            control={control}
          />
        ))}
      </ul>
    </li>
  );
}

interface SessionProps extends Omit<Props, 'group'> {
  readonly session: ActiveSession;
  /** The agent has no other session: what is said of all holds for it, and it needs no buttons of its own. */
  readonly isOnly: boolean;
}

function Session({ session, isOnly, controls, now, strings, control }: SessionProps): JSX.Element {
  const agent = { name: session.name, session: session.session };
  const own = controlOf(controls, agent);
  return (
    <li>
      <div class="line">
        <span class="quiet">
          {strings.now.session(session.session.slice(-4))}
          {session.site !== null && (
            <>
              {' · '}
              <bdi>{reveal(session.site)}</bdi>
            </>
          )}
          {session.tab !== null && ` · ${strings.now.tab(reveal(session.tab))}`}
          {session.calls.length === 0 && ` · ${strings.now.idleSince(formatShortTime(session.lastAt))}`}
        </span>
        {control !== null && (!isOnly || own !== null) && (
          <ControlButtons
            agent={agent}
            who={strings.now.oneSession(reveal(session.name), session.session.slice(-4))}
            state={own?.state ?? null}
            strings={strings}
            control={control}
          />
        )}
      </div>
      <HeldNote held={own} strings={strings} />
      {session.calls.length > 0 && (
        <ul class="calls">
          {session.calls.map((call) => (
            <ActiveCallRow key={call.id} call={call} now={now} strings={strings} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** That a person has stopped or paused the agent, and when. */
function HeldNote({
  held,
  strings,
}: {
  readonly held: AgentControl | null;
  readonly strings: PanelStrings;
}): JSX.Element | null {
  if (held === null) return null;
  return (
    <p class={`held ${held.state}`}>
      {(held.state === 'stopped' ? strings.now.stoppedAt : strings.now.pausedAt)(formatShortTime(held.at))}
    </p>
  );
}
