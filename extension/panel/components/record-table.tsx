import { Button } from './button.tsx';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState, useId } from 'preact/hooks';
import { type JsonValue, isObject } from '../../../shared/json.ts';
import { formatNumber, formatSize } from '../../words/format.ts';
import { toCsv } from '../../../shared/csv.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import {
  layoutOf,
  type ItemPage,
  type Pager,
  type Row,
  readPageItem,
  summarise,
  type PageItem,
} from './layout.ts';
import { RecordRows, RequestRows, type RowsProps, Detail, Opener, type ItemProps } from './record-rows.tsx';
import { useWords } from './words.ts';
import { CopyButton } from './code-block.tsx';
import { Badge } from './marks.tsx';
import { Link } from './page-head.tsx';

/** Pages of a crawl: title, address, how it begins. */
const PageRows = (props: RowsProps): JSX.Element => (
  <ol class="c-lines" start={props.offset + 1}>
    {props.rows.map((row, position) => (
      <PageRow key={row.index} {...props} row={row} position={position} />
    ))}
  </ol>
);

function PageRow(props: ItemProps): JSX.Element {
  const { row, open } = props;
  const detailId = useId();
  const tooLarge = useTooLarge(row);
  const item = isObject(row.value) ? readPageItem(row.value) : null;
  return (
    <li>
      <div class="c-head">
        <Opener {...props} detailId={detailId}>
          <bdi class="c-name">{item === null ? tooLarge : reveal(item.title)}</bdi>
          {item?.status !== null && item?.status !== undefined && item.status >= 400 && (
            <Badge tone="bad">{item.status}</Badge>
          )}
        </Opener>
        {item !== null && <Link href={item.href} />}
      </div>
      {item !== null && <Begin item={item} />}
      {open === row.index && <Detail row={row} id={detailId} />}
    </li>
  );
}

/** How a page begins, or why it was not read. */
function Begin({ item: { error, excerpt } }: { readonly item: PageItem }): JSX.Element | null {
  if (error !== null) return <p class="c-excerpt bad">{reveal(error)}</p>;
  return excerpt === '' ? null : (
    <p class="c-excerpt" dir="auto">
      {reveal(excerpt)}
    </p>
  );
}

function useTooLarge({ oversizedBytes, index }: Row): string {
  const words = useWords();
  return oversizedBytes === undefined
    ? words.item(formatNumber(index + 1))
    : words.tooLarge(formatSize(oversizedBytes));
}

/** Anything else: a line of JSON an item. */
const LineRows = (props: RowsProps): JSX.Element => (
  <ol class="c-lines" start={props.offset + 1}>
    {props.rows.map((row, position) => (
      <LineRow key={row.index} {...props} row={row} position={position} />
    ))}
  </ol>
);

function LineRow(props: ItemProps): JSX.Element {
  const { row, open } = props;
  const words = useWords();
  const detailId = useId();
  const tooLarge = useTooLarge(row);
  return (
    <li>
      <Opener {...props} detailId={detailId}>
        <span class="c-number">{formatNumber(row.index + 1)}</span>
        <code class="c-name">
          <bdi>
            {row.oversizedBytes === undefined ? reveal(summarise(row.value) || words.null) : tooLarge}
          </bdi>
        </code>
      </Opener>
      {open === row.index && <Detail row={row} id={detailId} />}
    </li>
  );
}

/** Copies the items that are shown, for a program or for a table. */
function RecordCopy({ rows }: { readonly rows: readonly JsonValue[] }): JSX.Element {
  const words = useWords();
  const csv = toCsv(rows);
  const label = words.copyOf(rows.length);
  return (
    <div class="c-actions">
      <CopyButton text={JSON.stringify(rows, null, 2)} name={words.copyAs('JSON')} label={label} />
      {csv !== null && <CopyButton text={csv} name={words.copyAs('CSV')} label={label} />}
    </div>
  );
}

/** Rows of a page: as many as a person takes in at once. */
const PAGE_ROWS = 10;

type Direction = 'next' | 'previous';

interface Props extends Partial<ItemPage> {
  /** All items that are here; with a `pager`, those of the shown page. */
  readonly rows: readonly JsonValue[];
  /** With a button that copies the shown records. */
  readonly canCopy?: boolean;
}

/** Items with all their fields: flat records as a table, pages of a crawl as a list, others line by line. */
export function RecordTable({ pager, ...props }: Props): JSX.Element {
  if (pager !== undefined) return <Shown {...props} pager={pager} />;
  return <Paged {...props} />;
}

/** Pages through items that are all here. */
function Paged({ rows, offset = 0, total, ...props }: Omit<Props, 'pager'>): JSX.Element {
  const [at, setAt] = useState(0);
  const start = at < rows.length ? at : 0;
  const pager: Pager = {
    hasPrevious: start > 0,
    hasNext: start + PAGE_ROWS < rows.length,
    turn: (direction) => setAt(start + (direction === 'next' ? PAGE_ROWS : -PAGE_ROWS)),
  };
  return (
    <Shown
      {...props}
      rows={rows.slice(start, start + PAGE_ROWS)}
      offset={offset + start}
      total={total ?? offset + rows.length}
      pager={pager}
    />
  );
}

