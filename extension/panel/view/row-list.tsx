import type { ComponentChildren, JSX } from 'preact';
import { rowAfter, useList } from './use-list.ts';

interface Props<Row> {
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
}: Props<Row>): JSX.Element {
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
