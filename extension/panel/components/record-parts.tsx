import type { ComponentChildren, JSX } from 'preact';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import { formatNumber, formatSize } from '../../words/format.ts';
import { Icon } from './icon.tsx';
import { readPageItem, type Row } from './layout.ts';
import { Markdown } from './markdown.tsx';
import type { OpenLink } from './text.ts';
import { Value } from './value.tsx';
import { useWords } from './words.ts';

export interface RowsProps {
  readonly rows: readonly Row[];
  /** Index of the first of them among all. */
  readonly offset: number;
  /** Index of the item whose detail is open. */
  readonly open: number | null;
  /** Row that the tab key reaches. */
  readonly here: number;
  readonly onFocus: (row: number) => void;
  readonly onToggle: (index: number) => void;
  readonly openLink: OpenLink;
}

export interface ItemProps extends RowsProps {
  readonly row: Row;
  readonly position: number;
}

interface OpenerProps extends Pick<ItemProps, 'row' | 'position' | 'open' | 'here' | 'onFocus' | 'onToggle'> {
  readonly detailId: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** The button that opens a row's detail, and by which a keyboard goes from row to row. */
export function Opener(props: OpenerProps): JSX.Element {
  const { row, position, open, here, onFocus, onToggle, detailId, label, children } = props;
  const isOpen = open === row.index;
  return (
    <button
      type="button"
      class="c-opener"
      data-row={position}
      tabIndex={position === here ? 0 : -1}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId : undefined}
      aria-label={label}
      onFocus={() => onFocus(position)}
      onClick={() => onToggle(row.index)}
    >
      <Icon name="closed" size={12} />
      {children}
    </button>
  );
}

interface DetailProps {
  readonly row: Row;
  readonly id: string;
  readonly openLink: OpenLink;
}

export function Detail({ row, id, openLink }: DetailProps): JSX.Element {
  const words = useWords();
  return (
    <div class="c-detail" id={id} role="region" aria-label={words.item(formatNumber(row.index + 1))}>
      {row.oversizedBytes === undefined ? (
        <Whole value={row.value} openLink={openLink} />
      ) : (
        <p class="c-quiet">{words.tooLargeDetail(formatSize(row.oversizedBytes))}</p>
      )}
    </div>
  );
}

/** An item with all its fields; the Markdown of a page as it is read. */
function Whole({ value, openLink }: { readonly value: JsonValue; readonly openLink: OpenLink }): JSX.Element {
  if (!isObject(value) || readPageItem(value) === null) return <Value value={value} openLink={openLink} />;
  const { markdown, ...fields } = value;
  if (typeof markdown !== 'string' || markdown === '') return <Value value={value} openLink={openLink} />;
  return (
    <>
      <Value value={fields} openLink={openLink} />
      <div class="c-page">
        <Markdown text={markdown} openLink={openLink} />
      </div>
    </>
  );
}
