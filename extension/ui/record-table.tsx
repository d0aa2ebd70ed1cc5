import { useState } from 'preact/hooks';
import { Button, Opener, useOpen, CopyButton, Badge, theirs } from './kit.tsx';
import { type JsonValue, isObject } from '../../shared/base/json.ts';
import { formatNumber, formatSize } from './words/format.ts';
import { toCsv } from '../../shared/base/csv.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import {
  layoutOf,
  rowsOf,
  type ItemPage,
  type Layout,
  type ExcerptRow,
  readEntries,
  readPageItem,
  summarise,
} from './layout.ts';
import { RequestTable } from './requests.tsx';
import { useWords } from './words/en/components.ts';
import { Markdown } from './markdown.tsx';
import { formatAddress, safeHref } from './text.ts';
import { Link, Value } from './value.tsx';

type ItemProps = { readonly row: ExcerptRow };

/** An item with all its fields; a page's Markdown is rendered. */
function Detail({ row, id }: ItemProps & { readonly id: string }) {
  const words = useWords();
  const { index, value, oversizedBytes: size } = row;
  const { markdown = '' } = readPageItem(value) ?? {};
  const isPage = markdown !== '' && isObject(value);
  return (
    <div class="c-detail" id={id} role="region" aria-label={words.item({ number: formatNumber(index + 1) })}>
      {size !== undefined && <p class="dim">{words.excerpt({ size: formatSize(size) })}</p>}
      <Value value={isPage ? { ...value, markdown: undefined } : value} />
      {isPage && (
        <div class="c-page">
          <Markdown text={markdown} />
        </div>
      )}
    </div>
  );
}

/** Addresses without what they share; the detail has them as links. */
const cellText = (value: JsonValue | undefined): string =>
  reveal(typeof value === 'string' && safeHref(value) !== null ? formatAddress(value) : summarise(value));

type TableProps = Extract<Layout, { kind: 'table' }> & { readonly rows: readonly ExcerptRow[] };

