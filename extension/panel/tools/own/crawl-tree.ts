import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { asList, asNumber, asRecord, asText } from '../../components/read-json.ts';

/** A page of a crawl. */
export type CrawledPage = NonNullable<ReturnType<typeof pageOf>>;

/** Pages by site and path. A folder may be a page as well. */
export interface PageFolder {
  /** The part of the path that it adds: `docs/`. */
  readonly name: string;
  /** With all parts before it. */
  readonly path: string;
  readonly page: CrawledPage | null;
  readonly folders: readonly PageFolder[];
}

/** Items that are pages, with where each was found. */
export function pagesIn(value: JsonValue | undefined): readonly CrawledPage[] {
  const items = asList(value).filter(isObject);
  const found = new Map<string, string>();
  for (const item of items)
    for (const link of asList(item['links']))
      if (typeof link === 'string' && !found.has(link)) found.set(link, asText(item['url']) ?? '');
  return items.map((item) => pageOf(item, found)).filter((page) => page !== null);
}

/** @param found the first page that has a link to an address */
function pageOf(item: JsonObject, found: ReadonlyMap<string, string>) {
  const url = asText(item['url']);
  if (url === null) return null;
  const depth = asNumber(item['depth']);
  return {
    url,
    title: asText(item['title']),
    status: asNumber(item['status']),
    depth,
    error: errorOf(item),
    /** Null for a start page. */
    foundOn: depth === 0 ? null : (found.get(url) ?? null),
    markdown: asText(item['markdown']),
    text: asText(item['text']) ?? asText(item['html']),
    item,
  };
}

function errorOf(item: JsonObject): string | null {
  const { code, message } = asRecord(item['error']);
  return asText(message) ?? asText(code);
}

interface Draft {
  readonly name: string;
  readonly path: string;
  page: CrawledPage | null;
  readonly folders: Map<string, Draft>;
}

/** Puts pages under their sites and paths, in the order in which they were read. */
export function treeOf(pages: readonly CrawledPage[]): readonly PageFolder[] {
  const sites = new Map<string, Draft>();
  for (const page of pages) {
    let { folders } = { folders: sites };
    let path = '';
    const parts = partsOf(page.url);
    for (const [at, name] of parts.entries()) {
      path += name;
      const known = folders.get(name);
      const draft = known ?? { name, path, page: null, folders: new Map<string, Draft>() };
      if (known === undefined) folders.set(name, draft);
      if (at === parts.length - 1) draft.page ??= page;
      folders = draft.folders;
    }
  }
  return [...sites.values()].map((site) => folderOf(site));
}

/** A folder with one folder in it and no page of its own is one line with it. */
function folderOf({ name, path, page, folders }: Draft): PageFolder {
  const inside = [...folders.values()].map(folderOf);
  const [only] = inside;
  if (page === null && inside.length === 1 && only !== undefined) return { ...only, name: name + only.name };
  return { name, path, page, folders: inside };
}

/** `https://a.example/docs/start?x=1` as `a.example/`, `docs/`, `start?x=1`. */
function partsOf(address: string): readonly string[] {
  try {
    const { host, pathname, search } = new URL(address);
    const parts = pathname.split('/').slice(1);
    const last = parts.pop() ?? '';
    return [`${host}/`, ...parts.map((part) => `${part}/`), ...(last + search === '' ? [] : [last + search])];
  } catch {
    return [address];
  }
}
