import { faceTexts } from '../words/faces.ts';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge } from '../../components/marks.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Link } from '../../components/page-head.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { asNumber, asRecord, asText } from '../../components/read-json.ts';
import { safeHref } from '../../components/text.ts';
import type { FaceActions, Portal, Render } from '../face.ts';
import { type CrawledPage, type PageFolder, pagesIn, treeOf } from './crawl-tree.ts';
import { isObject } from '../../../../shared/json.ts';
import { AnswerFrame } from '../../components/general-render.tsx';
import { ItemsFooter } from '../../components/record-table.tsx';
import { RunFacts, isRun } from '../../components/run-facts.tsx';

/** Pages that are drawn at first, and that a press adds. */
const STEP = 100;

interface Place {
  readonly language: Language;
  readonly actions: FaceActions;
}

interface Props extends Place {
  readonly pages: readonly CrawledPage[];
  /** With a field that filters. */
  readonly hasFilter?: boolean;
}

/** Pages of a crawl as a tree of sites and paths. Each opens to what was read of it. */
export function PageList({ pages, hasFilter = false, ...place }: Props): JSX.Element {
  const words = faceTexts[place.language].crawl;
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
        <Folders folders={treeOf(found.slice(0, shown))} {...place} />
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

function Folders({ folders, ...place }: Place & { readonly folders: readonly PageFolder[] }): JSX.Element {
  return (
    <ul>
      {folders.map(({ name, path, page, folders: inside }) => (
        <li key={path}>
          {page === null ? (
            <span class="c-folder">
              <bdi>{reveal(name)}</bdi>
            </span>
          ) : (
            <Page page={page} name={name} {...place} />
          )}
          {inside.length > 0 && <Folders folders={inside} {...place} />}
        </li>
      ))}
    </ul>
  );
}

function Page({
  page,
  name,
  ...place
}: Place & { readonly page: CrawledPage; readonly name: string }): JSX.Element {
  const words = faceTexts[place.language].crawl;
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
      {isOpen && <PageDetail page={page} {...place} />}
    </details>
  );
}

function PageDetail({ page, language, actions }: Place & { readonly page: CrawledPage }): JSX.Element {
  const { markdown, text } = page;
  return (
    <div class="c-detail">
      <KeyValues rows={factsOf(page, { language, actions })} />
      {markdown !== null && (
        <div class="c-page">
          <Markdown text={markdown} openLink={actions.openLink} topLevel={4} />
        </div>
      )}
      {markdown === null && text !== null && (
        <CodeBlock text={text} label={faceTexts[language].crawl.content} />
      )}
    </div>
  );
}

function factsOf({ url, item, ...page }: CrawledPage, { language, actions }: Place) {
  const words = faceTexts[language].crawl;
  const address = (text: string): ComponentChildren => {
    const href = safeHref(text);
    return href === null ? <bdi>{reveal(text)}</bdi> : <Link href={href} openLink={actions.openLink} />;
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
export const Crawl: Render = ({ answer, ...place }) => {
  const words = faceTexts[place.language].crawl;
  const { value, state } = answer;
  const run = isObject(value) ? value : state;
  const left = asNumber(state['queued']) ?? 0;
  const { page } = place.actions;
  return (
    <AnswerFrame answer={answer} {...place} showsState={isRun(run)}>
      {isRun(run) && <RunFacts run={run} {...place} />}
      {Array.isArray(value) && <PageList pages={pagesIn(value)} {...place} />}
      {Array.isArray(value) && page !== null && <ItemsFooter rows={value} {...page} />}
      {Array.isArray(value) && left > 0 && <p class="c-hint">{words.left(formatNumber(left))}</p>}
      {typeof value === 'string' && value !== '' && <CodeBlock text={reveal(value)} />}
    </AnswerFrame>
  );
};

/** All pages, to be filtered. */
export const CrawlPortal: Portal = (props) => {
  const { answer, language, actions } = props;
  if (!Array.isArray(answer.value)) return <Crawl {...props} />;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      <PageList pages={pagesIn(answer.value)} language={language} actions={actions} hasFilter />
    </AnswerFrame>
  );
};
