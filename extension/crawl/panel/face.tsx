import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../ui/words/format.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { FilterField, Badge, theirs, useShown } from '../../ui/kit.tsx';
import { Markdown, TopLevel } from '../../ui/markdown.tsx';
import { code, figure } from '../../ui/shown.ts';
import { ItemsFooter } from '../../ui/record-table.tsx';
import { runIn } from '../../ui/run-facts.tsx';
import type { Fact, Given, View } from '../../ui/faces/face.ts';
import { BlockList, face } from '../../ui/faces/blocks.tsx';
import { faceTexts } from '../../ui/words/en/faces.ts';
import { useState } from 'preact/hooks';

type CrawledPage = ReturnType<typeof pagesIn>[number];

/** Pages by site and path. A folder may also be a page. */
interface PageFolder {
  /** The part of the path that it adds: `docs/`. */
  readonly name: string;
  /** With all parts before it. */
  readonly path: string;
  page: CrawledPage | null;
  readonly folders: Map<string, PageFolder>;
}

/** Items that are pages, with the first page that linked to each. */
function pagesIn(items: NonNullable<Given<'crawl'>['value']['items']>) {
  const found = new Map<string, string>();
  for (const { url, links = [] } of items)
    for (const link of links) if (!found.has(link)) found.set(link, url);
  return items.map((item) => {
    const { url, status, error, title } = item;
    const hasFailed = error != null || (status ?? 0) >= 400;
    return { url, status, title, problem: error?.message, hasFailed, item, foundOn: found.get(url) };
  });
}

/** Sorts pages by site and path, in the order in which they were read. */
function treeOf(pages: readonly CrawledPage[]): PageFolder['folders'] {
  const sites = new Map<string, PageFolder>();
  for (const page of pages) {
    let folders = sites;
    let path = '';
    const parts = splitAddress(page.url);
    for (const [at, name] of parts.entries()) {
      path += name;
      const draft = folders.get(name) ?? { name, path, page: null, folders: new Map<string, PageFolder>() };
      folders.set(name, draft);
      if (at === parts.length - 1) draft.page ??= page;
      folders = draft.folders;
    }
  }
  return sites;
}

/** A folder with only another folder in it, and no page of its own, shares its line. */
function joined(folder: PageFolder): PageFolder {
  const [only, another] = folder.folders.values();
  if (folder.page !== null || only === undefined || another !== undefined) return folder;
  const inside = joined(only);
  return { ...inside, name: folder.name + inside.name };
}

/** `https://a.example/docs/start?x=1` as `a.example/`, `docs/`, `start?x=1`. */
function splitAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const { host, pathname, search } = new URL(address);
  const parts = pathname.split('/').slice(1);
  const last = `${parts.pop() ?? ''}${search}`;
  return [`${host}/`, ...parts.map((part) => `${part}/`), ...(last === '' ? [] : [last])];
}

/** Pages drawn at first, and with each press. */
const STEP = 100;

type Props = { readonly pages: readonly CrawledPage[]; readonly hasFilter: boolean };

/** Pages of a crawl as a tree of sites and paths. Each opens to its content. */
function PageList({ pages, hasFilter }: Props) {
  const { crawl: words, showMore } = useTexts(faceTexts);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = pages.filter(({ url, title }) => `${title ?? ''} ${url}`.toLowerCase().includes(wanted));
  const [shown, more] = useShown(found, STEP, showMore);
  const failed = found.filter((page) => page.hasFailed).length;
  return (
    <section class="c-tree" aria-label={words.pages}>
      {hasFilter && <FilterField label={words.filter} value={filter} onInput={setFilter} />}
      {found.length === 0 ? <p class="c-empty dim">{words.none}</p> : <Folders folders={treeOf(shown)} />}
      <p class="quiet above" role="status">
        {words.count({ count: found.length })}
        {failed > 0 && ` · ${words.failures({ count: failed })}`}
      </p>
      {more}
    </section>
  );
}

function Folders({ folders }: Pick<PageFolder, 'folders'>) {
  const lines = Array.from(folders.values(), joined).map(({ name, path, page, folders: inside }) => (
    <li key={path}>
      {page === null ? <span class="c-folder dim">{theirs(name)}</span> : <Page page={page} name={name} />}
      {inside.size > 0 && <Folders folders={inside} />}
    </li>
  ));
  return <ul>{lines}</ul>;
}

function Page({ page, name }: { readonly page: CrawledPage; readonly name: string }) {
  const { failed } = useTexts(faceTexts);
  const [isOpen, setOpen] = useState(false);
  const { status, title, hasFailed } = page;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <bdi class="clip strong">{reveal(name)}</bdi>
        {title != null && <bdi class="c-title clip dim">{reveal(title)}</bdi>}
        <Badge tone={hasFailed ? 'bad' : 'plain'}>{status ?? (hasFailed ? failed : '–')}</Badge>
      </summary>
      {isOpen && <PageDetail page={page} />}
    </details>
  );
}

function PageDetail({ page }: { readonly page: CrawledPage }) {
  const { crawl: words, address, error } = useTexts(faceTexts);
  const { url, item, problem, foundOn } = page;
  const { final_url: final, depth, links, timing, markdown, text, html } = item;
  const facts: readonly Fact[] = [
    [address, { url }],
    [error, problem],
    [words.redirected, { url: final === url ? null : final }],
    [words.duplicate, { url: item.duplicate_of }],
    [words.foundOn, depth === 0 ? words.start : { url: foundOn }],
    [words.depth, depth === 0 ? null : figure(depth, formatNumber)],
    [words.links, figure(links?.length, formatNumber)],
    [
      words.loading,
      timing && words.took({ time: formatDuration(timing.fetch_ms), size: formatSize(timing.size_bytes) }),
    ],
  ];
  return (
    <div class="c-detail">
      <BlockList blocks={[{ facts }, markdown === undefined && code(text ?? html, 'code', words.content)]} />
      {markdown !== undefined && (
        <div class="c-page">
          <TopLevel.Provider value={4}>
            <Markdown text={markdown} />
          </TopLevel.Provider>
        </div>
      )}
    </div>
  );
}

/** A crawl's result and its pages. For a failed crawl, its progress: its items are in its run. */
const viewOf =
  (isPortal: boolean): View<'crawl'> =>
  ({ answer, value: { items }, text, state, actions: { page }, words: { crawl: words } }) => {
    const run = runIn(answer.value) ?? runIn(answer.state);
    const { queued: left = 0 } = state;
    if (items === undefined)
      return [
        run === null
          ? !answer.ok && Object.keys(answer.state).length > 0 && { value: answer.state }
          : { run },
        code(text),
      ];
    return [
      run !== null && !isPortal && { run },
      { own: <PageList pages={pagesIn(items)} hasFilter={isPortal} /> },
      !isPortal && page !== null && { own: <ItemsFooter rows={items} {...page} /> },
      !isPortal && left > 0 && { note: words.left({ count: left }) },
    ];
  };

export const Crawl = face('crawl', viewOf(false));
/** All pages, with a filter. */
export const CrawlPortal = face('crawl', viewOf(true));
