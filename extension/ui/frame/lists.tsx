import { Button, Problem } from '../kit.tsx';
import { Select } from '../select.tsx';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { whyOf } from './feed-client.ts';
import type { OutputsStore } from './home-lists.ts';
import { useNobody } from './panel-context.tsx';

/** A virtual list with rows of equal height. */
export function useList(count: number, rowPx: number, overscan = 8) {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, rows }, see] = useState({ top: 0, rows: 0 });
  const isEmpty = count === 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const now = {
        top: Math.floor(element.scrollTop / rowPx),
        rows: Math.ceil(element.clientHeight / rowPx),
      };
      see((before) => (before.top === now.top && before.rows === now.rows ? before : now));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [isEmpty, rowPx]);
  /** Scrolls to a row. */
  const reach = (index: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const start = index * rowPx;
    const least = start + rowPx - element.clientHeight;
    element.scrollTop = Math.max(least, Math.min(start, element.scrollTop));
  };
  return {
    scroller,
    rowPx,
    /** The rendered rows: the visible ones and some on each side. */
    first: Math.max(0, top - overscan),
    last: Math.min(count - 1, top + rows + overscan),
    isAtTop: top === 0,
    reach,
  };
}

interface RowsProps<Row> {
  readonly view: ReturnType<typeof useList>;
  readonly rows: readonly Row[];
  /** Prefix of the rows' ids, unique on the page. */
  readonly name: string;
  readonly label: string;
  readonly keyOf: (row: Row, index: number) => string | number;
  /** The selected row; negative for none. */
  readonly index: number;
  readonly onSelect: (row: Row | null) => void;
  /** A press on a row that does more than select it. */
  readonly onPress?: ((row: Row) => void) | undefined;
  /** Enter on the selected row. */
  readonly onEnter?: (() => void) | undefined;
  /** A heading, which cannot be selected. */
  readonly isHead?: (row: Row) => boolean;
  readonly classOf?: (row: Row) => string;
  readonly children: (row: Row) => ComponentChildren;
}

/** Rows that Page Up and Page Down move by. */
const PAGE_ROWS = 12;

