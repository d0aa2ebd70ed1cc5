import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { WordsContext } from '../../components/words.ts';
import type { ShownCall } from '../../feed/lines.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { formatNear } from '../../../words/format.ts';
import { ledgerTexts, type LedgerStrings } from '../../words/ledger.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { toolTitle } from '../../tools/builtins.ts';
import { Choice } from '../choice.tsx';
import { CallInspector } from '../faces/call-inspector.tsx';
import { ListState } from '../list-state.tsx';
import { RowList } from '../row-list.tsx';
import { LedgerDetail } from './ledger-detail.tsx';
import { isLike, rowsOf, type LedgerFilter, type LedgerRow } from './ledger-lines.ts';
import { LedgerState } from './ledger-state.tsx';

interface Props {
  readonly feed: PanelFeed;
  readonly strings: PanelStrings;
  /** How a terminal starts Spillway. */
  readonly command: string;
}

const ALL: LedgerFilter = { agent: '', kind: '', outcome: '' };

/** Who asked, who decided, what was done and how it ended, the newest on top. */
export function Ledger({ feed: { ledger, timeline }, strings, command }: Props): JSX.Element {
  const timed = timeline.rows.value;
  const calls = useMemo(() => timed.calls(), [timed]);
  const words = ledgerTexts[useContext(WordsContext)];
  useEffect(() => ledger.show(), [ledger]);
  const lines = ledger.lines.value;
  const rows = useMemo(() => rowsOf(lines), [lines]);
  const [filter, setFilter] = useState<LedgerFilter>(ALL);
  const [selected, select] = useState<string | null>(null);
  const shown = rows.filter((row) => isLike(row, filter));
  const open = shown.find(({ key }) => key === selected) ?? null;
  const state = ledger.state.value;
  return (
    <div class="timeline-part">
      <LedgerState ledger={ledger} words={words} command={command} />
      <Filters rows={rows} filter={filter} words={words} onFilter={setFilter} />
      <ListState
        state={state}
        failure={ledger.failure.value}
        rows={{ all: rows.length, shown: shown.length }}
        words={words}
        onAgain={() => void ledger.refresh()}
      />
      {shown.length > 0 && (
        <RowList
          rows={shown}
          keyOf={({ key }) => key}
          name="ledger"
          label={words.title}
          selected={selected}
          onSelect={select}
          classOf={({ outcome }) => outcome ?? ''}
        >
          {(row) => (
            <LineText
              row={row}
              call={row.call === null ? null : (calls.get(row.call) ?? null)}
              words={words}
            />
          )}
        </RowList>
      )}
      <p class="quiet list-end" role="status">
        {shown.length > 0 && words.lines(shown.length)}
        {ledger.hasMore.value && (
          <>
            {' '}
            <button type="button" class="small" onClick={() => void ledger.more()}>
              {words.more}
            </button>
          </>
        )}
      </p>
      {open !== null && (
        <LedgerDetail row={open} strings={strings} words={words} onClose={() => select(null)} />
      )}
    </div>
  );
}

interface FiltersProps {
  readonly rows: readonly LedgerRow[];
  readonly filter: LedgerFilter;
  readonly words: LedgerStrings;
  readonly onFilter: (filter: LedgerFilter) => void;
}

function Filters({ rows, filter, words, onFilter }: FiltersProps): JSX.Element {
  const choices = (of: (row: LedgerRow) => string | null, names: Readonly<Record<string, string>>) =>
    [...new Set(rows.map(of))]
      .filter((value) => value !== null)
      .toSorted()
      .map((value) => [value, names[value] ?? reveal(value)] as const);
  return (
    <form class="filters" aria-label={words.filters} onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={words.agent}
        all={words.allAgents}
        value={filter.agent}
        options={choices(({ agent }) => agent, {})}
        onChange={(agent) => onFilter({ ...filter, agent })}
      />
      <Choice
        label={words.kind}
        all={words.allKinds}
        value={filter.kind}
        options={choices(({ kind }) => kind, words.kinds)}
        onChange={(kind) => onFilter({ ...filter, kind })}
      />
      <Choice
        label={words.outcome}
        all={words.allOutcomes}
        value={filter.outcome}
        options={choices(({ outcome }) => outcome, words.outcomes)}
        onChange={(outcome) => onFilter({ ...filter, outcome })}
      />
    </form>
  );
}

function LineText({
  row,
  call,
  words,
}: {
  readonly row: LedgerRow;
  /** The timeline's line of the same call, as far as it has been read. */
  readonly call: ShownCall | null;
  readonly words: LedgerStrings;
}): JSX.Element {
  const { kind, tool, agent, where, site, outcome, subject } = row;
  const language = useContext(WordsContext);
  const about = [site, subject].find((one) => one !== null) ?? null;
  return (
    <>
      <span class="what">
        <b>{words.kinds[kind] ?? reveal(kind)}</b>
        {call !== null ? (
          <>
            {' · '}
            <CallInspector call={call} />
          </>
        ) : (
          tool !== null && <span class="tool"> · {toolTitle(language, tool)}</span>
        )}
        {agent !== null && (
          <>
            {' · '}
            <bdi class="subject">{reveal(agent)}</bdi>
          </>
        )}
      </span>
      <span class="outcome">{outcome !== null && (words.outcomes[outcome] ?? reveal(outcome))}</span>
      <span class="quiet sub">
        {formatNear(row.at, Date.now())}
        {where !== null && ` · ${words.places[where] ?? reveal(where)}`}
        {about !== null && (
          <>
            {' · '}
            <bdi>{reveal(about)}</bdi>
          </>
        )}
      </span>
    </>
  );
}
