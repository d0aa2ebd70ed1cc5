import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { OutputsStore, ShownOutput } from '../../feed/outputs-store.ts';
import { formatNear, formatSize } from '../../../words/format.ts';
import type { OutputsStrings } from '../../words/outputs.ts';
import { Choice } from '../choice.tsx';
import { useClock } from '../now/use-clock.ts';
import { rowAfter, useList } from '../use-list.ts';

interface Props {
  readonly store: OutputsStore;
  readonly words: OutputsStrings;
  readonly onOpen: (handle: string) => void;
}

const ROW_PX = 46;
const rowId = (index: number): string => `output-${index}`;

/** The stored outputs, the newest on top. */
export function OutputList({ store, words, onOpen }: Props): JSX.Element {
  const all = store.outputs.value;
  const [tool, setTool] = useState('');
  const [text, setText] = useState('');
  const shown = all.filter((one) => isLike(one, tool, text.trim().toLowerCase()));
  const state = store.state.value;
  return (
    <div class="timeline-part outputs-part">
      <form class="filters" aria-label={words.filters} onSubmit={(event) => event.preventDefault()}>
        <Choice
          label={words.tool}
          all={words.allTools}
          value={tool}
          options={[...new Set(all.map(({ output }) => output.source_tool))]
            .toSorted()
            .map((name) => [name, reveal(name)])}
          onChange={setTool}
        />
        <input
          type="search"
          aria-label={words.text}
          placeholder={words.text}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      {state === 'failed' && (
        <p class="problem list-end" role="alert">
          {words.failed} {reveal(store.failure.value?.hint ?? store.failure.value?.message ?? '')}{' '}
          <button type="button" class="small" onClick={() => void store.refresh()}>
            {words.again}
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <p class="quiet empty" role="status">
          {state === 'reading' && words.reading}
          {state === 'ready' && (all.length > 0 ? words.noMatch : words.nothing)}
        </p>
      ) : (
        <Rows shown={shown} words={words} onOpen={onOpen} />
      )}
      <p class="quiet list-end" role="status">
        {shown.length > 0 && words.shown(shown.length, store.total.value)}
        {store.hasMore.value && (
          <>
            {' '}
            <button type="button" class="small" onClick={() => void store.more()}>
              {words.more}
            </button>
          </>
        )}
      </p>
    </div>
  );
}

function isLike({ output }: ShownOutput, tool: string, text: string): boolean {
  if (tool !== '' && output.source_tool !== tool) return false;
  const { handle, source_tool: name, mime_type: type } = output;
  return text === '' || [handle, name, type].some((part) => part.toLowerCase().includes(text));
}

interface RowsProps extends Pick<Props, 'words' | 'onOpen'> {
  readonly shown: readonly ShownOutput[];
}

function Rows({ shown, words, onOpen }: RowsProps): JSX.Element {
  const { list, scroller } = useList(shown.length, ROW_PX);
  // By handle: what is new on top takes nobody's place.
  const [selected, select] = useState<string | null>(null);
  const now = useClock(true);
  const at = shown.findIndex(({ output }) => output.handle === selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && selected !== null && at >= 0) onOpen(selected);
    const to = rowAfter(event.key, at, shown.length);
    const row = to === null ? undefined : shown[to];
    if (to === null || row === undefined) return;
    event.preventDefault();
    select(row.output.handle);
    list.scrollToIndex(to);
  };
  return (
    <div class="list-box">
      <div
        class="list"
        ref={scroller}
        role="listbox"
        aria-label={words.title}
        aria-activedescendant={at < 0 ? undefined : rowId(at)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div class="rows-space" role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = shown[index];
            return row === undefined ? null : (
              <OutputRow
                key={row.output.handle}
                row={row}
                index={index}
                top={start}
                isSelected={index === at}
                now={now}
                words={words}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps extends Pick<Props, 'words' | 'onOpen'> {
  readonly row: ShownOutput;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly now: number;
}

function OutputRow({ row: { output }, index, top, isSelected, now, words, onOpen }: RowProps): JSX.Element {
  const {
    handle,
    kind,
    size_bytes: size,
    item_count: items,
    created_at_ms: made,
    expires_at_ms: kept,
  } = output;
  return (
    <div
      class="row two"
      id={rowId(index)}
      role="option"
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(handle)}
    >
      <span class="what">
        <b class="tool">{reveal(output.source_tool)}</b> <code>{reveal(handle)}</code>
      </span>
      <span class="figure">{formatSize(size)}</span>
      <span class="quiet sub">
        {[
          items === null ? words.kinds[kind] : words.items(items),
          formatNear(made, now),
          kept > now ? words.keptUntil(formatNear(kept, now)) : words.expired,
        ].join(' · ')}
      </span>
    </div>
  );
}
