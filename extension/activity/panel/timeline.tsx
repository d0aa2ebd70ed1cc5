import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sessionMark } from '../../ui/text.ts';
import { Button, Icon, Problem, theirs } from '../../ui/kit.tsx';
import {
  useAttempt,
  usePanel,
  usePanelWords,
  useNobody,
  useSeen,
  later,
} from '../../ui/frame/panel-context.tsx';
import { type Entry, isRefused, type ShownCall, type ShownEvent, isFiltered } from '../../ui/frame/lines.ts';
import type { PanelFeed } from '../../ui/frame/panel-feed.ts';
import { callsIn, indexOf, isEntry, type TimelineRow } from '../../ui/frame/timeline-store.ts';
import { CallInspector, CallProgress, useToolTitle, Portal } from '../../ui/frame/call-face.tsx';
import { Rows as RowsView, useList, Choices } from '../../ui/frame/lists.tsx';
import type { JsonValue } from '../../../shared/base/json.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatDay, formatDuration, formatMoment, formatSize, formatTime } from '../../ui/words/format.ts';
import type { JournalFilter } from '../../../shared/core/feed.ts';

const MARKS = { running: 'busy', ok: 'good', failed: 'bad', waiting: 'wait' } as const;

const classOfRow = (row: TimelineRow): string =>
  row.kind === 'call' ? `call ${isRefused(row) ? 'failed' : row.state}` : row.kind;

/** One line of the timeline: a call, another event, or the day or session of the lines below. */
function RowLine({ row }: { readonly row: TimelineRow }) {
  const { names } = usePanel().feed.timeline;
  const { now } = usePanelWords();
  if (isEntry(row)) return <EntryLine entry={row} />;
  if (row.kind === 'day') return <>{formatDay(row.at)}</>;
  const name = names.value.sessions.find(([id]) => id === row.session)?.[1];
  return <>{theirs(name ?? now.session({ id: sessionMark(row.session) }))}</>;
}

function EntryLine({ entry }: { readonly entry: Entry }) {
  const strings = usePanelWords();
  // A new line on top moves all the others, and changes none of them.
  return useMemo(
    () => (
      <>
        <time class="number tiny" dateTime={new Date(entry.at).toISOString()} title={formatMoment(entry.at)}>
          {formatTime(entry.at)}
        </time>
        {entry.kind === 'call' ? <CallLine call={entry} /> : <EventLine event={entry} />}
      </>
    ),
    [entry, strings],
  );
}

function CallLine({ call }: { readonly call: ShownCall }) {
  const strings = usePanelWords();
  const { state, code, durationMs, sizeBytes, site, status } = call;
  const hasRefused = isRefused(call);
  const words = hasRefused ? `HTTP ${status}` : strings.timeline.states[state];
  return (
    <>
      <span class="mark" role="img" aria-label={words} title={words}>
        <Icon name={hasRefused ? 'bad' : MARKS[state]} size={12} />
      </span>
      <span class="what" title={reveal(`${call.agent} · ${call.tool}`)}>
        <CallInspector call={call} />
        {site !== null && call.args['url'] === undefined && <bdi class="dim"> · {reveal(site)}</bdi>}
      </span>
      {state === 'failed' && code !== null && (
        <span class="code clip" title={reveal(code)}>
          {reveal(code)}
        </span>
      )}
      {hasRefused && <span class="code">{status}</span>}
      <CallProgress call={call} />
      <span class="figure number tiny">{durationMs === null ? '' : formatDuration(durationMs)}</span>
      <span class="figure number tiny">{sizeBytes === null ? '' : formatSize(sizeBytes)}</span>
    </>
  );
}

function EventLine({ event }: { readonly event: ShownEvent }) {
  const strings = usePanelWords();
  const titleOf = useToolTitle();
  return (
    <>
      <span class="mark" />
      <span class="what">
        {strings.timeline.events[event.event] ?? event.event}{' '}
        {event.tool !== null && <bdi class="tool">{titleOf(event.tool)}</bdi>}{' '}
        <bdi class="subject">{reveal(event.run ?? '')}</bdi>
      </span>
    </>
  );
}

