import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber } from '../../../words/format.ts';
import type { Streaming } from '../../tools/face.ts';
import { Skeleton } from '../skeleton.tsx';
import { Value } from '../value.tsx';
import { generalTexts } from './words.ts';

/** How far a call is, and what it has brought so far. */
export const GeneralStreaming: Streaming = ({ call: { progress }, items, language, actions }) => {
  const words = generalTexts[language];
  return (
    <div class="f-face" role="status">
      {progress === null ? (
        <Skeleton lines={3} label={words.arriving} />
      ) : (
        <p class="f-progress">
          <bdi>{progress.message === null ? words.arriving : reveal(progress.message)}</bdi>
          <span class="c-quiet">
            {progress.total === null
              ? formatNumber(progress.done)
              : words.progress(formatNumber(progress.done), formatNumber(progress.total))}
          </span>
        </p>
      )}
      {progress !== null && progress.total !== null && progress.total > 0 && (
        <progress max={progress.total} value={progress.done} aria-label={words.arriving} />
      )}
      {items.length > 0 && <Value value={items} openLink={actions.openLink} />}
    </div>
  );
};