/** Rows selected by the arrow keys, Home and End. */
export function Rows<Row>({ view, name, rows, keyOf, index, isHead, ...does }: RowsProps<Row>) {
  const { scroller, rowPx, first, last } = view;
  const idOf = (one: number): string => `${name}-${one}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') does.onSelect(null);
    if (event.key === 'Enter' && index >= 0) does.onEnter?.();
    const target = targetOf(event.key, index, rows.length);
    if (target === null) return;
    event.preventDefault();
    const ahead = rows.findIndex((row, at) => at >= target && isHead?.(row) !== true);
    const behind = rows.findLastIndex((row, at) => at <= target && isHead?.(row) !== true);
    // Nothing but heads is above the first row.
    const to = target < index && behind >= 0 ? behind : ahead;
    const row = rows[to];
    if (row === undefined) return;
    does.onSelect(row);
    // With the heads above the first row.
    view.reach(event.key === 'Home' ? 0 : to);
  };
  return (
    <div
      class="list"
      ref={scroller}
      role="listbox"
      aria-label={does.label}
      aria-activedescendant={index < 0 ? undefined : idOf(index)}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="rows-space" role="presentation" style={{ height: `${rows.length * rowPx}px` }}>
        {rows.slice(first, last + 1).map((row, nth) => {
          const one = first + nth;
          const isOpenable = isHead?.(row) !== true;
          return (
            <div
              key={keyOf(row, one)}
              class={`row ${does.classOf?.(row) ?? ''}`}
              id={idOf(one)}
              role="option"
              aria-disabled={isOpenable ? undefined : 'true'}
              aria-selected={one === index}
              style={{ transform: `translateY(${one * rowPx}px)` }}
              onClick={() => isOpenable && (does.onPress ?? does.onSelect)(row)}
            >
              {does.children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The row that a key leads to; null for another key. */
function targetOf(key: string, at: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(to, count - 1));
}

interface PartProps<Row> extends Pick<RowsProps<Row>, 'name' | 'rows' | 'classOf' | 'children'> {
  readonly words: Readonly<
    Record<'title' | 'filters' | 'failed' | 'again' | 'reading' | 'noMatch' | 'nothing' | 'more', string>
  >;
  /** That of outputs, or the ledger's. */
  readonly store: Pick<OutputsStore, 'state' | 'failure' | 'hasMore' | 'refresh' | 'more'>;
  readonly filters: ComponentChildren;
  readonly count: number;
  readonly keyOf: (row: Row) => string;
  /** By key, so that new rows on top do not change the selection. */
  readonly selected: string | null;
  readonly onSelect: (key: string | null) => void;
  /** Opens a row by a click or Enter; without it, the selected row is open. */
  readonly onOpen?: (key: string) => void;
  readonly end: string;
}

const ROW_PX = 46;

/** A list of two-line rows with its filters, its error or empty state, and the way to more. */
export function ListPart<Row>({ words, store, rows, keyOf, onOpen, ...part }: PartProps<Row>) {
  const { name, selected, onSelect, classOf } = part;
  const view = useList(rows.length, ROW_PX);
  const state = store.state.value;
  const nobody = useNobody();
  return (
    <>
      <form class="filters cluster" aria-label={words.filters} onSubmit={(event) => event.preventDefault()}>
        {part.filters}
      </form>
      {state === 'failed' && (
        <Problem again={{ name: words.again, do: () => void store.refresh() }}>
          {words.failed} {whyOf(store.failure.value)}
        </Problem>
      )}
      {rows.length === 0 && (
        <p class="quiet empty" role="status">
          {part.count > 0
            ? words.noMatch
            : (nobody ?? { reading: words.reading, ready: words.nothing, failed: null }[state])}
        </p>
      )}
      {rows.length > 0 && (
        <div class="list-box">
          <Rows
            view={view}
            name={name}
            label={words.title}
            rows={rows}
            keyOf={keyOf}
            index={rows.findIndex((row) => keyOf(row) === selected)}
            onSelect={(row) => onSelect(row && keyOf(row))}
            onPress={onOpen && ((row) => onOpen(keyOf(row)))}
            onEnter={() => selected !== null && onOpen?.(selected)}
            classOf={(row) => `two ${classOf?.(row) ?? ''}`}
          >
            {part.children}
          </Rows>
        </div>
      )}
      <p class="quiet list-end" role="status">
        {rows.length > 0 && part.end}{' '}
        {store.hasMore.value && <Button onClick={() => void store.more()}>{words.more}</Button>}
      </p>
    </>
  );
}

type Options = readonly (readonly [id: string, name: string])[];

interface ChoicesProps<Of extends string> {
  readonly words: Readonly<Record<Of, string>>;
  /** A missing one matches all. */
  readonly filter: Readonly<Partial<Record<Of, string | undefined>>>;
  readonly of: readonly (readonly [of: Of, all: string, options: Options])[];
  readonly onChange: (of: Of, value: string | undefined) => void;
}

/** Filters of a list: each one of several values, or all. A chosen value stays listed even when no row has it. */
export function Choices<Of extends string>({ words, filter, of, onChange }: ChoicesProps<Of>) {
  return (
    <>
      {of.map(([one, all, options]) => {
        const value = filter[one];
        const isListed = value === undefined || options.some(([id]) => id === value);
        const listed: Options = isListed ? options : [[value, value], ...options];
        return (
          <Select
            key={one}
            aria-label={words[one]}
            // An empty name is a value too: it is not the choice of all.
            value={value === undefined ? '' : `=${value}`}
            options={[['', all], ...listed.map(([id, name]) => [`=${id}`, name || '“”'] as const)]}
            onChange={(now) => onChange(one, now === '' ? undefined : now.slice(1))}
          />
        );
      })}
    </>
  );
}

/** Choices from the values of rows. */
export const optionsOf = (values: readonly (string | null)[], nameOf: (value: string) => string): Options =>
  [...new Set(values)]
    .filter((value) => value !== null)
    .toSorted()
    .map((value) => [value, nameOf(value)]);
