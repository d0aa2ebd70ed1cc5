import { Button, CodeBlock, CopyButton, FilterField, Icon, useWhole } from './kit.tsx';
import { Markdown } from './markdown.tsx';
import { withoutTitle } from './text.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from './words/format.ts';
import { useWords } from './words/en/components.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';

const BLOCK = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, figcaption, div';
/** More highlights would be useless. */
const MAX_MATCHES = 2_000;
const ALL = 'found';
const HERE = 'found-here';

/** Matches of a text in an element, wherever their elements begin and end. Ignores case; a match ends with its block. */
export function findIn(root: Element, query: string): readonly Range[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return blocksOf(root)
    .flatMap((nodes) => findInBlock(nodes, wanted))
    .slice(0, MAX_MATCHES);
}

/** Text nodes, grouped by block. */
function blocksOf(root: Element): readonly (readonly Text[])[] {
  const blocks = new Map<Element | null, Text[]>();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const block = node.parentElement?.closest(BLOCK) ?? null;
    if (node.parentElement?.closest('button, .unseen') !== null) continue;
    const nodes = blocks.get(block);
    if (nodes === undefined) blocks.set(block, [node]);
    else nodes.push(node);
  }
  return [...blocks.values()];
}

function findInBlock(nodes: readonly Text[], wanted: string): readonly Range[] {
  // Lower case lengthens some letters: such a block is searched case-sensitively.
  const whole = nodes.map(({ data }) => data).join('');
  const lower = whole.toLowerCase();
  const text = lower.length === whole.length ? lower : whole;
  const found: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(...pointOf(nodes, at));
    range.setEnd(...pointOf(nodes, at + wanted.length));
    found.push(range);
  }
  return found;
}

/** The node and the offset within it. */
function pointOf(nodes: readonly Text[], at: number): [Text | Node, number] {
  let left = at;
  for (const node of nodes) {
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  throw new RangeError('The place is after the end of its block.');
}

/** Highlights matches without changing the document; older browsers highlight nothing. */
function highlight(matches: readonly Range[], here: Range | undefined): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set(ALL, new Highlight(...matches));
  CSS.highlights.set(HERE, new Highlight(...(here === undefined ? [] : [here])));
}

interface PageTextProps {
  readonly text: string;
  /** Shown above it, and so not again at its beginning. */
  readonly title: string | null;
  readonly as: string;
  readonly label: string;
}

/** A page as it was read, with a search and a copy button. All of it is drawn once somebody searches. */
export function PageText({ text, title, as, label }: PageTextProps) {
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const shown = { text, label, isWhole };
  return (
    <section aria-label={words.page}>
      <div class="c-page-bar cluster" role="search" onFocusIn={() => setWhole(true)}>
        <Search box={box} />
        <CopyButton text={text} />
      </div>
      <div ref={box}>
        {as === 'markdown' && <Markdown text={withoutTitle(text, title)} isWhole={isWhole} />}
        {as === 'snapshot' && <PageLines {...shown} isDiff />}
        {as !== 'markdown' && as !== 'snapshot' && <CodeBlock {...shown} />}
      </div>
    </section>
  );
}

/** Finds a text in the page, all of which is drawn by then. */
function Search({ box }: { readonly box: { readonly current: HTMLDivElement | null } }) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const [{ at, total }, setPlace] = useState({ at: 0, total: 0 });
  useEffect(() => () => highlight([], undefined), []);
  const go = (wanted: string, to: number): void => {
    const matches = box.current === null ? [] : findIn(box.current, wanted);
    const { length } = matches;
    const next = length === 0 ? 0 : (to + length) % length;
    setPlace({ at: next, total: length });
    highlight(matches, matches[next]);
    matches[next]?.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  };
  const place =
    total === 0 ? words.noMatch : words.matchOf({ at: formatNumber(at + 1), total: formatNumber(total) });
  const step = (name: string, to: number, icon: ComponentChildren) => (
    <Button aria-label={name} onClick={() => go(query, to)}>
      {icon}
    </Button>
  );
  return (
    <>
      <label class="c-search">
        <Icon name="search" />
        <FilterField
          label={words.search}
          value={query}
          onInput={(value) => {
            setQuery(value);
            go(value, 0);
          }}
          onEnter={({ shiftKey }) => go(query, shiftKey ? at - 1 : at + 1)}
        />
      </label>
      {query !== '' && (
        <>
          {step(words.previousMatch, at - 1, <Icon name="up" />)}
          {step(words.nextMatch, at + 1, <Icon name="open" />)}
        </>
      )}
      <span class="c-matches number" role="status">
        {query === '' ? '' : place}
      </span>
    </>
  );
}

/** Lines shown at first. */
const SHOWN_LINES = 200;
/** Indentation, kind of change, and an element's ref. */
const LINE = /^(?<indent>\s*)(?<change>[+~-] )?(?<ref>e\d+ )?(?<text>.*)$/u;
const CHANGES: Readonly<Record<string, string>> = { '+ ': 'good', '- ': 'bad', '~ ': 'wait' };

interface PageLinesProps {
  readonly text: string;
  readonly label: string;
  /** Lines begin with the kind of change. */
  readonly isDiff?: boolean;
  /** If unset, a button shows the rest of a long text. */
  readonly isWhole?: boolean;
}

/** Lines of a snapshot, with the refs of elements. */
export function PageLines({ text, label, isDiff = false, ...place }: PageLinesProps) {
  const [isWhole, more] = useWhole(text, place);
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  const drawn = shown.map((line) => <Line line={line} isDiff={isDiff} />);
  return (
    <>
      <pre class="f-lines well" tabIndex={0} role="group" aria-label={label} dir="ltr">
        {drawn}
      </pre>
      {shown.length < lines.length && more}
    </>
  );
}

function Line({ line, isDiff }: { readonly line: string; readonly isDiff: boolean }) {
  const { indent = '', change = '', ref = '', text = '' } = LINE.exec(line)?.groups ?? { text: line };
  const tone = isDiff ? (CHANGES[change] ?? '') : '';
  return (
    <span class={tone}>
      {indent.replaceAll('\t', '  ')}
      {change}
      {ref !== '' && <span class="accent">{ref}</span>}
      <bdi>{reveal(text)}</bdi>
      {'\n'}
    </span>
  );
}