/** Flat records, one column per key. */
function RecordRows({ columns, hidden, rows }: TableProps) {
  const words = useWords();
  const drawn = rows.map((row) => <TableRow key={row.index} row={row} columns={columns} />);
  return (
    <>
      <div class="c-scroll">
        <table class="c-table">
          <caption class="unseen">{words.caption}</caption>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map(({ key, isNumeric }) => (
                <th key={key} scope="col" class={isNumeric ? 'numeric' : undefined}>
                  {theirs(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{drawn}</tbody>
        </table>
      </div>
      {hidden > 0 && <p class="quiet above">{words.hiddenFields({ count: hidden })}</p>}
    </>
  );
}

function TableRow({ row, columns }: ItemProps & Pick<TableProps, 'columns'>) {
  const words = useWords();
  const open = useOpen();
  const number = formatNumber(row.index + 1);
  return (
    <>
      <tr>
        <th scope="row">
          <Opener {...open} label={words.item({ number })}>
            {number}
          </Opener>
        </th>
        {columns.map(({ key, isNumeric }) => (
          <td key={key} class={isNumeric ? 'numeric' : undefined}>
            {isObject(row.value) && <bdi>{cellText(row.value[key])}</bdi>}
          </td>
        ))}
      </tr>
      {open.isOpen && (
        <tr>
          <td colSpan={columns.length + 1}>
            <Detail row={row} id={open.id} />
          </td>
        </tr>
      )}
    </>
  );
}

/** A page of a crawl: title, address, and how it begins, or why it was not read. */
function PageRow({ row }: ItemProps) {
  const open = useOpen();
  const item = readPageItem(row.value);
  return (
    <li>
      <div class="c-head cluster">
        <Opener {...open}>
          <bdi class="c-name clip">{item !== null && reveal(item.title)}</bdi>
          {item !== null && item.status >= 400 && <Badge tone="bad">{item.status}</Badge>}
        </Opener>
        {item !== null && <Link href={item.href} />}
      </div>
      {item?.error !== undefined && <p class="c-excerpt clip bad">{reveal(item.error)}</p>}
      {item !== null && item.error === undefined && item.excerpt !== '' && (
        <p class="c-excerpt clip dim" dir="auto">
          {reveal(item.excerpt)}
        </p>
      )}
      {open.isOpen && <Detail row={row} id={open.id} />}
    </li>
  );
}

/** Anything else: one line of JSON. */
function LineRow({ row }: ItemProps) {
  const words = useWords();
  const open = useOpen();
  return (
    <li>
      <Opener {...open}>
        <span class="number">{formatNumber(row.index + 1)}</span>
        <code class="c-name clip">
          <bdi>{reveal(summarise(row.value) || words.null)}</bdi>
        </code>
      </Opener>
      {open.isOpen && <Detail row={row} id={open.id} />}
    </li>
  );
}

/** Copies the shown items, for a program or for a table. */
function RecordCopy({ rows }: { readonly rows: readonly JsonValue[] }) {
  const words = useWords();
  const csv = toCsv(rows);
  const label = words.copyOf({ count: rows.length });
  return (
    <div class="cluster">
      <CopyButton
        text={JSON.stringify(rows, null, 2)}
        name={words.copyAs({ format: 'JSON' })}
        label={label}
      />
      {csv !== null && <CopyButton text={csv} name={words.copyAs({ format: 'CSV' })} label={label} />}
    </div>
  );
}

/** As many rows as a person takes in at once. */
const PAGE_ROWS = 10;

interface Props extends Partial<ItemPage> {
  /** All items; with a `pager`, those of the shown page. */
  readonly rows: readonly JsonValue[];
  /** Adds a button that copies the shown records. */
  readonly canCopy?: boolean;
}

/** Items with all their fields: flat records as a table, pages of a crawl as a list, others as lines. */
export function RecordTable(props: Props) {
  const words = useWords();
  const [at, setAt] = useState(0);
  const { offset = 0, pager } = props;
  const shown = pager === undefined ? pageAt(at, setAt, props) : { ...props, offset, pager };
  if (shown.rows.length === 0 && shown.offset === 0) return <p class="c-empty dim">{words.noItems}</p>;
  const rows = rowsOf(shown.rows, shown.offset);
  const layout = layoutOf(rows);
  const Item = layout.kind === 'pages' ? PageRow : LineRow;
  const items = rows.map((row) => <Item key={row.index} row={row} />);
  return (
    <section class="c-records" aria-label={words.items} aria-busy={props.isBusy ?? false}>
      <div class="c-rows">
        {layout.kind === 'table' && <RecordRows rows={rows} {...layout} />}
        {layout.kind === 'requests' && <RequestTable entries={readEntries(shown.rows) ?? []} />}
        {(layout.kind === 'pages' || layout.kind === 'lines') && (
          <ol class="c-lines" start={shown.offset + 1}>
            {items}
          </ol>
        )}
      </div>
      <ItemsFooter {...shown} />
    </section>
  );
}

/** A page of items that are all in memory. */
function pageAt(at: number, setAt: (at: number) => void, { rows, offset = 0, total, ...props }: Props) {
  const start = at < rows.length ? at : 0;
  const pager: ItemPage['pager'] = {
    hasPrevious: start > 0,
    hasNext: start + PAGE_ROWS < rows.length,
    turn: (direction) => setAt(start + (direction === 'next' ? PAGE_ROWS : -PAGE_ROWS)),
  };
  return {
    ...props,
    rows: rows.slice(start, start + PAGE_ROWS),
    offset: offset + start,
    total: total ?? offset + rows.length,
    pager,
  };
}

type FooterProps = Pick<Props, 'rows' | 'offset' | 'total' | 'canCopy'> & Pick<ItemPage, 'pager'>;

/** The range of shown items, the copy button, and the way to other pages. */
export function ItemsFooter({ rows, pager, canCopy = false, ...props }: FooterProps) {
  const { offset = 0, total = offset + rows.length } = props;
  const words = useWords();
  // A disabled button keeps the focus: it is dimmed, not removed.
  const turn = (direction: 'previous' | 'next', has: boolean) => (
    <Button aria-disabled={!has} onClick={() => has && void pager.turn(direction)}>
      {words[direction]}
    </Button>
  );
  return (
    <footer class="c-items-footer cluster dim">
      <p class="number">
        {rows.length === 0
          ? words.count({ count: total })
          : words.range({
              first: formatNumber(offset + 1),
              last: formatNumber(offset + rows.length),
              total: formatNumber(Math.max(total, offset + rows.length)),
            })}
      </p>
      {canCopy && rows.length > 0 && <RecordCopy rows={rows} />}
      {(pager.hasPrevious || pager.hasNext) && (
        <nav class="together end" aria-label={words.pages}>
          {turn('previous', pager.hasPrevious)}
          {turn('next', pager.hasNext)}
        </nav>
      )}
    </footer>
  );
}