const OUTCOMES = ['ok', 'failed', 'pending'] as const;

/** The filter with another choice. */
const withChoice = (filter: JournalFilter, of: string, value: string | undefined): JournalFilter => ({
  ...filter,
  [of]: of === 'outcome' ? OUTCOMES.find((outcome) => outcome === value) : value,
});

function Filters() {
  const store = usePanel().feed.timeline;
  const { timeline, ...strings } = usePanelWords();
  const titleOf = useToolTitle();
  const filter = store.filter.value;
  const { agents, tools, sessions } = store.names.value;
  const { session } = filter;
  const { ok, failed, waiting } = timeline.states;
  return (
    <form class="filters cluster" aria-label={timeline.filters} onSubmit={(event) => event.preventDefault()}>
      <Choices
        words={strings}
        filter={filter}
        of={[
          ['agent', strings.allAgents, agents.map((agent) => [agent, reveal(agent)])],
          ['tool', strings.allTools, tools.map((tool) => [tool, titleOf(tool)])],
          ['outcome', strings.allOutcomes, Object.entries({ ok, failed, pending: waiting })],
          ['session', timeline.allSessions, sessions.map(([id, name]) => [id, reveal(name)])],
        ]}
        onChange={(of, value) => store.setFilter(withChoice(filter, of, value))}
      />
      {session !== undefined && <ExportSession key={session} session={session} />}
      <input
        type="search"
        aria-label={strings.site}
        placeholder={strings.site}
        value={filter.site ?? ''}
        onChange={({ currentTarget }) => {
          const site = currentTarget.value.trim().toLowerCase();
          store.setFilter({ ...filter, site: site === '' ? undefined : site });
        }}
      />
      {isFiltered(filter) && <Button onClick={() => store.setFilter({})}>{timeline.clear}</Button>}
    </form>
  );
}

/** Saves all calls of a session as one file. */
function ExportSession({ session }: { readonly session: string }) {
  const { client } = usePanel().feed;
  const { timeline } = usePanelWords();
  const [problem, attempt, isBusy] = useAttempt();
  const save = () =>
    attempt(
      import('../../outputs/panel/export.ts').then(({ exportSession }) => exportSession(client, session)),
    );
  return (
    <>
      <Button disabled={isBusy} onClick={() => void save()}>
        {timeline.exportSession}
      </Button>
      <Problem>{problem}</Problem>
    </>
  );
}

/** Read when the call is opened. */
function useAnswer(call: ShownCall | null, { results }: PanelFeed) {
  const { home = null, callId = '', state = 'running' } = call ?? {};
  const read = useMemo(
    () => (home === null || state === 'running' || state === 'waiting' ? null : results.of(home, callId)),
    [results, home, callId, state],
  );
  const why = read?.failure.value ?? null;
  return {
    answer: read?.answer.value ?? null,
    failed: read === null || why === null ? null : { why, again: () => void read.again() },
  };
}

const callIn = (rows: readonly TimelineRow[], callId: string): ShownCall | undefined =>
  callsIn(rows).find((call) => call.callId === callId);

const isLost = (call: ShownCall, rows: readonly TimelineRow[], feed: PanelFeed): boolean =>
  call.state === 'running' && callIn(rows, call.callId) === undefined && !feed.agents.hasCall(call.callId);

const itemsOf = ({ state, callId }: ShownCall, { runItems }: PanelFeed): readonly JsonValue[] =>
  (state === 'running' ? runItems.ofCall(callId)?.items.value : undefined) ?? [];

/** Equal heights, so that a hundred thousand rows need no measuring. */
const ROW_PX = 26;
const OVERSCAN = 12;

