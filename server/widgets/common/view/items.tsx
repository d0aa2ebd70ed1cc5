import type { JSX } from 'preact';
import { RecordTable } from '../../../../extension/panel/components/record-table.tsx';
import { Skeleton } from '../../../../extension/panel/components/skeleton.tsx';
import type { Run } from '../model/answer.ts';
import type { ToolWidget } from '../model/tool-widget.ts';
import { Export } from './export.tsx';

interface Props {
  readonly widget: ToolWidget;
  readonly run?: Run;
  /** Where the items are stored. */
  readonly handle?: string | undefined;
  readonly canExport?: boolean;
}

/** The items of a page, and the way to the others. */
export function Items({
  widget,
  run,
  handle = run?.output_handle,
  canExport = false,
}: Props): JSX.Element | null {
  const { page, trail, isLoading } = widget.items;
  const { value: words } = widget.words;
  const { value: shown } = page;
  if (shown === null) return isLoading.value ? <Skeleton lines={4} label={words.readingItems} /> : null;
  if (shown.rows.length === 0 && shown.offset === 0)
    return <p class="c-empty">{run === undefined ? words.noItems : words.noItemsYet}</p>;
  const oversized = new Map(
    shown.rows.flatMap(({ index, oversizedBytes }) =>
      oversizedBytes === undefined ? [] : [[index, oversizedBytes] as const],
    ),
  );
  return (
    <RecordTable
      rows={shown.rows.map(({ value }) => value)}
      offset={shown.offset}
      total={shown.total}
      oversized={oversized}
      openLink={widget.linkOpener()}
      isBusy={isLoading.value}
      pager={{
        hasPrevious: trail.value.length > 1,
        hasNext: shown.nextOffset !== null,
        turn: (direction) => widget.turn(direction),
      }}
    >
      {handle !== undefined && (
        <p class="handle">
          {words.storedAs} <code>{handle}</code>
        </p>
      )}
      {canExport && <Export widget={widget} rows={shown.rows.map(({ value }) => value)} />}
    </RecordTable>
  );
}
