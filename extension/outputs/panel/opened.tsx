import {
  Button,
  Problem,
  KeyValues,
  Skeleton,
  CodeBlock,
  FilterField,
  Picture,
  theirs,
} from '../../ui/kit.tsx';
import { whyOf } from '../../ui/frame/feed-client.ts';
import { type OutputWords, outputTexts } from '../../ui/words/en/parts.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWords, type ComponentWords } from '../../ui/words/en/components.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import type { ListedOutput } from '../../ui/frame/home-lists.ts';
import { formatMoment, formatSize } from '../../ui/words/format.ts';
import { useToolTitle } from '../../ui/frame/call-face.tsx';
import { onEscape } from '../../ui/frame/panel-context.tsx';
import { findIn } from '../../ui/page-text.tsx';
import type { TextSearch, OpenedOutput } from './opened-output.ts';
import { isKeptIn, type OfOutput, OutputActions } from './output-actions.tsx';
import type { JsonValue } from '../../../shared/base/json.ts';
import type { FeedAnswer } from '../../ui/frame/feed-port.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { readJson } from '../../ui/text.ts';
import { ChevronDown, ChevronUp } from 'lucide-preact';

/** Names of the highlights in `outputs.css`: the shown content may have a search of its own. */
const ALL = 'output-match';
const SHOWN = 'output-match-shown';
/** Words of the panel itself. */
const OURS = 'figcaption, summary';

const isTheirs = ({ startContainer }: Range): boolean => startContainer.parentElement?.closest(OURS) === null;

export function Opened({ output, listed, onBack }: OfOutput & { readonly onBack: () => void }) {
  const words = useTexts(outputTexts);
  const titleOf = useToolTitle();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const page = output.page.value;
  const state = output.state.value;
  return (
    <section class="opened" aria-labelledby="output-title" onKeyDown={onEscape(onBack)}>
      <div class="line title">
        <h2 id="output-title" ref={title} tabIndex={-1}>
          {listed === null ? words.handle : titleOf(listed.source_tool)}{' '}
          <code class="dim">{reveal(output.handle)}</code>
        </h2>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
      {listed !== null && (
        <KeyValues
          rows={[
            [words.type, theirs(listed.mime_type)],
            [words.size, formatOutputSize(listed, words)],
            [words.made, formatMoment(listed.created_at_ms)],
            [isKeptIn(listed) ? words.kept : words.expires, keptOf(listed, words)],
            [words.note, theirs(listed.kept?.note ?? null)],
          ]}
        />
      )}
      {state === 'gone' ? (
        <p class="notice" role="alert">
          {words.gone}
        </p>
      ) : (
        <>
          <OutputActions output={output} listed={listed} onDeleted={onBack} />
          <SearchBar output={output} />
        </>
      )}
      {state === 'reading' && <Skeleton lines={6} label={words.reading} />}
      {state === 'failed' && (
        <Problem again={{ name: words.again, do: () => void output.again() }}>
          {words.unreadable} {whyOf(output.failure.value)}
        </Problem>
      )}
      {page !== null && state !== 'gone' && <MarkedContent output={output} page={page} />}
    </section>
  );
}

/**
 * A page with its matches highlighted wherever it shows them, including parts that load or open later. The content
 * itself is not changed.
 */
function MarkedContent(props: ContentProps) {
  const { output, page } = props;
  const content = useRef<HTMLDivElement>(null);
  const found = output.found.value;
  const text = found?.text;
  const isAtMatch = found?.matches[found.at]?.offset === page.offset;
  useEffect(() => {
    const root = content.current;
    if (root === null || text === undefined) return;
    const mark = (): void => {
      const all = findIn(root, reveal(text)).filter(isTheirs);
      CSS.highlights.set(ALL, new Highlight(...all.slice(isAtMatch ? 1 : 0)));
      CSS.highlights.set(SHOWN, new Highlight(...all.slice(0, isAtMatch ? 1 : 0)));
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(SHOWN);
    };
  }, [text, isAtMatch, page]);
  return (
    <div ref={content}>
      <Content {...props} />
    </div>
  );
}

