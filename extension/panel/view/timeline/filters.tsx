import { Button } from '../../components/button.tsx';
import { usePanelWords } from '../panel-context.ts';
import type { JSX } from 'preact';
import type { JournalFilter } from '../../../../shared/bridge/feed.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { isFiltered } from '../../feed/lines.ts';
import { Choices } from '../lists.tsx';
import { useToolTitle } from '../call-inspector.tsx';

interface Props {
  readonly filter: JournalFilter;
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  /** Ids and labels. */
  readonly sessions: readonly (readonly [string, string])[];
  readonly onFilter: (filter: JournalFilter) => void;
  /** Saves all calls of a session as one file. */
  readonly onExport: (session: string) => void;
}

const OUTCOMES = ['ok', 'failed', 'pending'] as const;

/** The filter with another choice; an empty text clears it. */
const withChoice = (filter: JournalFilter, of: string, value: string): JournalFilter => ({
  ...filter,
  [of]: of === 'outcome' ? OUTCOMES.find((outcome) => outcome === value) : value === '' ? undefined : value,
});

export function Filters({ filter, agents, tools, sessions, onFilter, onExport }: Props): JSX.Element {
  const { timeline } = usePanelWords();
  const titleOf = useToolTitle();
  const { session } = filter;
  const { ok, failed, waiting } = timeline.states;
  return (
    <form class="filters" aria-label={timeline.filters} onSubmit={(event) => event.preventDefault()}>
      <Choices
        words={timeline}
        filter={filter}
        of={[
          ['agent', timeline.allAgents, agents.map((agent) => [agent, reveal(agent)])],
          ['tool', timeline.allTools, tools.map((tool) => [tool, titleOf(tool)])],
          [
            'outcome',
            timeline.allOutcomes,
            [
              ['ok', ok],
              ['failed', failed],
              ['pending', waiting],
            ],
          ],
          ['session', timeline.allSessions, sessions.map(([id, name]) => [id, reveal(name)])],
        ]}
        onChange={(of, value) => onFilter(withChoice(filter, of, value))}
      />
      {session !== undefined && <Button onClick={() => onExport(session)}>{timeline.exportSession}</Button>}
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
      {isFiltered(filter) && <Button onClick={() => onFilter({})}>{timeline.clear}</Button>}
    </form>
  );
}
