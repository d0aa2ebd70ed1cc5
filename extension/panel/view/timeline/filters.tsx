import { usePanelWords } from '../panel-context.ts';
import type { JSX } from 'preact';
import type { JournalFilter } from '../../../../shared/bridge/feed.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { isFiltered } from '../../feed/lines.ts';
import { Choice } from '../lists.tsx';
import { useToolTitle } from '../call-inspector.tsx';

interface Props {
  readonly filter: JournalFilter;
  /** What has been seen so far, to choose from. */
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  /** Each with what it is called. */
  readonly sessions: readonly (readonly [string, string])[];
  readonly onFilter: (filter: JournalFilter) => void;
  /** Saves all calls of a session as one file. */
  readonly onExport: (session: string) => void;
}

const OUTCOMES = ['ok', 'failed', 'pending'] as const;

/** Chooses what the timeline shows. */
export function Filters({ filter, agents, tools, sessions, onFilter, onExport }: Props): JSX.Element {
  const strings = usePanelWords();
  const { timeline } = strings;
  const titleOf = useToolTitle();
  const { session } = filter;
  return (
    <form class="filters" aria-label={timeline.filters} onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={timeline.agent}
        all={timeline.allAgents}
        value={filter.agent ?? ''}
        options={agents.map((agent) => [agent, reveal(agent)])}
        onChange={(agent) => onFilter({ ...filter, agent: agent === '' ? undefined : agent })}
      />
      <Choice
        label={timeline.tool}
        all={timeline.allTools}
        value={filter.tool ?? ''}
        options={tools.map((tool) => [tool, titleOf(tool)])}
        onChange={(tool) => onFilter({ ...filter, tool: tool === '' ? undefined : tool })}
      />
      <Choice
        label={timeline.outcome}
        all={timeline.allOutcomes}
        value={filter.outcome ?? ''}
        options={OUTCOMES.map((outcome) => [outcome, timeline.outcomes[outcome]])}
        onChange={(outcome) => onFilter({ ...filter, outcome: OUTCOMES.find((known) => known === outcome) })}
      />
      <Choice
        label={timeline.session}
        all={timeline.allSessions}
        value={session ?? ''}
        options={sessions.map(([id, name]) => [id, reveal(name)])}
        onChange={(id) => onFilter({ ...filter, session: id === '' ? undefined : id })}
      />
      {session !== undefined && (
        <button type="button" class="small" onClick={() => onExport(session)}>
          {timeline.exportSession}
        </button>
      )}
      <input
        type="search"
        aria-label={timeline.site}
        placeholder={timeline.site}
        value={filter.site ?? ''}
        onChange={({ currentTarget }) => {
          const site = currentTarget.value.trim().toLowerCase();
          onFilter({ ...filter, site: site === '' ? undefined : site });
        }}
      />
      {isFiltered(filter) && (
        <button type="button" class="small" onClick={() => onFilter({})}>
          {timeline.clear}
        </button>
      )}
    </form>
  );
}
