import type { JSX } from 'preact';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { Failure } from '../feed/feed-client.ts';

interface Props {
  readonly state: 'reading' | 'ready' | 'failed';
  /** Why it could not be read. */
  readonly failure: Failure | null;
  /** Rows that there are, and those of them that the filters let through. */
  readonly rows: { readonly all: number; readonly shown: number };
  readonly words: {
    readonly failed: string;
    readonly again: string;
    readonly reading: string;
    readonly noMatch: string;
    readonly nothing: string;
  };
  readonly onAgain: () => void;
}

/** Why a list cannot be read, or has no rows. */
export function ListState({ state, failure, rows, words, onAgain }: Props): JSX.Element {
  return (
    <>
      {state === 'failed' && (
        <p class="problem list-end" role="alert">
          {words.failed} {reveal(failure?.hint ?? failure?.message ?? '')}{' '}
          <button type="button" class="small" onClick={onAgain}>
            {words.again}
          </button>
        </p>
      )}
      {rows.shown === 0 && (
        <p class="quiet empty" role="status">
          {state === 'reading' && words.reading}
          {state === 'ready' && (rows.all > 0 ? words.noMatch : words.nothing)}
        </p>
      )}
    </>
  );
}
