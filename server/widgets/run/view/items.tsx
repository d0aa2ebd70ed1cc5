import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Run } from '../model/answer.ts';
import { formatCount } from '../model/format.ts';
import { layoutOf } from '../model/layout.ts';
import type { Page } from '../model/pages.ts';
import { rangeOf, type RunWidget } from '../model/widget.ts';
import { LineRows, PageRows, TableRows, type RowsProps } from './rows.tsx';

interface Props {
  readonly widget: RunWidget;
  readonly run?: Run;
}

/** The items of a page, and the way to the others. */
export function Items({ widget, run }: Props): JSX.Element | null {
  const page = widget.items.page.value;
  if (page === null) return widget.items.isLoading.value ? <p class="quiet">Reading its items…</p> : null;
  if (page.rows.length === 0 && page.offset === 0)
    return <p class="empty">No items{run === undefined ? '.' : ' yet.'}</p>;
  return (
    <section aria-label="Items" aria-busy={widget.items.isLoading.value}>
      <Rows widget={widget} page={page} />
      <Pager widget={widget} page={page} handle={run?.output_handle} />
    </section>
  );
}

/**
 * One stop of the tab key for all rows; arrows, Home and End go from row to row, Page Up and Page Down
 * from page to page.
 */
function Rows({ widget, page }: { readonly widget: RunWidget; readonly page: Page }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const [at, setAt] = useState(0);
  const here = Math.min(at, page.rows.length - 1);
  const focusRow = (row: number): void => {
    const buttons = box.current?.querySelectorAll<HTMLButtonElement>('button[data-row]');
    buttons?.item(row)?.focus();
  };
  useLayoutEffect(() => {
    setAt(0);
    if (wantsFocus.current) focusRow(0);
  }, [page.offset]);
  const turn = async (direction: 'next' | 'previous'): Promise<void> => {
    wantsFocus.current = true;
    await widget.turn(direction);
    wantsFocus.current = false;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLButtonElement) || event.target.dataset['row'] === undefined) return;
    const last = page.rows.length - 1;
    const rows: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(here + 1, last),
      ArrowUp: Math.max(here - 1, 0),
      Home: 0,
      End: last,
    };
    const row = rows[event.key];
    if (row !== undefined) focusRow(row);
    else if (event.key === 'PageDown') void turn('next');
    else if (event.key === 'PageUp') void turn('previous');
    else if (event.key === 'Escape') widget.open.value = null;
    else return;
    event.preventDefault();
  };
  const props: RowsProps = {
    page,
    open: widget.open.value,
    here,
    onFocus: setAt,
    onToggle: (index) => widget.toggle(index),
    openLink: widget.linkOpener(),
  };
  const layout = layoutOf(page.rows);
  return (
    <div class="rows" ref={box} onKeyDown={onKeyDown}>
      {layout.kind === 'table' && <TableRows {...props} columns={layout.columns} hidden={layout.hidden} />}
      {layout.kind === 'pages' && <PageRows {...props} />}
      {layout.kind === 'lines' && <LineRows {...props} />}
    </div>
  );
}

interface PagerProps {
  readonly widget: RunWidget;
  readonly page: Page;
  readonly handle: string | undefined;
}

/** A button that has nothing to do keeps the focus: it is dimmed and not taken away. */
function Pager({ widget, page, handle }: PagerProps): JSX.Element {
  const isFirst = widget.items.trail.value.length === 1;
  const isLast = page.nextOffset === null;
  const isOnly = isFirst && isLast;
  return (
    <footer>
      <p class="range">{page.rows.length === 0 ? `${formatCount(page.total)} items` : rangeOf(page)}</p>
      {handle !== undefined && (
        <p class="handle">
          Stored as <code>{handle}</code>
        </p>
      )}
      {!isOnly && (
        <nav aria-label="Pages">
          <button
            type="button"
            class="small"
            aria-disabled={isFirst}
            onClick={() => void widget.turn('previous')}
          >
            Previous
          </button>
          <button type="button" class="small" aria-disabled={isLast} onClick={() => void widget.turn('next')}>
            Next
          </button>
        </nav>
      )}
    </footer>
  );
}
