import type { ComponentChildren, JSX } from 'preact';
import { type JsonObject, type JsonValue, isObject } from '../../../shared/json.ts';
import { formatDuration, formatNumber, formatSize } from '../../words/format.ts';
import { Badge } from './marks.tsx';
import { Opener, useOpen } from './opener.tsx';
import { type Column, type Row, readPageItem, readRequest, summarise } from './layout.ts';
import { Markdown } from './markdown.tsx';
import { formatAddress, safeHref } from './text.ts';
import { Value } from './value.tsx';
import { useWords } from '../../words/en/components.ts';
import { reveal } from '../../../shared/policy/reveal.ts';

export interface RowsProps {
  readonly rows: readonly Row[];
}

interface DetailProps {
  readonly row: Row;
  readonly id: string;
}

export function Detail({ row, id }: DetailProps): JSX.Element {
  const words = useWords();
  return (
    <div class="c-detail" id={id} role="region" aria-label={words.item(formatNumber(row.index + 1))}>
      {row.oversizedBytes === undefined ? (
        <Whole value={row.value} />
      ) : (
        <p class="c-quiet">{words.tooLargeDetail(formatSize(row.oversizedBytes))}</p>
      )}
    </div>
  );
}

/** An item with all its fields; a page's Markdown is rendered. */
function Whole({ value }: { readonly value: JsonValue }): JSX.Element {
  if (!isObject(value) || readPageItem(value) === null) return <Value value={value} />;
  const { markdown, ...fields } = value;
  if (typeof markdown !== 'string' || markdown === '') return <Value value={value} />;
  return (
    <>
      <Value value={fields} />
      <div class="c-page">
        <Markdown text={markdown} />
      </div>
    </>
  );
}

/** Addresses without what they share; the detail has them as links. */
const cellText = (value: JsonValue | undefined): string =>
  reveal(typeof value === 'string' && safeHref(value) !== null ? formatAddress(value) : summarise(value));

interface TableProps extends RowsProps {
  readonly columns: readonly Column[];
  readonly cellOf: (row: JsonObject, key: string) => ComponentChildren;
  readonly titleOf?: (key: string) => string;
  readonly hidden?: number;
}

/** Flat records, one column per key. */
export const RecordRows = (props: Omit<TableProps, 'cellOf' | 'titleOf'>): JSX.Element => (
  <Table {...props} cellOf={(record, key) => <bdi>{cellText(record[key])}</bdi>} />
);

const REQUEST_COLUMNS: readonly Column[] = [
  { key: 'method', isNumeric: false },
  { key: 'status', isNumeric: false },
  { key: 'url', isNumeric: false },
  { key: 'type', isNumeric: false },
  { key: 'size', isNumeric: true },
  { key: 'time', isNumeric: true },
];

/** Network requests by their distinguishing fields; the detail has everything. */
export function RequestRows(props: RowsProps): JSX.Element {
  const { requestColumns: titles } = useWords();
  return (
    <Table
      {...props}
      columns={REQUEST_COLUMNS}
      titleOf={(key) => Object.entries(titles).find(([name]) => name === key)?.[1] ?? key}
      cellOf={requestCell}
    />
  );
}

function requestCell(record: JsonObject, key: string): ComponentChildren {
  const request = readRequest(record);
  if (request === null) return null;
  const { method, status, url, type, sizeBytes, durationMs, error } = request;
  switch (key) {
    case 'method':
      return <code>{reveal(method)}</code>;
    case 'status':
      return (
        <Badge tone={error !== null || status >= 400 || status === 0 ? 'bad' : 'plain'}>
          {error === null ? String(status) : reveal(error)}
        </Badge>
      );
    case 'url':
      return <bdi title={reveal(url)}>{reveal(formatAddress(url))}</bdi>;
    case 'type':
      return <bdi>{reveal(type ?? '')}</bdi>;
    case 'size':
      return sizeBytes === null ? '' : formatSize(sizeBytes);
    default:
      return durationMs === null ? '' : formatDuration(durationMs);
  }
}

function Table({ columns, hidden = 0, ...props }: TableProps): JSX.Element {
  const words = useWords();
  return (
    <>
      <div class="c-scroll">
        <table>
          <caption class="c-unseen">{words.caption}</caption>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map(({ key, isNumeric }) => (
                <th key={key} scope="col" class={isNumeric ? 'numeric' : undefined}>
                  <bdi>{reveal(props.titleOf?.(key) ?? key)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.map((row) => (
              <TableRow key={row.index} row={row} columns={columns} cellOf={props.cellOf} />
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <p class="c-quiet c-hint">{words.hiddenFields(hidden)}</p>}
    </>
  );
}

function TableRow({
  row,
  columns,
  cellOf,
}: Pick<TableProps, 'columns' | 'cellOf'> & { readonly row: Row }): JSX.Element {
  const words = useWords();
  const open = useOpen();
  const number = formatNumber(row.index + 1);
  return (
    <>
      <tr>
        <th scope="row">
          <Opener {...open} label={words.item(number)}>
            {number}
          </Opener>
        </th>
        {row.oversizedBytes === undefined ? (
          columns.map(({ key, isNumeric }) => (
            <td key={key} class={isNumeric ? 'numeric' : undefined}>
              {isObject(row.value) && cellOf(row.value, key)}
            </td>
          ))
        ) : (
          <td class="c-quiet" colSpan={columns.length}>
            {words.tooLarge(formatSize(row.oversizedBytes))}
          </td>
        )}
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
