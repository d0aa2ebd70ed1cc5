import type { ComponentChildren, JSX } from 'preact';
import { isObject, type JsonValue } from '../../../../shared/json.ts';
import { formatAddress, formatBytes, formatCount, safeHref } from '../model/format.ts';
import { readPageItem, summarise, type Column, type PageItem } from '../model/layout.ts';
import type { Page, Row } from '../model/pages.ts';
import { Chevron } from './icons.tsx';
import { Link, Value } from './value.tsx';

export interface RowsProps {
  readonly page: Page;
  /** Index of the item whose detail is open. */
  readonly open: number | null;
  /** Row that the tab key reaches. */
  readonly here: number;
  readonly onFocus: (row: number) => void;
  readonly onToggle: (index: number) => void;
  readonly openLink: ((href: string) => void) | null;
}

const detailId = ({ index }: Row): string => `detail-${index}`;

interface OpenerProps extends Pick<RowsProps, 'open' | 'here' | 'onFocus' | 'onToggle'> {
  readonly row: Row;
  readonly position: number;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** The button that opens a row's detail, and by which a keyboard goes from row to row. */
function Opener({ row, position, open, here, onFocus, onToggle, label, children }: OpenerProps): JSX.Element {
  const isOpen = open === row.index;
  return (
    <button
      type="button"
      class="opener"
      data-row={position}
      tabIndex={position === here ? 0 : -1}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId(row) : undefined}
      aria-label={label}
      onFocus={() => onFocus(position)}
      onClick={() => onToggle(row.index)}
    >
      <Chevron />
      {children}
    </button>
  );
}

function Detail({ row, openLink }: { readonly row: Row } & Pick<RowsProps, 'openLink'>): JSX.Element {
  return (
    <div class="detail" id={detailId(row)} role="region" aria-label={`Item ${formatCount(row.index + 1)}`}>
      {row.oversizedBytes === undefined ? (
        <Value value={row.value} openLink={openLink} />
      ) : (
        <p class="quiet">
          This item has {formatBytes(row.oversizedBytes)} and is too large for a page. Ask for it in the
          conversation: the stored output has it in full.
        </p>
      )}
    </div>
  );
}

interface TableProps extends RowsProps {
  readonly columns: readonly Column[];
  readonly hidden: number;
}

/** Addresses by what tells them apart; the detail has them as links. */
const cellOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' && safeHref(value) !== null ? formatAddress(value) : summarise(value);

/** Flat records: a column a key. */
export function TableRows({ columns, hidden, ...rows }: TableProps): JSX.Element {
  const { page, open, openLink } = rows;
  return (
    <>
      <div class="scroll">
        <table>
          <caption class="unseen">Items; the button of a row opens all its fields</caption>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map(({ key, isNumeric }) => (
                <th key={key} scope="col" class={isNumeric ? 'numeric' : undefined}>
                  {key}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, position) => [
              <tr key={row.index}>
                <th scope="row">
                  <Opener
                    {...rows}
                    row={row}
                    position={position}
                    label={`Item ${formatCount(row.index + 1)}`}
                  >
                    {formatCount(row.index + 1)}
                  </Opener>
                </th>
                {row.oversizedBytes === undefined ? (
                  columns.map(({ key, isNumeric }) => (
                    <td key={key} class={isNumeric ? 'numeric' : undefined}>
                      {isObject(row.value) ? cellOf(row.value[key]) : ''}
                    </td>
                  ))
                ) : (
                  <td class="quiet" colSpan={columns.length}>
                    {formatBytes(row.oversizedBytes)}: too large for a page
                  </td>
                )}
              </tr>,
              open === row.index && (
                <tr key={`detail ${row.index}`}>
                  <td colSpan={columns.length + 1}>
                    <Detail row={row} openLink={openLink} />
                  </td>
                </tr>
              ),
            ])}
          </tbody>
        </table>
      </div>
      {hidden > 0 && (
        <p class="quiet hint">
          {formatCount(hidden)} more {hidden === 1 ? 'field' : 'fields'} in each item.
        </p>
      )}
    </>
  );
}

/** Pages of a crawl: title, address, how it begins. */
export function PageRows(rows: RowsProps): JSX.Element {
  const { page, open, openLink } = rows;
  return (
    <ol class="lines" start={page.offset + 1}>
      {page.rows.map((row, position) => {
        const item = isObject(row.value) ? readPageItem(row.value) : null;
        return (
          <li key={row.index}>
            <div class="head">
              <Opener {...rows} row={row} position={position}>
                <span class="name">{item?.title ?? tooLarge(row)}</span>
                {item?.status !== null && item?.status !== undefined && item.status >= 400 && (
                  <span class="badge">{item.status}</span>
                )}
              </Opener>
              {item !== null && <Link href={item.href} openLink={openLink} />}
            </div>
            {item !== null && <Begin item={item} />}
            {open === row.index && <Detail row={row} openLink={openLink} />}
          </li>
        );
      })}
    </ol>
  );
}

/** How a page begins, or why it was not read. */
function Begin({ item }: { readonly item: PageItem }): JSX.Element | null {
  const { error, excerpt } = item;
  if (error !== null) return <p class="excerpt bad">{error}</p>;
  return excerpt === '' ? null : <p class="excerpt">{excerpt}</p>;
}

const tooLarge = ({ oversizedBytes }: Row): string =>
  oversizedBytes === undefined ? 'Item' : `${formatBytes(oversizedBytes)}: too large for a page`;

/** Anything else: a line of JSON an item. */
export function LineRows(rows: RowsProps): JSX.Element {
  const { page, open, openLink } = rows;
  return (
    <ol class="lines" start={page.offset + 1}>
      {page.rows.map((row, position) => (
        <li key={row.index}>
          <Opener {...rows} row={row} position={position}>
            <span class="number-of">{formatCount(row.index + 1)}</span>
            <code class="name">
              {row.oversizedBytes === undefined ? summarise(row.value) || 'null' : tooLarge(row)}
            </code>
          </Opener>
          {open === row.index && <Detail row={row} openLink={openLink} />}
        </li>
      ))}
    </ol>
  );
}