/** Keeps the first visible line in place when lines arrive above it. */
function useAnchor(
  rows: readonly TimelineRow[],
  scroller: { readonly current: HTMLDivElement | null },
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const element = scroller.current;
    if (element === null || old === rows || element.scrollTop < ROW_PX) return;
    const first = Math.floor(element.scrollTop / ROW_PX);
    for (let index = first; index < first + OVERSCAN; index += 1) {
      const row = old.at(index);
      if (row === undefined || !isEntry(row)) continue;
      const now = indexOf(rows, row.key);
      if (now < 0) continue;
      if (now !== index) element.scrollTop += (now - index) * ROW_PX;
      return;
    }
  }, [rows, scroller]);
}

/** Loaded after a click, and larger than the list. */
const Detail = later(async () => (await import('./detail.tsx')).Detail);

const NEAR_ROWS = 15;

/** Every call as it happens, and as far back as the journals go. Newest first. */
export function Timeline() {
  const { feed, strings } = usePanel();
  const store = feed.timeline;
  const rows = store.rows.value;
  const view = useList(rows.length, ROW_PX, OVERSCAN);
  useAnchor(rows, view.scroller);
  const { last, isAtTop } = view;
  const [selected, select] = useState<Entry | null>(null);
  const shown = current(rows, selected);
  const index = shown === null ? -1 : indexOf(rows, shown.key);
  const fresh = store.fresh.value - useSeen(store.fresh.value, isAtTop);
  const older = store.older.value;
  useEffect(() => {
    if (last >= rows.length - NEAR_ROWS && older === 'more') void store.readOlder();
  }, [store, rows, last, older]);

  const call = shown?.kind === 'call' ? shown : null;
  const { answer, failed } = useAnswer(call, feed);
  const [fullOf, showFull] = useState<string | null>(null);
  useEffect(() => showFull(null), [call?.callId]);
  const isHere = call !== null && answer !== null && answer !== 'reading';
  /** Its answer in full. */
  const full = isHere && fullOf === call.callId ? answer : null;
  const open = isHere ? () => showFull(call.callId) : null;

  return (
    <>
      <div class="timeline-part" inert={full !== null}>
        <Filters />
        <div class="list-box">
          {fresh > 0 && (
            <button type="button" class="chip" onClick={() => view.reach(0)}>
              {strings.timeline.fresh({ count: fresh })}
            </button>
          )}
          <RowsView
            view={view}
            name="row"
            label={strings.parts.timeline}
            rows={rows}
            keyOf={(row, one) => (isEntry(row) ? row.key : one)}
            index={index}
            isHead={(row) => !isEntry(row)}
            onSelect={(row) => select(row !== null && isEntry(row) ? row : null)}
            onEnter={() => open?.()}
            classOf={classOfRow}
          >
            {(row) => <RowLine row={row} />}
          </RowsView>
        </div>
        <ListEnd />
        {call !== null && (
          <Detail
            call={call}
            answer={answer}
            failed={failed}
            items={itemsOf(call, feed)}
            isLost={isLost(call, rows, feed)}
            onClose={() => select(null)}
            onPortal={open}
          />
        )}
      </div>
      {full !== null && call !== null && <Portal call={call} answer={full} onClose={() => showFull(null)} />}
    </>
  );
}

/** Whether more is being read, and how to retry after a failure. */
function ListEnd() {
  const store = usePanel().feed.timeline;
  const { timeline: words, reading, again } = usePanelWords();
  const nobody = useNobody();
  const older = store.older.value;
  const isEmpty = store.rows.value.length === 0;
  return (
    <p class="quiet list-end" role="status">
      {older === 'reading' && isEmpty && reading}
      {older === 'end' &&
        isEmpty &&
        (nobody ?? (isFiltered(store.filter.value) ? words.noMatch : words.nothing))}
      {older === 'failed' &&
        (nobody ?? (
          <>
            {words.failed} <Button onClick={() => void store.readOlder()}>{again}</Button>
          </>
        ))}
    </p>
  );
}

/** The selected line in its current state: a call that has ended has a new line. */
function current(rows: readonly TimelineRow[], selected: Entry | null): Entry | null {
  if (selected?.kind !== 'call' || selected.state !== 'running') return selected;
  return callIn(rows, selected.callId) ?? selected;
}