function keptOf(listed: ListedOutput, words: OutputWords): string {
  if (!isKeptIn(listed)) return formatMoment(listed.expires_at_ms);
  const { by } = listed.kept ?? {};
  return by === undefined ? words.keptAlways : { person: words.keptByPerson, agent: words.keptByAgent }[by];
}

const formatOutputSize = (
  { size_bytes: size, item_count: items }: ListedOutput,
  words: OutputWords,
): string => (items === null ? formatSize(size) : `${formatSize(size)} · ${words.items({ count: items })}`);

type ContentProps = { readonly output: OpenedOutput; readonly page: FeedAnswer<'outputs.page'> };

function Content({ output, page }: ContentProps) {
  const words = useTexts(outputTexts);
  if (page.total === 0) return <p class="quiet">{words.empty}</p>;
  if (page.unit === 'items')
    return (
      <RecordTable
        rows={page.items ?? []}
        offset={page.offset}
        total={page.total}
        pager={{
          hasPrevious: output.hasPrevious,
          hasNext: page.next_offset !== null,
          turn: (direction) => (direction === 'next' ? output.next() : output.previous()),
        }}
      />
    );
  return (
    <>
      <Bytes page={page} />
      {(output.hasPrevious || page.next_offset !== null) && page.text !== undefined && (
        <nav class="cluster" aria-label={words.pages}>
          <Button aria-disabled={!output.hasPrevious} onClick={() => void output.previous()}>
            {words.previousPage}
          </Button>
          <Button aria-disabled={page.next_offset === null} onClick={() => void output.next()}>
            {words.nextPage}
          </Button>
          <span class="quiet">
            {words.bytes({
              from: formatSize(page.offset),
              to: formatSize(page.next_offset ?? page.total),
              total: formatSize(page.total),
            })}
          </span>
        </nav>
      )}
    </>
  );
}

function Bytes({ page }: Pick<ContentProps, 'page'>) {
  const words = useTexts(outputTexts);
  const { text, base64, mime_type: type, total } = page;
  const isWhole = page.offset === 0 && page.next_offset === null;
  if (text === undefined) {
    if (isWhole && type.startsWith('image/'))
      return <Picture mime_type={type} base64={base64 ?? ''} alt="" />;
    return <p class="quiet">{words.binary}</p>;
  }
  // Markdown only makes sense from its beginning: later pages are shown as written.
  if (type.startsWith('text/markdown') && isWhole) return <Markdown text={text} />;
  const json = type.startsWith('application/json') && isWhole ? readJson(text) : undefined;
  if (isList(json)) return <RecordTable rows={json} />;
  return (
    <CodeBlock
      text={json === undefined ? text : JSON.stringify(json, null, 2)}
      label={`${type}, ${formatSize(total)}`}
    />
  );
}

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** Finds a text in an output. Enter goes to the next match, Shift+Enter to the previous one; Escape ends the search. */
function SearchBar({ output }: { readonly output: OpenedOutput }) {
  const words = useTexts(outputTexts);
  const components = useWords();
  const found = output.found.value;
  const [text, setText] = useState('');
  const go = (step: 1 | -1): void => {
    void (found === null || found.text !== text.trim() ? output.search(text.trim()) : output.match(step));
  };
  const shown = found?.matches[found.at];
  return (
    <search class="output-search cluster">
      <FilterField
        label={words.search}
        value={text}
        maxLength={200}
        onInput={(now) => {
          setText(now);
          if (now === '') void output.search('');
        }}
        onEnter={({ shiftKey }) => go(shiftKey ? -1 : 1)}
      />
      <Button aria-label={components.previousMatch} title={components.previousMatch} onClick={() => go(-1)}>
        <ChevronUp size={14} aria-hidden="true" />
      </Button>
      <Button aria-label={components.nextMatch} title={components.nextMatch} onClick={() => go(1)}>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <span class="quiet" role="status">
        {found !== null && describeOpened(found, words, components)}
      </span>
      {shown !== undefined && (
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

function describeOpened(
  { matches, at, next, isSearching, failure }: TextSearch,
  words: OutputWords,
  components: ComponentWords,
): string {
  if (isSearching) return words.searching;
  if (failure !== null) return words.searchFailed({ why: whyOf(failure) });
  if (matches.length === 0) return components.noMatch;
  return (next === null ? words.matchOf : words.matchOfMore)({ index: at + 1, count: matches.length });
}
