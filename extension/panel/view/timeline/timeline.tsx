import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../../feed/lines.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { Rows } from '../../feed/segments.ts';
import type { Older } from '../../feed/timeline-store.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { QuestionContext } from '../faces/face-props.ts';
import { later } from '../later.tsx';
import { Portal } from '../faces/portal.tsx';
import { EntryRow, rowId } from './entry-row.tsx';
import { Filters } from './filters.tsx';
import { FaceScope, isLost, itemsOf, useAnswer, useFull } from './selected-call.tsx';
import { useRows } from './use-rows.ts';

/** Read after a click, and larger than the list. */
const Detail = later(async () => (await import('./detail.tsx')).Detail);

const exporterOf =
  ({ client }: PanelFeed) =>
  (session: string): void =>
    void import('./export-session.ts').then(({ exportSession }) => exportSession(client, session));

interface Props {
  readonly feed: PanelFeed;
  readonly strings: PanelStrings;
}

/** Rows that a page of the keyboard moves by. */
const PAGE_ROWS = 15;

/** Every call as it happens, and as far back as the journals go. The newest is on top, as in a log that is tailed. */
export function Timeline({ feed, strings }: Props): JSX.Element {
  const store = feed.timeline;
  const rows = store.rows.value;
  const view = useRows(rows);
  const { list, isAtTop } = view;
  const items = list.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const [selected, select] = useState<Entry | null>(null);
  const shown = current(rows, selected);
  const index = shown === null ? -1 : rows.indexOf(shown.key);
  const fresh = useFresh(store.fresh.value, isAtTop);
  const older = store.older.value;
  useEffect(() => {
    store.show(first, last);
    if (last >= rows.count - PAGE_ROWS && older === 'more') void store.readOlder();
  }, [store, rows, first, last, older]);

  const call = shown?.kind === 'call' ? shown : null;
  const { answer, failed } = useAnswer(call, feed);
  const onQuestion = useContext(QuestionContext);
  const { full, open, close } = useFull(call, answer);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') select(null);
    if (event.key === 'Enter') open?.();
    const to = targetOf(event.key, index, rows.count);
    if (to === null) return;
    event.preventDefault();
    const found = entryFrom(rows, to, to < index ? -1 : 1);
    if (found === null) return;
    select(found.entry);
    list.scrollToIndex(found.at);
  };

  return (
    <FaceScope onPortal={open}>
      <div class="timeline-part" inert={full !== null}>
        <Filters
          filter={store.filter.value}
          {...store.names.value}
          strings={strings}
          onFilter={(filter) => store.setFilter(filter)}
          onExport={exporterOf(feed)}
        />
        <List
          rows={rows}
          view={view}
          index={index}
          fresh={fresh}
          strings={strings}
          onKeyDown={onKeyDown}
          onSelect={select}
        />
        <ListEnd
          older={older}
          isEmpty={rows.count === 0}
          strings={strings}
          onAgain={() => void store.readOlder()}
        />
        {call !== null && (
          <Detail
            call={call}
            answer={answer}
            failed={failed}
            items={itemsOf(call, feed)}
            isLost={isLost(call, rows, feed)}
            strings={strings}
            onClose={() => select(null)}
            onQuestion={onQuestion}
            onPortal={open}
          />
        )}
      </div>
      {full !== null && call !== null && (
        <Portal call={call} answer={full} strings={strings} onClose={close} />
      )}
    </FaceScope>
  );
}

interface ListProps {
  readonly rows: Rows;
  readonly view: ReturnType<typeof useRows>;
  /** Which row is selected; negative for none. */
  readonly index: number;
  /** Lines that have come out of sight. */
  readonly fresh: number;
  readonly strings: PanelStrings;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onSelect: (entry: Entry) => void;
}

/** The rows that are in sight. */
function List({
  rows,
  view: { list, scroller },
  index,
  fresh,
  strings,
  onKeyDown,
  onSelect,
}: ListProps): JSX.Element {
  return (
    <div class="list-box">
      {fresh > 0 && (
        <button type="button" class="chip" onClick={() => list.scrollToIndex(0)}>
          {strings.timeline.fresh(fresh)}
        </button>
      )}
      <div
        class="list"
        ref={scroller}
        role="listbox"
        aria-label={strings.parts.timeline}
        aria-activedescendant={index < 0 ? undefined : rowId(index)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div class="rows-space" role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
          {list.getVirtualItems().map((item) => {
            const row = rows.at(item.index);
            return row === null ? null : (
              <EntryRow
                key={row.kind === 'entry' ? row.entry.key : item.index}
                row={row}
                index={item.index}
                top={item.start}
                isSelected={item.index === index}
                strings={strings}
                onSelect={onSelect}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface ListEndProps {
  readonly older: Older;
  readonly isEmpty: boolean;
  readonly strings: PanelStrings;
  readonly onAgain: () => void;
}

/** Whether more is being read, and what to do where it cannot be. */
function ListEnd({ older, isEmpty, strings, onAgain }: ListEndProps): JSX.Element {
  return (
    <p class="quiet list-end" role="status">
      {older === 'reading' && isEmpty && strings.timeline.reading}
      {older === 'end' && isEmpty && strings.timeline.nothing}
      {older === 'failed' && (
        <>
          {strings.timeline.failed}{' '}
          <button type="button" class="small" onClick={onAgain}>
            {strings.timeline.again}
          </button>
        </>
      )}
    </p>
  );
}

/** The line that was selected, as it is now: a call that has ended meanwhile has another one. */
function current(rows: Rows, selected: Entry | null): Entry | null {
  if (selected?.kind !== 'call' || selected.state !== 'running') return selected;
  return rows.ofCall(selected.callId) ?? selected;
}

/** The next line in a direction: days cannot be selected. */
function entryFrom(
  rows: Rows,
  from: number,
  step: 1 | -1,
): { readonly entry: Entry; readonly at: number } | null {
  for (let at = Math.max(0, Math.min(from, rows.count - 1)); at >= 0 && at < rows.count; at += step) {
    const row = rows.at(at);
    if (row?.kind === 'entry') return { entry: row.entry, at };
  }
  return null;
}

function targetOf(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index <= 0 ? 0 : index - 1;
    case 'PageDown':
      return index + PAGE_ROWS;
    case 'PageUp':
      return index - PAGE_ROWS;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Lines that have come while their place was out of sight. */
function useFresh(count: number, isAtTop: boolean): number {
  const seen = useRef(count);
  if (isAtTop) seen.current = count;
  return Math.max(0, count - seen.current);
}
