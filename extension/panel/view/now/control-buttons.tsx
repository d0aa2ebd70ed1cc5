import type { JSX } from 'preact';
import type { AgentControl } from '../../feed-protocol.ts';
import type { PanelStrings } from '../../words/strings.ts';

export type Control = (
  agent: Pick<AgentControl, 'name' | 'session'>,
  state: AgentControl['state'] | 'on',
) => void;

interface Props {
  readonly agent: Pick<AgentControl, 'name' | 'session'>;
  /** For whom, in words. */
  readonly who: string;
  /** What was decided about exactly this agent. */
  readonly state: AgentControl['state'] | null;
  readonly strings: PanelStrings;
  readonly control: Control;
}

/** Stops or pauses an agent at once, and lets it continue. Asks no second time: the way back is the same button. */
export function ControlButtons({ agent, who, state, strings, control }: Props): JSX.Element {
  const { now } = strings;
  const texts = agent.name === null ? now.all : now.one;
  return (
    <span class="controls">
      {state === null ? (
        <button
          type="button"
          class="small"
          aria-label={now.pauseOf(who)}
          onClick={() => control(agent, 'paused')}
        >
          {texts.pause}
        </button>
      ) : (
        <button
          type="button"
          class="small on"
          aria-label={state === 'paused' ? now.resumeOf(who) : now.allowAgainOf(who)}
          onClick={() => control(agent, 'on')}
        >
          {state === 'paused' ? texts.resume : texts.allowAgain}
        </button>
      )}
      {state !== 'stopped' && (
        <button
          type="button"
          class="small stop"
          aria-label={now.stopOf(who)}
          onClick={() => control(agent, 'stopped')}
        >
          {texts.stop}
        </button>
      )}
    </span>
  );
}
