import type { JSX } from 'preact';
import type { JournalFilter } from '../../../../shared/bridge/feed.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { isFiltered } from '../../feed/filter.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { Choice } from '../choice.tsx';

interface Props {
  readonly filter: JournalFilter;
  /** What has been seen so far, to choose from. */
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  readonly strings: PanelStrings;
  readonly onFilter: (filter: JournalFilter) => void;
}

const OUTCOMES = ['ok', 'failed', 'pending'] as const;

/** Chooses what the timeline shows. */
export function Filters({ filter, agents, tools, strings, onFilter }: Props): JSX.Element {
  const { timeline } = strings;
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
        options={tools.map((tool) => [tool, reveal(tool)])}
        onChange={(tool) => onFilter({ ...filter, tool: tool === '' ? undefined : tool })}
      />
      <Choice
        label={timeline.outcome}
        all={timeline.allOutcomes}
        value={filter.outcome ?? ''}
        options={OUTCOMES.map((outcome) => [outcome, timeline.outcomes[outcome]])}
        onChange={(outcome) => onFilter({ ...filter, outcome: OUTCOMES.find((known) => known === outcome) })}
      />
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
