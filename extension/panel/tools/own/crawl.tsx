import { Button } from '../../components/button.tsx';
import { FilterField } from '../../components/filter-field.tsx';
import { numberIn, textIn } from '../../components/read-json.ts';
import { ofState, type Fact, type View } from '../block.ts';
import { BlockList, renderOfView } from '../blocks.tsx';
import { faceTexts } from '../words/faces.ts';
import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import { WordsContext } from '../../../words/use-texts.ts';
import { Badge } from '../../components/marks.tsx';
import { Markdown } from '../../components/markdown.tsx';
import type { FaceWords } from '../words/faces-en.ts';
import { type CrawledPage, type PageFolder, pagesIn, treeOf } from './crawl-tree.ts';
import { isObject } from '../../../../shared/json.ts';
import { ItemsFooter } from '../../components/record-table.tsx';
import { isRun } from '../../components/run-facts.tsx';

/** Pages that are drawn at first, and that a press adds. */
const STEP = 100;

const useCrawlWords = (): FaceWords['crawl'] => faceTexts[useContext(WordsContext)].crawl;

interface Props {
  readonly pages: readonly CrawledPage[];
  /** With a field that filters. */
  readonly hasFilter?: boolean;
}

/** Pages of a crawl as a tree of sites and paths. Each opens to what was read of it. */
export function PageList({ pages, hasFilter = false }: Props): JSX.Element {
  const words = useCrawlWords();
  const [shown, setShown] = useState(STEP);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = pages.filter(({ url, title }) => `${title ?? ''} ${url}`.toLowerCase().includes(wanted));
  const failed = found.filter(hasFailed).length;
  return (
    <section class="c-tree" aria-label={words.pages}>
      {hasFilter && <FilterField label={words.filter} value={filter} onInput={setFilter} />}
      {found.length === 0 ? (
        <p class="c-empty">{words.none}</p>
      ) : (
        <Folders folders={treeOf(found.slice(0, shown))} />
      )}
      <p class="c-hint" role="status">
        {words.count(found.length, formatNumber(found.length))}
        {failed > 0 && ` · ${words.failures(failed, formatNumber(failed))}`}
      </p>
      {found.length > shown && (
        <Button kind="c-more" onClick={() => setShown(shown + STEP)}>
          {words.more(formatNumber(Math.min(STEP, found.length - shown)))}
        </Button>
      )}
    </section>
  );
}

const hasFailed = ({ status, error }: CrawledPage): boolean =>
  error !== null || (status !== null && status >= 400);

function Folders({ folders }: { readonly folders: readonly PageFolder[] }): JSX.Element {
  return (
    <ul>
      {folders.map(({ name, path, page, folders: inside }) => (
        <li key={path}>
          {page === null ? (
            <span class="c-folder">
              <bdi>{reveal(name)}</bdi>
            </span>
          ) : (
            <Page page={page} name={name} />
          )}
          {inside.length > 0 && <Folders folders={inside} />}
        </li>
      ))}
    </ul>
  );
}

function Page({ page, name }: { readonly page: CrawledPage; readonly name: string }): JSX.Element {
  const words = useCrawlWords();
  const [isOpen, setOpen] = useState(false);
  const { status, title } = page;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <bdi class="c-path">{reveal(name)}</bdi>
        {title !== null && <bdi class="c-title">{reveal(title)}</bdi>}
        <Badge tone={hasFailed(page) ? 'bad' : 'plain'}>
          {status === null ? (hasFailed(page) ? words.failed : '–') : String(status)}
        </Badge>
      </summary>
      {isOpen && <PageDetail page={page} />}
    </details>
  );
}

function PageDetail({ page }: { readonly page: CrawledPage }): JSX.Element {
  const words = useCrawlWords();
  const { url, item, error, depth, foundOn, markdown, text } = page;
  const [final, links] = [textIn(item, 'final_url'), item['links']];
  const [ms, bytes] = [numberIn(item['timing'], 'fetch_ms'), numberIn(item['timing'], 'size_bytes')];
  const facts: readonly Fact[] = [
    [words.address, { url }],
    [words.error, error],
    [words.redirected, { url: final === url ? null : final }],
    [words.duplicate, { url: textIn(item, 'duplicate_of') }],
    [words.foundOn, depth === 0 ? words.start : { url: foundOn }],
    [words.depth, depth === null || depth === 0 ? null : formatNumber(depth)],
    [words.links, Array.isArray(links) ? formatNumber(links.length) : null],
    [words.loading, ms === null || bytes === null ? null : words.took(formatDuration(ms), formatSize(bytes))],
  ];
  return (
    <div class="c-detail">
      <BlockList
        blocks={[
          { facts },
          markdown !== null && { own: <Read markdown={markdown} /> },
          markdown === null && text !== null && { text, as: 'code', label: words.content },
        ]}
      />
    </div>
  );
}

const Read = ({ markdown }: { readonly markdown: string }): JSX.Element => (
  <div class="c-page">
    <Markdown text={markdown} topLevel={4} />
  </div>
);

/** How the crawl went, and its pages. Of one that failed, how far it came: its items are in its run. */
const viewOf = (isPortal: boolean): View =>
  ofState(({ answer, value, state, actions: { page }, words: { crawl: words } }) => {
    const run = isObject(value) ? value : state;
    const left = numberIn(state, 'queued') ?? 0;
    const isFound = isRun(run);
    if (!Array.isArray(value))
      return [
        isFound ? { run } : !answer.ok && Object.keys(state).length > 0 && { value: state },
        typeof value === 'string' && value !== '' && { text: value, as: 'code' },
      ];
    return [
      isFound && !isPortal && { run },
      { own: <PageList pages={pagesIn(value)} hasFilter={isPortal} /> },
      !isPortal && page !== null && { own: <ItemsFooter rows={value} {...page} /> },
      !isPortal && left > 0 && { note: words.left(formatNumber(left)) },
    ];
  });

export const Crawl = renderOfView(viewOf(false));
/** All pages, to be filtered. */
export const CrawlPortal = renderOfView(viewOf(true));
