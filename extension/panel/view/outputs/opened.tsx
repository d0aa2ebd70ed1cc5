import type { ComponentProps, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { ListedOutput, OutputsStore } from '../../feed/outputs-store.ts';
import { formatMoment, formatSize } from '../../../words/format.ts';
import type { OutputsStrings } from '../../words/outputs.ts';
import { useToolTitle } from '../faces/face-props.ts';
import { findIn } from '../../components/find-in-page.ts';
import { Content } from './content.tsx';
import type { OpenedOutput } from './opened-output.ts';
import { isKeptIn, OutputActions } from './output-actions.tsx';
import { SearchBar } from './search-bar.tsx';

/** Names of the highlights in `outputs.css`: what is shown may have a search of its own. */
const ALL = 'output-match';
const SHOWN = 'output-match-shown';
/** Words of the panel itself. */
const OURS = 'figcaption, summary';

interface Marks {
  /** What is searched for; null while nothing is. */
  readonly text: string | null;
  /** What is shown begins with the match that a person has gone to. */
  readonly isAtMatch: boolean;
  /** Changes with what is shown. */
  readonly of: unknown;
}

/** Marks a text wherever an element shows it, also in what is loaded or opened later. The element itself is not changed. */
function useMarks(place: { readonly current: HTMLElement | null }, marks: Marks): void {
  const { text, isAtMatch, of } = marks;
  useEffect(() => {
    const root = place.current;
    if (root === null || text === null) return;
    const mark = (): void => {
      const found = findIn(root, reveal(text)).filter(isTheirs);
      CSS.highlights.set(ALL, new Highlight(...found.slice(isAtMatch ? 1 : 0)));
      CSS.highlights.set(SHOWN, new Highlight(...found.slice(0, isAtMatch ? 1 : 0)));
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(SHOWN);
    };
  }, [place, text, isAtMatch, of]);
}

const isTheirs = ({ startContainer }: Range): boolean => startContainer.parentElement?.closest(OURS) === null;

interface Props {
  readonly output: OpenedOutput;
  /** What the list says of it; null where it is not in the list. */
  readonly listed: ListedOutput | null;
  readonly store: OutputsStore;
  readonly words: OutputsStrings;
  readonly canDelete: boolean;
  readonly onBack: () => void;
}

/** One stored output. */
export function Opened({ output, listed, store, words, canDelete, onBack }: Props): JSX.Element {
  const titleOf = useToolTitle();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const page = output.page.value;
  const state = output.state.value;
  return (
    <section
      class="opened"
      aria-labelledby="output-title"
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLInputElement)) onBack();
      }}
    >
      <div class="line title">
        <h2 id="output-title" ref={title} tabIndex={-1}>
          {listed === null ? words.handle : titleOf(listed.source_tool)} <code>{reveal(output.handle)}</code>
        </h2>
        <button type="button" class="small" onClick={onBack}>
          {words.back}
        </button>
      </div>
      {listed !== null && <Facts listed={listed} words={words} />}
      {state === 'gone' && (
        <p class="notice" role="alert">
          {words.gone}
        </p>
      )}
      {state !== 'gone' && (
        <>
          <OutputActions
            output={output}
            listed={listed}
            store={store}
            words={words}
            canDelete={canDelete}
            onDeleted={onBack}
          />
          <SearchBar output={output} words={words} />
        </>
      )}
      {state === 'reading' && <Skeleton lines={6} label={words.reading} />}
      {state === 'failed' && (
        <p class="problem" role="alert">
          {words.unreadable} {reveal(output.failure.value?.hint ?? output.failure.value?.message ?? '')}{' '}
          <button type="button" class="small" onClick={() => void output.again()}>
            {words.again}
          </button>
        </p>
      )}
      {page !== null && state !== 'gone' && <MarkedContent output={output} page={page} words={words} />}
    </section>
  );
}

/** A page, with what is searched for marked in it. */
function MarkedContent(props: ComponentProps<typeof Content>): JSX.Element {
  const { output, page } = props;
  const content = useRef<HTMLDivElement>(null);
  const found = output.found.value;
  useMarks(content, {
    text: found?.text ?? null,
    isAtMatch: found?.matches[found.at]?.offset === page.offset,
    of: page,
  });
  return (
    <div ref={content}>
      <Content {...props} />
    </div>
  );
}

function Facts({ listed, words }: { readonly listed: ListedOutput } & Pick<Props, 'words'>): JSX.Element {
  const note = listed.kept?.note ?? null;
  return (
    <KeyValues
      rows={[
        [words.type, <bdi>{reveal(listed.mime_type)}</bdi>],
        [words.size, sizeOf(listed, words)],
        [words.made, formatMoment(listed.created_at_ms)],
        [words.kept, keptOf(listed, words)],
        ...(note === null ? [] : [[words.note, <bdi>{reveal(note)}</bdi>] as const]),
      ]}
    />
  );
}

function keptOf(listed: ListedOutput, words: OutputsStrings): string {
  if (!isKeptIn(listed)) return formatMoment(listed.expires_at_ms);
  const { by } = listed.kept ?? {};
  return by === undefined ? words.keptAlways : { person: words.keptByPerson, agent: words.keptByAgent }[by];
}

const sizeOf = ({ size_bytes: size, item_count: items }: ListedOutput, words: OutputsStrings): string =>
  items === null ? formatSize(size) : `${formatSize(size)} · ${words.items(items)}`;
