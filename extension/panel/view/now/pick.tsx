import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { wordOf } from '../../components/call-line.tsx';
import { Button, Problem, theirs } from '../../components/kit.tsx';
import { Select } from '../../components/select.tsx';
import type { ActiveSession } from '../../feed/agents-store.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { ShownPick } from '../../protocol.ts';
import { pickTexts } from '../../../words/en/record.ts';
import { useTexts } from '../../../words/use-texts.ts';
import { usePanel, usePanelWords } from '../panel-context.tsx';

const SAID_UNITS = 1_000;

/** A person points at an element of the page, and sends it to an agent. */
export function PickPart() {
  const { state, request } = usePanel();
  const words = useTexts(pickTexts);
  const { pick } = state;
  const isPointing = pick?.step === 'pointing';
  useEffect(() => {
    if (!isPointing) return undefined;
    const stop = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') request({ type: 'pick', act: 'stop' });
    };
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, [isPointing]);
  return (
    <section class="pick" aria-label={words.start}>
      <div role="status">
        {isPointing && <p>{words.pointing}</p>}
        {pick?.step === 'sent' && <p>{words.sent(reveal(pick.agent))}</p>}
      </div>
      {pick?.step === 'failed' && <Problem>{wordsOf(words.problems, pick.problem)}</Problem>}
      {pick?.step === 'picked' && <PickedForm pick={pick} />}
      {isPointing ? (
        <Button onClick={() => request({ type: 'pick', act: 'stop' })}>{words.cancel}</Button>
      ) : (
        pick?.step !== 'picked' && (
          <Button title={words.about} onClick={() => request({ type: 'pick', act: 'start' })}>
            {pick === null ? words.start : words.again}
          </Button>
        )
      )}
    </section>
  );
}

function PickedForm({ pick }: { readonly pick: Extract<ShownPick, { step: 'picked' }> }) {
  const { request, feed } = usePanel();
  const words = useTexts(pickTexts);
  const [said, setSaid] = useState('');
  const [chosen, setChosen] = useState('');
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const sessions = newestFirst(feed);
  const to = sessions.find(({ session }) => session === chosen) ?? sessions[0];
  const send = (event: Event): void => {
    event.preventDefault();
    if (to === undefined) return;
    const { server, session, name: agent } = to;
    request({ type: 'pick_send', server, session, agent, said: said.trim() });
  };
  return (
    <form onSubmit={send}>
      {pick.picture !== null && <img class="c-picture" src={pick.picture} alt="" />}
      <p>{theirs(pick.line)}</p>
      <label for={id}>{words.say}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={SAID_UNITS}
        value={said}
        ref={field}
        onInput={({ currentTarget }) => setSaid(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && !event.isComposing && send(event)}
      />
      <AgentChoice label={words.agent} of="session" to={to} sessions={sessions} onChange={setChosen} />
      {pick.problem !== null && <Problem>{wordsOf(words.problems, pick.problem)}</Problem>}
      <span class="controls">
        <button type="submit" class="c-button on">
          {words.send(reveal(to?.name ?? ''))}
        </button>
        <Button onClick={() => request({ type: 'pick', act: 'start' })}>{words.again}</Button>
        <Button onClick={() => request({ type: 'pick', act: 'stop' })}>{words.cancel}</Button>
      </span>
    </form>
  );
}

export const newestFirst = ({ agents }: PanelFeed): readonly ActiveSession[] =>
  agents.sessions.value.toSorted((a, b) => b.lastAt - a.lastAt);

interface AgentChoiceProps {
  readonly label: string;
  /** The option of an agent: its session, or its server. */
  readonly of: 'session' | 'server';
  readonly to: ActiveSession | undefined;
  readonly sessions: readonly ActiveSession[];
  readonly onChange: (chosen: string) => void;
}

/** To whom it goes, if there are several. */
export function AgentChoice({ label, of, to, sessions, onChange }: AgentChoiceProps) {
  const { now } = usePanelWords();
  if (sessions.length < 2) return null;
  return (
    <Select
      aria-label={label}
      value={to?.[of]}
      options={sessions.map((one) => [one[of], now.oneSession(reveal(one.name), one.session.slice(-4))])}
      onChange={onChange}
    />
  );
}

/** In a person's words, by the code of an error. */
export const wordsOf = (problems: { readonly other: string }, code: string): string =>
  wordOf(problems, code) ?? problems.other;
