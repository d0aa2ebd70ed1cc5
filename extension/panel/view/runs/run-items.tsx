import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { RecordTable } from '../../components/record-table.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { ItemsOfRun } from '../../feed/run-items-store.ts';
import { formatNumber } from '../../../words/format.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { ActionsContext } from '../faces/face-props.ts';

interface Props {
  readonly items: ItemsOfRun;
  readonly strings: PanelStrings;
}

/** The items of a run as they come. What is new comes after what a person reads, and moves nothing. */
export function RunItems({ items, strings: { runs: words, timeline } }: Props): JSX.Element {
  const { openLink } = useContext(ActionsContext);
  const rows = items.items.value;
  const first = items.first.value;
  const total = items.total.value ?? 0;
  const state = items.state.value;
  return (
    <div class="run-items">
      {state === 'reading' && <Skeleton lines={3} label={timeline.reading} />}
      {state === 'failed' && (
        <p class="problem" role="alert">
          {words.itemsFailed} {reveal(items.failure.value?.hint ?? items.failure.value?.message ?? '')}{' '}
          <button type="button" class="small" onClick={() => void items.more()}>
            {timeline.again}
          </button>
        </p>
      )}
      {state === 'ready' && rows.length === 0 && <p class="quiet">{words.noItems}</p>}
      {rows.length > 0 && (
        <>
          {first > 0 && (
            <button type="button" class="small" onClick={() => void items.earlier()}>
              {words.earlierItems}
            </button>
          )}
          <RecordTable rows={rows} offset={first} total={total} openLink={openLink} />
          {first + rows.length < total && (
            <button type="button" class="small" onClick={() => void items.more()}>
              {words.moreItems(formatNumber(total - first - rows.length))}
            </button>
          )}
        </>
      )}
    </div>
  );
}
