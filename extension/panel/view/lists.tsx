import type { ComponentChildren, JSX } from 'preact';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { Failure } from '../feed/feed-client.ts';

interface RowListProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Begins the ids of the rows, which are unique on the page. */
  readonly name: string;
  readonly label: string;
  /** By key: what is new on top takes nobody's place. */
  readonly selected: string | null;
  readonly onSelect: (key: string | null) => void;
  /** Opens a row by a click or Enter; without it, what is selected is open. */
  readonly onOpen?: (key: string) => void;
  readonly classOf?: (row: Row) => string;
  readonly children: (row: Row) => ComponentChildren;
}

const ROW_PX = 46;

/** Rows of two lines, of which arrows, Home and End select one. */
export function RowList<Row>({
  rows,
  keyOf,
  name,
  label,
  classOf,
  children,
  ...does
}: RowListProps<Row>): JSX.Element {
  const { selected, onSelect, onOpen } = does;
  const { list, scroller } = useList(rows.length, ROW_PX);
  const at = rows.findIndex((row) => keyOf(row) === selected);
  const idOf = (index: number): string => `${name}-${index}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onSelect(null);
    if (event.key === 'Enter' && selected !== null && at >= 0) onOpen?.(selected);
    const to = rowAfter(event.key, at, rows.length);
    const row = to === null ? undefined : rows[to];
    if (to === null || row === undefined) return;
    event.preventDefault();
    onSelect(keyOf(row));
    list.scrollToIndex(to);
  };
  return (
    <div class="list-box">
      <div
        class="list"
        ref={scroller}
        role="listbox"
        aria-label={label}
        aria-activedescendant={at < 0 ? undefined : idOf(at)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div class="rows-space" role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={keyOf(row)}
                class={`row two ${classOf?.(row) ?? ''}`}
                id={idOf(index)}
                role="option"
                aria-selected={index === at}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => (onOpen ?? onSelect)(keyOf(row))}
              >
                {children(row)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** The rows of a long list that are in sight, all of them as high as each other, and so many before and after them. */
export function useList(
  count: number,
  rowPx: number,
  overscan = 8,
): { readonly list: List; readonly scroller: { current: HTMLDivElement | null } } {
  const scroller = useRef<HTMLDivElement>(null);
  const [, render] = useState({});
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => render({}),
  };
  const kept = useRef<List | null>(null);
  const list = (kept.current ??= new Virtualizer(options));
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  return { list, scroller };
}

/** The row that a key leads to; null for another key. */
function rowAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  const clamped = (to: number): number => Math.max(0, Math.min(to, last));
  if (key === 'ArrowDown') return clamped(at + 1);
  if (key === 'ArrowUp') return clamped(at - 1);
  if (key === 'PageDown') return clamped(at + PAGE_ROWS);
  if (key === 'PageUp') return clamped(at - PAGE_ROWS);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

/** Rows that a page of the keyboard moves by. */
const PAGE_ROWS = 8;

interface ListStateProps {
  readonly state: 'reading' | 'ready' | 'failed';
  /** Why it could not be read. */
  readonly failure: Failure | null;
  /** Rows that there are, and those of them that the filters let through. */
  readonly rows: { readonly all: number; readonly shown: number };
  readonly words: {
    readonly failed: string;
    readonly again: string;
    readonly reading: string;
    readonly noMatch: string;
    readonly nothing: string;
  };
  readonly onAgain: () => void;
}

/** Why a list cannot be read, or has no rows. */
export function ListState({ state, failure, rows, words, onAgain }: ListStateProps): JSX.Element {
  return (
    <>
      {state === 'failed' && (
        <p class="problem list-end" role="alert">
          {words.failed} {reveal(failure?.hint ?? failure?.message ?? '')}{' '}
          <button type="button" class="small" onClick={onAgain}>
            {words.again}
          </button>
        </p>
      )}
      {rows.shown === 0 && (
        <p class="quiet empty" role="status">
          {state === 'reading' && words.reading}
          {state === 'ready' && (rows.all > 0 ? words.noMatch : words.nothing)}
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** What the empty choice says. */
  readonly all: string;
  /** Empty for all. */
  readonly value: string;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly onChange: (value: string) => void;
}

/** One of several, or all. What is chosen stays there, also when nothing of it is left. */
export function Choice({ label, all, value, options, onChange }: ChoiceProps): JSX.Element {
  const shown = value === '' || options.some(([id]) => id === value) ? options : [[value, value], ...options];
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{all}</option>
      {shown.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
