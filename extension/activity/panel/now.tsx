import { usePanel, usePanelWords, later } from '../../ui/frame/panel-context.tsx';
import { reveal, visibleName } from '../../../shared/core/policy/reveal.ts';
import type { ActiveSession } from '../../ui/frame/agents-store.ts';
import type { AgentControl } from '../../ui/frame/feed-port.ts';
import { Button, theirs } from '../../ui/kit.tsx';
import { useClock } from '../../ui/use-clock.ts';
import { sessionMark, sessionName } from '../../ui/text.ts';
import { Quoted } from '../../ui/quoted.tsx';
import type { ShownCall } from '../../ui/frame/lines.ts';
import { formatElapsed, formatNumber, formatShortTime } from '../../ui/words/format.ts';
import type { PanelWords } from '../../ui/words/en/panel.ts';
import { CallInspector, CallProgress } from '../../ui/frame/call-face.tsx';
import { LentTabs } from '../../tabs/panel/lent.tsx';

/** Only with an agent, next to the page. */
const PickPart = later(async () => (await import('../../point/panel/show.tsx')).PickPart);
const RecordPart = later(async () => (await import('../../point/panel/show.tsx')).RecordPart);

/** Who is connected, what each agent is doing, and what holds it up. */
export function Now() {
  const { feed, state, strings } = usePanel();
  const sessions = feed.agents.sessions.value;
  const controls = feed.controls.value;
  const agents = state.own.servers.flatMap(({ clients }) => clients);
  const groups = groupsOf(sessions, agents);
  const everyone = controlOf(controls, EVERYONE);
  const absent = absentOf(controls, groups);
  const hasAgent = sessions.length > 0;
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
          <ControlButtons agent={EVERYONE} who={strings.now.everyone} held={everyone} />
        )}
      </div>
      <HeldNote held={everyone} />
      {groups.length === 0 ? (
        <p class="quiet">
          {strings.noAgents} {strings.nothingDetail}
        </p>
      ) : (
        <ul class="agents">
          {groups.map((group) => (
            <AgentGroupView key={group.name} group={group} />
          ))}
        </ul>
      )}
      <LentTabs />
      {/* The person shows an agent something. Pointing would be recorded, so its part comes back after that, below. */}
      {state.isPanel && (hasAgent || state.recording !== null) && <RecordPart />}
      {state.isPanel && hasAgent && state.recording?.step !== 'recording' && <PickPart />}
      {/* Stopped or paused agents that are not connected: they stay so when they return. */}
      {absent.length > 0 && (
        <>
          <h2>{strings.now.absent}</h2>
          <ul class="agents">
            {absent.map((held) => (
              <li class="line" key={`${held.name} ${held.session}`}>
                <span class="quiet">{whoOf(held, strings)}</span>
                <ControlButtons agent={held} who={reveal(held.name ?? '')} held={held} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/**
 * The sessions of agents with the same self-reported name; none if it has not called yet. In alphabetical order of the
 * displayed names: rows do not move while agents work. The name is shown as the agent gives it, if known.
 */
function groupsOf(sessions: readonly ActiveSession[], agents: readonly NamedSession[]) {
  const all = [...agents, ...sessions];
  const names = new Set(all.map(({ name }) => visibleName(name)));
  return [...names]
    .toSorted((a, b) => a.localeCompare(b))
    .map((visible) => {
      const found = all.filter(({ name }) => visibleName(name) === visible);
      return {
        name: found[0]?.name ?? visible,
        versions: [...new Set(found.flatMap(({ version }) => version || []))],
        sessions: sessions.filter(({ name }) => visibleName(name) === visible),
      };
    });
}

function absentOf(controls: readonly AgentControl[], groups: readonly AgentGroup[]): readonly AgentControl[] {
  const names = new Set(groups.map(({ name }) => visibleName(name)));
  const sessions = new Set(groups.flatMap((group) => group.sessions.map(({ session }) => session)));
  return controls.filter(({ name, session }) =>
    session === null ? name !== null && !names.has(visibleName(name)) : !sessions.has(session),
  );
}

type NamedSession = Pick<ActiveSession, 'name' | 'version'>;
type AgentGroup = ReturnType<typeof groupsOf>[number];

/** An agent by its name, with the activity of each session. */
function AgentGroupView({ group }: { readonly group: AgentGroup }) {
  const { feed, strings } = usePanel();
  const { name, versions, sessions } = group;
  const every = { name, session: null };
  const held = controlOf(feed.controls.value, every);
  return (
    <li class="agent-group">
      <div class="line">
        <span class="agent">
          <b>
            <Quoted text={name} />
          </b>{' '}
          <span class="quiet">{versions.map((version) => reveal(version)).join(', ')}</span>
        </span>
        <ControlButtons agent={every} who={whoOf(every, strings)} held={held} />
      </div>
      <HeldNote held={held} />
      {sessions.length === 0 && <p class="quiet">{strings.now.notYet}</p>}
      <ul class="sessions">
        {sessions.map((session) => (
          <Session key={session.session} session={session} isOnly={sessions.length === 1} />
        ))}
      </ul>
    </li>
  );
}

/** `isOnly`: the agent's own status and buttons apply to its only session. */
type SessionProps = { readonly session: ActiveSession; readonly isOnly: boolean };

function Session({ session, isOnly }: SessionProps) {
  const agent = { name: session.name, session: session.session };
  const { feed, state, strings } = usePanel();
  const own = controlOf(feed.controls.value, agent);
  return (
    <li>
      <div class="line">
        <span class="quiet">
          {strings.now.session({ id: sessionMark(session.session) })}
          {session.site !== null && [' · ', theirs(session.site)]}
          {session.tab !== null && ` · ${strings.now.tab({ tab: reveal(session.tab) })}`}
          {session.calls.length === 0 &&
            ` · ${strings.now.idleSince({ time: formatShortTime(session.lastAt) })}`}
        </span>
        {(!isOnly || own !== null) && <ControlButtons agent={agent} who={whoOf(agent, strings)} held={own} />}
      </div>
      <HeldNote held={own} />
      {state.held
        .filter((held) => held.session === session.session)
        .map(({ tool, title, parts }) => (
          <p class="quiet" key={`${tool} ${title}`}>
            {strings.now[tool]}: {theirs(title)} · {theirs(parts.join(' · '))}
          </p>
        ))}
      {session.calls.length > 0 && (
        <ul class="calls">
          {session.calls.map((call) => (
            <ActiveCallRow key={call.callId} call={call} />
          ))}
        </ul>
      )}
    </li>
  );
}

function HeldNote({ held }: { readonly held: AgentControl | null }) {
  const { now } = usePanelWords();
  if (held === null) return null;
  const time = formatShortTime(held.at);
  const texts =
    held.name === null
      ? { stopped: now.allStopped, paused: now.allPaused }
      : { stopped: now.stoppedAt({ time }), paused: now.pausedAt({ time }) };
  return <p class={`held ${held.state}`}>{texts[held.state]}</p>;
}

function ActiveCallRow({ call }: { readonly call: ShownCall }) {
  const now = useClock(true);
  const strings = usePanelWords();
  const { progress } = call;
  return (
    <li class="active-call">
      <div class="line">
        <span class="what">
          <CallInspector call={call} />
        </span>
        <span class="quiet end">{formatElapsed(now - call.at)}</span>
      </div>
      {progress !== null && (
        <div class="line quiet">
          <CallProgress call={call} />
          <span>
            {progress.total === null
              ? formatNumber(progress.done)
              : strings.now.of({ done: formatNumber(progress.done), total: formatNumber(progress.total) })}
          </span>
          {progress.message !== null && <bdi class="subject">{reveal(progress.message)}</bdi>}
        </div>
      )}
    </li>
  );
}

interface ControlButtonsProps {
  readonly agent: Agent;
  /** Whom the buttons affect, in words. */
  readonly who: string;
  readonly held: AgentControl | null;
}

/** Stops, pauses or resumes an agent at once. Without a confirmation, since the same button undoes it. */
function ControlButtons({ agent: { name, session }, who, held }: ControlButtonsProps) {
  const panel = usePanel();
  const { now } = usePanelWords();
  const texts = name === null ? now.all : now.one;
  if (!panel.state.isPanel) return null;
  const state = held?.state ?? null;
  const set = (wanted: 'stopped' | 'paused' | 'on'): void =>
    panel.feed.client.control({ agent: { name, session }, state: wanted });
  const [label, text] =
    state === null
      ? [now.pauseOf({ who }), texts.pause]
      : state === 'paused'
        ? [now.resumeOf({ who }), texts.resume]
        : [now.allowAgainOf({ who }), texts.allowAgain];
  return (
    <span class="controls cluster">
      <Button
        kind={state === null ? '' : 'on'}
        aria-label={label}
        onClick={() => set(state === null ? 'paused' : 'on')}
      >
        {text}
      </Button>
      {state !== 'stopped' && (
        <Button kind="stop" aria-label={now.stopOf({ who })} onClick={() => set('stopped')}>
          {texts.stop}
        </Button>
      )}
    </span>
  );
}

type Agent = Pick<AgentControl, 'name' | 'session'>;

const EVERYONE: Agent = { name: null, session: null };

const whoOf = ({ name, session }: Agent, { now }: PanelWords): string =>
  session === null
    ? now.everySession({ name: reveal(name ?? '') })
    : sessionName(reveal(name ?? ''), session);

const isSameName = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : visibleName(a) === visibleName(b);

/** The strictest control of a session, a name, or everyone. */
function controlOf(controls: readonly AgentControl[], { name, session }: Agent): AgentControl | null {
  const found = controls.filter((control) =>
    session === null
      ? control.session === null && isSameName(control.name, name)
      : control.session === session,
  );
  return found.find(({ state }) => state === 'stopped') ?? found[0] ?? null;
}
