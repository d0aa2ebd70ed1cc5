import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { quote, textIn, type Sentence } from './sentence.ts';
import type { Strings } from './strings.ts';

/** Texts of a list that are written out: the arguments have the others. */
const MOST_QUOTES = 8;

type Tools = Strings['tools'];

/** Where a crawl starts, what it may reach, and when it stops. */
export function describeCrawl(
  args: JsonObject,
  { tools }: Strings,
  { url }: { readonly url: string },
): readonly Sentence[] {
  const resumed = textIn(args['resume']);
  if (resumed !== null) return [tools.crawlAgain(quote(resumed))];
  return [...starts(args, tools, url), ...reach(args, tools), ...bounds(args, tools)];
}

function starts({ url, urls, sitemap }: JsonObject, tools: Tools, asked: string): readonly Sentence[] {
  const others = textsIn(urls);
  const map = textIn(sitemap);
  const first = textIn(url) ?? (map === null ? (others[0] ?? asked) : null);
  const more = others.filter((one) => one !== first);
  return [
    ...(first === null ? [] : [tools.crawl(quote(first))]),
    ...(map === null ? [] : [tools.crawlSitemap(quote(map))]),
    ...(more.length === 0 ? [] : [tools.crawlMore(listOf(more))]),
  ];
}

function reach(
  { scope, include, exclude, respect_robots: obeys }: JsonObject,
  tools: Tools,
): readonly Sentence[] {
  const glob = textIn(scope);
  const [only, never] = [textsIn(include), textsIn(exclude)];
  return [
    ...(glob === null
      ? []
      : glob === 'origin'
        ? [tools.crawlOrigin()]
        : [glob === 'host' ? tools.crawlHost() : tools.crawlLike(listOf([glob]))]),
    ...(only.length === 0 ? [] : [tools.crawlOnly(listOf(only))]),
    ...(never.length === 0 ? [] : [tools.crawlNever(listOf(never))]),
    ...(obeys === false ? [tools.crawlAnyRobots()] : []),
  ];
}

const bounds = ({ max_pages: pages, max_depth: depth }: JsonObject, tools: Tools): readonly Sentence[] => [
  ...(typeof depth === 'number' ? [tools.crawlDepth(depth)] : []),
  ...(typeof pages === 'number' ? [tools.crawlPages(pages)] : []),
];

/** Of what records are read, and how far. */
export function describeExtract(
  { run, schema, paginate, scroll }: JsonObject,
  { tools }: Strings,
): readonly Sentence[] {
  const crawl = textIn(run);
  const fields = isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const pages = isObject(paginate) ? paginate['max_pages'] : null;
  return [
    crawl === null ? tools.extract() : tools.extractRun(quote(crawl)),
    ...(fields.length === 0 ? [] : [tools.extractFields(listOf(fields))]),
    ...(scroll === 'to_end' ? [tools.extractScroll()] : []),
    ...(typeof pages === 'number' ? [tools.extractNext(pages)] : []),
  ];
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
  isJsonList(value) ? value.filter((one) => typeof one === 'string') : [];

/** Quotes next to each other; a long list ends with how many more there are. */
function listOf(texts: readonly string[]): Sentence {
  const shown = texts.slice(0, MOST_QUOTES);
  const left = texts.length - shown.length;
  return [
    ...shown.flatMap((one, at) => (at === 0 ? [quote(one)] : [', ', quote(one)])),
    ...(left === 0 ? [] : [`, … +${left}`]),
  ];
}
