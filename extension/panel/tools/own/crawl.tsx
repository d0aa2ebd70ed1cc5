import { faceTexts } from '../words/faces.ts';
import type { ComponentChildren, JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import { useActions } from '../../components/actions.ts';
import { WordsContext } from '../../components/words.ts';
import { Badge } from '../../components/marks.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Link } from '../../components/page-head.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { asNumber, asRecord, asText } from '../../components/read-json.ts';
import { safeHref } from '../../components/text.ts';
import type { FaceWords } from '../words/faces-en.ts';
import type { Portal, Render } from '../face.ts';
import { type CrawledPage, type PageFolder, pagesIn, treeOf } from './crawl-tree.ts';
import { isObject } from '../../../../shared/json.ts';
import { AnswerFrame } from '../../components/general-render.tsx';
import { ItemsFooter } from '../../components/record-table.tsx';
import { RunFacts, isRun } from '../../components/run-facts.tsx';

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
      {hasFilter && (
        <input
          class="c-filter"
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      )}
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
        <button type="button" class="c-button c-more" onClick={() => setShown(shown + STEP)}>
          {words.more(formatNumber(Math.min(STEP, found.length - shown)))}
        </button>
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
  const { markdown, text } = page;
  return (
    <div class="c-detail">
      <KeyValues rows={factsOf(page, words)} />
      {markdown !== null && (
        <div class="c-page">
          <Markdown text={markdown} topLevel={4} />
        </div>
      )}
      {markdown === null && text !== null && <CodeBlock text={text} label={words.content} />}
    </div>
  );
}

function factsOf({ url, item, ...page }: CrawledPage, words: FaceWords['crawl']) {
  const address = (text: string): ComponentChildren => {
    const href = safeHref(text);
    return href === null ? <bdi>{reveal(text)}</bdi> : <Link href={href} />;
  };
  const rows: [ComponentChildren, ComponentChildren][] = [[words.address, address(url)]];
  const [final, copied] = [asText(item['final_url']), asText(item['duplicate_of'])];
  const { fetch_ms: time, size_bytes: size } = asRecord(item['timing']);
  const [ms, bytes] = [asNumber(time), asNumber(size)];
  if (page.error !== null) rows.push([words.error, <bdi>{reveal(page.error)}</bdi>]);
  if (final !== null && final !== url) rows.push([words.redirected, address(final)]);
  if (copied !== null) rows.push([words.duplicate, address(copied)]);
  if (page.depth === 0) rows.push([words.foundOn, words.start]);
  else if (page.foundOn !== null) rows.push([words.foundOn, address(page.foundOn)]);
  if (page.depth !== null && page.depth > 0) rows.push([words.depth, formatNumber(page.depth)]);
  if (Array.isArray(item['links'])) rows.push([words.links, formatNumber(item['links'].length)]);
  if (ms !== null && bytes !== null)
    rows.push([words.loading, words.took(formatDuration(ms), formatSize(bytes))]);
  return rows;
}

/** How the crawl went, and its pages. Of one that failed, how far it came: its items are in its run. */
export const Crawl: Render = ({ answer }) => {
  const words = useCrawlWords();
  const { value, state } = answer;
  const run = isObject(value) ? value : state;
  const left = asNumber(state['queued']) ?? 0;
  const { page } = useActions();
  return (
    <AnswerFrame answer={answer} showsState={isRun(run)}>
      {isRun(run) && <RunFacts run={run} />}
      {Array.isArray(value) && <PageList pages={pagesIn(value)} />}
      {Array.isArray(value) && page !== null && <ItemsFooter rows={value} {...page} />}
      {Array.isArray(value) && left > 0 && <p class="c-hint">{words.left(formatNumber(left))}</p>}
      {typeof value === 'string' && value !== '' && <CodeBlock text={reveal(value)} />}
    </AnswerFrame>
  );
};

/** All pages, to be filtered. */
export const CrawlPortal: Portal = (props) => {
  const { answer } = props;
  if (!Array.isArray(answer.value)) return <Crawl {...props} />;
  return (
    <AnswerFrame answer={answer}>
      <PageList pages={pagesIn(answer.value)} hasFilter />
    </AnswerFrame>
  );
};
