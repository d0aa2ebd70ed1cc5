import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../../../../extension/panel/components/copy-button.tsx';
import { Icon } from '../../../../extension/panel/components/icon.tsx';
import { Markdown } from '../../../../extension/panel/components/markdown.tsx';
import { partsOf } from '../../../../extension/panel/components/markdown-parts.ts';
import { Skeleton } from '../../../../extension/panel/components/skeleton.tsx';
import { formatNumber, formatSize } from '../../../../extension/words/format.ts';
import type { Shown } from '../model/answer.ts';
import { withoutTitle } from '../model/page-facts.ts';
import type { WidgetProps } from './card.tsx';
import { findIn, highlight, type Match } from './find-in-page.ts';
import { AnyResult, StoredFacts } from './result.tsx';

/** A page as it is read: its Markdown, a search in it, and a way to copy it. */
export function PageResult({ widget, shown }: WidgetProps & { readonly shown: Shown }): JSX.Element {
  const { value: words } = widget.words;
  const { text, isLoading, leftBytes } = widget.text;
  if (text.value === null && isLoading.value) return <Skeleton lines={6} label={words.reading} />;
  if (text.value === null) return <AnyResult widget={widget} shown={shown} />;
  return (
    <>
      {text.value.trim() === '' ? (
        <p class="c-empty">{words.emptyPage}</p>
      ) : (
        <PageText widget={widget} text={text.value} />
      )}
      {leftBytes.value > 0 && (
        <button
          type="button"
          class="c-button"
          aria-disabled={isLoading.value}
          onClick={() => void widget.text.more()}
        >
          {isLoading.value ? words.reading : words.more(formatSize(leftBytes.value))}
        </button>
      )}
      {shown.kind === 'stored' && <StoredFacts widget={widget} stored={shown.stored} />}
    </>
  );
}

interface TextProps extends WidgetProps {
  readonly text: string;
}

function PageText({ widget, text }: TextProps): JSX.Element {
  const { value: words } = widget.words;
  const box = useRef<HTMLDivElement>(null);
  const body = useMemo(() => withoutTitle(text), [text]);
  const parts = useMemo(() => partsOf(body), [body]);
  const [shown, setShown] = useState(1);
  return (
    <section aria-label={words.text} class="page">
      <div class="bar-of-page" role="search">
        <Search widget={widget} parts={parts} shown={shown} onShow={setShown} box={box} />
        <CopyButton text={text} />
      </div>
      <div ref={box}>
        <Markdown text={body} openLink={widget.linkOpener()} topLevel={2} shown={shown} onShow={setShown} />
      </div>
    </section>
  );
}

interface SearchProps extends WidgetProps {
  readonly parts: readonly string[];
  readonly shown: number;
  readonly onShow: (parts: number) => void;
  readonly box: { readonly current: HTMLDivElement | null };
}

/** Finds a text in what is shown; where it is further down, the parts up to there are shown first. */
function Search({ widget, parts, shown, onShow, box }: SearchProps): JSX.Element {
  const { value: words } = widget.words;
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(-1);
  const [total, setTotal] = useState(0);
  const go = (wanted: string, from: number): void => {
    // What a part has not drawn yet is searched as it is written.
    const below = partsWith(parts, wanted, shown);
    const matches = find(box, wanted);
    const next =
      from >= matches.length && below.first !== null ? matches.length : cycle(from, matches.length);
    setTotal(matches.length + below.count);
    setAt(matches.length + below.count === 0 ? -1 : next);
    if (next >= matches.length && below.first !== null) {
      onShow(below.first + 1);
      requestAnimationFrame(() => show(find(box, wanted), next));
    } else show(matches, next);
  };
  return (
    <>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          value={query}
          placeholder={words.search}
          aria-label={words.search}
          onInput={({ currentTarget: { value } }) => {
            setQuery(value);
            go(value, 0);
          }}
          onKeyDown={({ key, shiftKey }) => {
            if (key === 'Enter') go(query, shiftKey ? at - 1 : at + 1);
          }}
        />
      </label>
      {query !== '' && (
        <>
          <button
            type="button"
            class="c-button"
            aria-label={words.previousMatch}
            onClick={() => go(query, at - 1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="c-button"
            aria-label={words.nextMatch}
            onClick={() => go(query, at + 1)}
          >
            <Icon name="open" />
          </button>
        </>
      )}
      <span class="matches" role="status">
        {query === ''
          ? ''
          : total === 0
            ? words.noMatch
            : words.matchOf(formatNumber(at + 1), formatNumber(total))}
      </span>
    </>
  );
}

const find = ({ current }: SearchProps['box'], query: string): readonly Match[] =>
  current === null ? [] : findIn(current, query);

/** Marks all, and brings one into view. */
function show(matches: readonly Match[], at: number): void {
  const match = matches[at];
  highlight(matches, match);
  match?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
}

const cycle = (at: number, count: number): number => (count === 0 ? 0 : ((at % count) + count) % count);

/** How often a text is in the parts that are not shown, and the first of them with it. */
function partsWith(
  parts: readonly string[],
  query: string,
  shown: number,
): { readonly first: number | null; readonly count: number } {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return { first: null, count: 0 };
  const counts = parts.map((part, at) => (at < shown ? 0 : part.toLowerCase().split(wanted).length - 1));
  const first = counts.findIndex((count) => count > 0);
  return { first: first < 0 ? null : first, count: counts.reduce((sum, count) => sum + count, 0) };
}
