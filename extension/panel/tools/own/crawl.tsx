import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import { useTexts } from '../../../words/use-texts.ts';
import { FilterField, Badge, theirs, useShown } from '../../components/kit.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { asList, asNumber, asRecords, asText, code, numberIn, textIn } from '../../components/read-json.ts';
import { ItemsFooter } from '../../components/record-table.tsx';
import { isRun } from '../../components/run-facts.tsx';
import { type Fact, type View, ofState } from '../face.ts';
import { BlockList, renderOfView } from '../blocks.tsx';
import { faceTexts } from '../../../words/en/faces.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

type CrawledPage = NonNullable<ReturnType<typeof pageOf>>;

/** Pages by site and path. A folder may also be a page. */
interface PageFolder {
  /** The part of the path that it adds: `docs/`. */
  readonly name: string;
  /** With all parts before it. */
  readonly path: string;
  page: CrawledPage | null;
  readonly folders: Map<string, PageFolder>;
}

/** Items that are pages, with the page that linked to each. */
function pagesIn(value: JsonValue | undefined): readonly CrawledPage[] {
  const items = asRecords(value);
  const found = new Map<string, string>();
  for (const item of items)
    for (const link of asList(item['links']))
      if (typeof link === 'string' && !found.has(link)) found.set(link, asText(item['url']) ?? '');
  return items.map((item) => pageOf(item, found)).filter((page) => page !== null);
}

/** @param found the first page with a link to each address */
function pageOf(item: JsonObject, found: ReadonlyMap<string, string>) {
  const url = asText(item['url']);
  if (url === null) return null;
  const depth = asNumber(item['depth']);
  return {
    url,
    title: asText(item['title']),
    status: asNumber(item['status']),
    depth,
    error: textIn(item['error'], 'message') ?? textIn(item['error'], 'code'),
    foundOn: found.get(url) ?? null,
    markdown: asText(item['markdown']),
    text: asText(item['text']) ?? asText(item['html']),
    item,
  };
}

/** Sorts pages by site and path, in the order in which they were read. */
function treeOf(pages: readonly CrawledPage[]): PageFolder['folders'] {
  const sites = new Map<string, PageFolder>();
  for (const page of pages) {
    let folders = sites;
    let path = '';
    const parts = partsOf(page.url);
    for (const [at, name] of parts.entries()) {
      path += name;
      const known = folders.get(name);
      const draft = known ?? { name, path, page: null, folders: new Map<string, PageFolder>() };
      if (known === undefined) folders.set(name, draft);
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
function partsOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const { host, pathname, search } = new URL(address);
  const parts = pathname.split('/').slice(1);
  const last = `${parts.pop() ?? ''}${search}`;
  return [`${host}/`, ...parts.map((part) => `${part}/`), ...(last === '' ? [] : [last])];
}

/** Pages drawn at first, and with each press. */
const STEP = 100;

interface Props {
  readonly pages: readonly CrawledPage[];
  /** With a filter field. */
  readonly hasFilter: boolean;
}

/** Pages of a crawl as a tree of sites and paths. Each opens to its content. */
function PageList({ pages, hasFilter }: Props): JSX.Element {
  const { crawl: words } = useTexts(faceTexts);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = pages.filter(({ url, title }) => `${title ?? ''} ${url}`.toLowerCase().includes(wanted));
  const [shown, more] = useShown(found, STEP, words.more);
  const failed = found.filter(hasFailed).length;
  return (
    <section class="c-tree" aria-label={words.pages}>
      {hasFilter && <FilterField label={words.filter} value={filter} onInput={setFilter} />}
      {found.length === 0 ? <p class="c-empty">{words.none}</p> : <Folders folders={treeOf(shown)} />}
      <p class="c-hint" role="status">
        {words.count(found.length)}
        {failed > 0 && ` · ${words.failures(failed)}`}
      </p>
      {more}
    </section>
  );
}

const hasFailed = ({ status, error }: CrawledPage): boolean =>
  error !== null || (status !== null && status >= 400);

function Folders({ folders }: Pick<PageFolder, 'folders'>): JSX.Element {
  return (
    <ul>
      {Array.from(folders.values(), joined).map(({ name, path, page, folders: inside }) => (
        <li key={path}>
          {page === null ? <span class="c-folder">{theirs(name)}</span> : <Page page={page} name={name} />}
          {inside.size > 0 && <Folders folders={inside} />}
        </li>
      ))}
    </ul>
  );
}

function Page({ page, name }: { readonly page: CrawledPage; readonly name: string }): JSX.Element {
  const { crawl: words } = useTexts(faceTexts);
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
  const { crawl: words } = useTexts(faceTexts);
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
        blocks={[{ facts }, markdown === null && text !== null && { text, as: 'code', label: words.content }]}
      />
      {markdown !== null && (
        <div class="c-page">
          <Markdown text={markdown} topLevel={4} />
        </div>
      )}
    </div>
  );
}

/** A crawl's result and its pages. For a failed crawl, its progress: its items are in its run. */
const viewOf = (isPortal: boolean): View =>
  ofState(({ answer, value, state, actions: { page }, words: { crawl: words } }) => {
    const run = isObject(value) ? value : state;
    const left = numberIn(state, 'queued') ?? 0;
    const isFound = isRun(run);
    if (!Array.isArray(value))
      return [
        isFound ? { run } : !answer.ok && Object.keys(state).length > 0 && { value: state },
        code(value),
      ];
    return [
      isFound && !isPortal && { run },
      { own: <PageList pages={pagesIn(value)} hasFilter={isPortal} /> },
      !isPortal && page !== null && { own: <ItemsFooter rows={value} {...page} /> },
      !isPortal && left > 0 && { note: words.left(left) },
    ];
  });

export const Crawl = renderOfView(viewOf(false));
/** All pages, with a filter. */
export const CrawlPortal = renderOfView(viewOf(true));