type ShownProps = Props & { readonly pager: Pager };

function Shown(props: ShownProps): JSX.Element {
  const { rows, offset = 0, pager } = props;
  const words = useWords();
  if (rows.length === 0 && offset === 0) return <p class="c-empty">{words.noItems}</p>;
  const turn = turnOf(pager);
  return (
    <section class="c-records" aria-label={words.items} aria-busy={props.isBusy ?? false}>
      <Rows {...props} offset={offset} turn={turn} />
      <ItemsFooter {...props} />
    </section>
  );
}

const turnOf =
  (pager: Pager): Turn =>
  async (direction) => {
    if (direction === 'next' ? pager.hasNext : pager.hasPrevious) await pager.turn(direction);
  };

type FooterProps = Pick<ShownProps, 'rows' | 'offset' | 'total' | 'pager' | 'canCopy'>;

/** Which items are shown, a way to copy them, and the way to the others. */
export function ItemsFooter({ rows, pager, canCopy = false, ...props }: FooterProps): JSX.Element {
  const { offset = 0, total = offset + rows.length } = props;
  const words = useWords();
  return (
    <footer class="c-items-footer">
      <p class="c-range">
        {rows.length === 0
          ? words.count(total)
          : words.range(
              formatNumber(offset + 1),
              formatNumber(offset + rows.length),
              formatNumber(Math.max(total, offset + rows.length)),
            )}
      </p>
      {canCopy && rows.length > 0 && <RecordCopy rows={rows} />}
      {(pager.hasPrevious || pager.hasNext) && <PageButtons pager={pager} turn={turnOf(pager)} />}
    </footer>
  );
}

/** A button that has nothing to do keeps the focus: it is dimmed and not taken away. */
function PageButtons({ pager, turn }: { readonly pager: Pager; readonly turn: Turn }): JSX.Element {
  const words = useWords();
  const button = (direction: Direction, has: boolean): JSX.Element => (
    <Button aria-disabled={!has} onClick={() => void turn(direction)}>
      {words[direction]}
    </Button>
  );
  return (
    <nav aria-label={words.pages}>
      {button('previous', pager.hasPrevious)}
      {button('next', pager.hasNext)}
    </nav>
  );
}

type Turn = (direction: Direction) => Promise<void>;

/** One stop of the tab key for all rows; arrows, Home and End go from row to row, Page Up and Page Down from page to page. */
function Rows(props: ShownProps & { readonly offset: number; readonly turn: Turn }): JSX.Element {
  const { offset, turn } = props;
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState<number | null>(null);
  const rows = rowsOf(props, offset);
  const here = Math.max(0, Math.min(at, rows.length - 1));
  const focusRow = (row: number): void => {
    box.current?.querySelectorAll<HTMLButtonElement>('button[data-row]').item(row)?.focus();
  };
  useLayoutEffect(() => {
    setAt(0);
    setOpen(null);
    if (wantsFocus.current) focusRow(0);
  }, [offset]);
  const turnFromRows = async (direction: Direction): Promise<void> => {
    wantsFocus.current = true;
    await turn(direction);
    // A page that is here is drawn after this turn of the event loop.
    requestAnimationFrame(() => (wantsFocus.current = false));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLButtonElement) || event.target.dataset['row'] === undefined) return;
    const row = rowByKey(event.key, here, rows.length - 1);
    if (row !== null) focusRow(row);
    else if (event.key === 'PageDown') void turnFromRows('next');
    else if (event.key === 'PageUp') void turnFromRows('previous');
    else if (event.key === 'Escape') setOpen(null);
    else return;
    event.preventDefault();
  };
  const drawn: RowsProps = {
    rows,
    offset,
    open,
    here,
    onFocus: setAt,
    onToggle: (index) => setOpen(open === index ? null : index),
  };
  const layout = layoutOf(rows);
  return (
    <div class="c-rows" ref={box} onKeyDown={onKeyDown}>
      {layout.kind === 'table' && <RecordRows {...drawn} columns={layout.columns} hidden={layout.hidden} />}
      {layout.kind === 'requests' && <RequestRows {...drawn} />}
      {layout.kind === 'pages' && <PageRows {...drawn} />}
      {layout.kind === 'lines' && <LineRows {...drawn} />}
    </div>
  );
}

function rowsOf({ rows, oversized }: Props, offset: number): readonly Row[] {
  return rows.map((value, position) => {
    const index = offset + position;
    const sizeBytes = value === null ? oversized?.get(index) : undefined;
    return { index, value, ...(sizeBytes === undefined ? {} : { oversizedBytes: sizeBytes }) };
  });
}

/** The row that a key goes to; null for a key that goes to none. */
function rowByKey(key: string, here: number, last: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(here + 1, last);
    case 'ArrowUp':
      return Math.max(here - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
