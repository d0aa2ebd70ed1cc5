import type { JSX } from 'preact';
import { type JsonValue, isObject } from '../../../shared/json.ts';
import { formatNumber, formatSize } from '../../words/format.ts';
import { Opener, useOpen } from './opener.tsx';
import { type Column, type Row, readPageItem, summarise } from './layout.ts';
import { Markdown } from './markdown.tsx';
import { formatAddress, safeHref } from './text.ts';
import { Value } from './value.tsx';
import { useWords } from '../../words/en/components.ts';
import { reveal } from '../../../shared/policy/reveal.ts';

export function Detail({ row, id }: { readonly row: Row; readonly id: string }): JSX.Element {
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

interface TableProps {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly hidden?: number;
}

/** Flat records, one column per key. */
export function RecordRows({ columns, hidden = 0, rows }: TableProps): JSX.Element {
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
                  <bdi>{reveal(key)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={row.index} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <p class="c-quiet c-hint">{words.hiddenFields(hidden)}</p>}
    </>
  );
}

function TableRow({ row, columns }: Pick<TableProps, 'columns'> & { readonly row: Row }): JSX.Element {
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
              {isObject(row.value) && <bdi>{cellText(row.value[key])}</bdi>}
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
