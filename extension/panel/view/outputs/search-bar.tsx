import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChevronDown, ChevronUp } from 'lucide-preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { OutputsStrings } from '../../words/outputs.ts';
import type { Found, OpenedOutput } from './opened-output.ts';

interface Props {
  readonly output: OpenedOutput;
  readonly words: OutputsStrings;
}

/** Finds a text in an output. Enter goes to the next match, with Shift to the one before; Escape ends the search. */
export function SearchBar({ output, words }: Props): JSX.Element {
  const found = output.found.value;
  const [text, setText] = useState('');
  const go = (step: 1 | -1): void => {
    void (found === null || found.text !== text.trim() ? output.search(text.trim()) : output.match(step));
  };
  const shown = found === null || found.at < 0 ? null : (found.matches[found.at] ?? null);
  return (
    <search class="output-search">
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          if (currentTarget.value === '') void output.search('');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
      />
      <button
        type="button"
        class="small"
        aria-label={words.previous}
        title={words.previous}
        onClick={() => go(-1)}
      >
        <ChevronUp size={14} aria-hidden="true" />
      </button>
      <button type="button" class="small" aria-label={words.next} title={words.next} onClick={() => go(1)}>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      <span class="quiet" role="status">
        {found !== null && stateOf(found, words)}
      </span>
      {shown !== null && (
        <p class="match">
          <bdi>
            {reveal(shown.before)}
            <mark>{reveal(shown.match)}</mark>
            {reveal(shown.after)}
          </bdi>
        </p>
      )}
    </search>
  );
}

function stateOf({ matches, at, next, isSearching, failure }: Found, words: OutputsStrings): string {
  if (isSearching) return words.searching;
  if (failure !== null) return words.searchFailed(reveal(failure.hint ?? failure.message));
  if (matches.length === 0) return words.noMatches;
  return words.matchOf(at + 1, matches.length, next === null);
}
