import type { JSX } from 'preact';
import { useWords } from './words.ts';

interface Props {
  readonly lines?: number;
  /** What a screen reader says of what is on the way. */
  readonly label?: string;
}

/** Where something will be that is on the way. */
export function Skeleton({ lines = 3, label }: Props): JSX.Element {
  const words = useWords();
  return (
    <div class="c-skeleton" role="status">
      <span class="c-unseen">{label ?? words.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="c-bone" aria-hidden="true" />
      ))}
    </div>
  );
}
