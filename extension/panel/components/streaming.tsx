import { reveal } from '../../../shared/policy/reveal.ts';
import { formatNumber } from '../../words/format.ts';
import type { Streaming } from '../tools/face.ts';
import { Skeleton } from './marks.tsx';
import { useRunWords } from './run-facts.tsx';
import { RecordTable } from './record-table.tsx';

/** In unfinished work people look for the newest items. */
const NEWEST = 10;

export const RunStreaming: Streaming = ({ call: { progress }, items }) => {
  const words = useRunWords();
  const newest = items.slice(-NEWEST);
  return (
    <div class="f-face">
      <div role="status">
        {progress === null ? (
          <Skeleton lines={3} label={words.status.running} />
        ) : (
          <>
            {progress.message !== null && (
              <p>
                <bdi>{reveal(progress.message)}</bdi>
              </p>
            )}
            <div class="c-progress">
              <progress
                aria-label={words.progress}
                {...(progress.total === null
                  ? {}
                  : { max: Math.max(1, progress.total), value: progress.done })}
              />
              <span>
                {progress.total === null
                  ? formatNumber(progress.done)
                  : words.done(formatNumber(progress.done), formatNumber(progress.total))}
              </span>
            </div>
          </>
        )}
      </div>
      {newest.length > 0 && (
        <section class="f-part">
          <h3>{words.newest}</h3>
          <RecordTable rows={newest} offset={items.length - newest.length} total={items.length} />
        </section>
      )}
    </div>
  );
};
