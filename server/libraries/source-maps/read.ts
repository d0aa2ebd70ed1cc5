import { movePlaces } from '../../../shared/base/code-places.ts';
import { cutUrl, withoutFragment } from '../../../shared/base/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { decodePercent } from '../../../shared/base/file-name.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';
import type { CodePlace } from '../../../shared/inspect/inspect.methods.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BrowserId } from '../../core/services.ts';
import { runThread } from '../../core/bundled.ts';
import { decodeText, openFile } from '../../core/file-stream.ts';
import { Answer, type Order } from './order.ts';

/** Of a script, a style sheet, or a source map. */
const FILE_BYTES = 32 * 1024 * 1024;
const FILE_MS = 10_000;
/** Of one call. */
const FILES_MAX = 20;
const ALL_UNITS = 2 * FILE_BYTES;
const ALL_MS = 30_000;
const THREAD = { timeoutMs: 15_000, memoryMb: 1_024 } as const;
const URL_UNITS = 200;
const SHARE = 'The call has read its share of source maps: ask about fewer places.';

const COMMENT = /[#@]\s*sourceMappingURL=([^\s*'"]+)/g;
/** Of bundlers, and of files. */
const SCHEME = /^(?:(?:webpack(?:-internal)?|turbopack|rsc|ng):\/\/[^/]*\/(?:\.\/|\[project\]\/)?|file:\/\/)/;
const INLINE = /^data:[^,]*?(;base64)?,(.*)$/s;

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The sources of places in what a page has loaded. */
export interface Sources {
  /** Null if the source is not known, or the place was not asked for. */
  find(place: CodePlace): SourcePlace | null;
  /** A text with the places that it names in their sources. */
  inText(text: string): string;
  /** Why some files have no sources, a note each. */
  readonly leftOut: readonly string[];
}

interface ReadOptions {
  readonly bridge: Bridge;
  readonly browser: BrowserId;
  readonly context: CallContext;
  /** The page that loaded the files: only those of its host are read. */
  readonly pageUrl: string;
}

const fileOf = ({ url, map_url: map }: CodePlace): string => map ?? url;
const keyOf = (place: CodePlace): string => `${place.line}:${place.column}:${fileOf(place)}`;

/**
 * Finds the sources of places, by source maps that are read in the person's session. A page decides what its maps contain and
 * where they are: so none of another host is read, and what cannot be read is left out with the reason.
 */
export async function readSources(options: ReadOptions, places: readonly CodePlace[]): Promise<Sources> {
  const leftOut = new Map<string, string>();
  const files = groupByFile(places, options.pageUrl);
  const read = await readMaps(options, files, leftOut);
  const orders = read.map(({ map, places: ofFile }) => ({
    ...map,
    positions: ofFile.map(({ line, column }) => ({ line, column })),
  }));
  const sources = await lookUp(orders, options.context.signal);
  const found = new Map<string, SourcePlace>();
  for (const [at, { places: ofFile }] of read.entries()) {
    const list = sources[at] ?? null;
    if (list === null) leftOut.set(ofFile[0].url, 'Its source map cannot be read.');
    for (const [index, place] of ofFile.entries()) {
      const position = list?.[index] ?? null;
      if (position === null) continue;
      const { source, line, column } = position;
      found.set(keyOf(place), { file: nameOfSource(source, options.pageUrl), line, column });
    }
  }
  const find = (place: CodePlace): SourcePlace | null => found.get(keyOf(place)) ?? null;
  const move = (place: CodePlace): string | null => {
    const source = find(place);
    return source === null ? null : formatPlace(source);
  };
  return {
    find,
    inText: (text) => movePlaces(text, move),
    leftOut: [...leftOut].map(([url, why]) => `${cutUrl(url, URL_UNITS)}: ${why}`),
  };
}

type OfFile = [CodePlace, ...CodePlace[]];

/** Without scripts and styles within the document, which have its address, and modules that a bundler evaluates. */
function groupByFile(places: readonly CodePlace[], pageUrl: string): OfFile[] {
  const files = new Map<string, OfFile>();
  for (const place of places) {
    const file = fileOf(place);
    const isLoaded = place.url === '' || /^https?:/.test(place.url);
    if (file === '' || !isLoaded || file === withoutFragment(pageUrl)) continue;
    const known = files.get(file);
    if (known === undefined) files.set(file, [place]);
    else known.push(place);
  }
  return [...files.values()];
}

interface SourceMapFile {
  readonly text: string;
  readonly url: string;
}

async function readMaps(options: ReadOptions, files: readonly OfFile[], leftOut: Map<string, string>) {
  const read: { readonly places: OfFile; readonly map: SourceMapFile }[] = [];
  const endsAt = performance.now() + ALL_MS;
  let units = 0;
  for (const places of files) {
    try {
      if (performance.now() > endsAt || read.length >= FILES_MAX || units > ALL_UNITS)
        throw new SpillwayError('response_too_large', SHARE);
      const map = await readMap(options, places[0]);
      if (map === null) continue;
      units += map.text.length;
      read.push({ places, map });
    } catch (thrown) {
      options.context.signal.throwIfAborted();
      const { code, message } = toSpillwayError(thrown);
      leftOut.set(places[0].url, `${code}: ${message}`);
    }
  }
  return read;
}

/** `src/App.tsx:12:3` */
export const formatPlace = ({ file, line, column }: SourcePlace): string => `${file}:${line}:${column}`;

async function lookUp(maps: Order['maps'], signal: AbortSignal): Promise<Answer['maps']> {
  if (maps.length === 0) return [];
  const order: Order = { maps };
  return runThread('source-map-worker.js', order, { ...THREAD, answer: Answer, signal }).then(
    (answer) => answer.maps,
    () => {
      signal.throwIfAborted();
      return [];
    },
  );
}

/** The map of a script or a style sheet; null if it names none. @throws SpillwayError why it cannot be read */
async function readMap(
  options: ReadOptions,
  { url, map_url: known }: CodePlace,
): Promise<SourceMapFile | null> {
  const name = known ?? [...(await fetchText(options, url)).matchAll(COMMENT)].at(-1)?.[1];
  if (name === undefined) return null;
  const [, isBase64, data] = INLINE.exec(name) ?? [];
  if (data !== undefined)
    return {
      text: isBase64 === undefined ? (decodePercent(data) ?? '') : Buffer.from(data, 'base64').toString(),
      url,
    };
  const mapUrl = parseUrl(name, url)?.href;
  if (mapUrl === undefined) throw new SpillwayError('url_not_allowed', 'Its source map has no address.');
  return { text: await fetchText(options, mapUrl), url: mapUrl };
}

/** @throws SpillwayError `url_not_allowed`, `response_too_large`, `navigation_failed`, and of the request */
async function fetchText({ bridge, browser, context, pageUrl }: ReadOptions, url: string): Promise<string> {
  const host = parseUrl(pageUrl)?.hostname;
  const shown = cutUrl(url, URL_UNITS);
  if (!/^https?:/.test(url) || parseUrl(url)?.hostname !== host)
    throw new SpillwayError('url_not_allowed', `${shown} is not on the page's host, ${host}.`);
  const params = { url, what: 'page', stays: true, timeout_ms: FILE_MS, max_bytes: FILE_BYTES } as const;
  const { call, signal } = context;
  const stream = bridge.stream(browser, 'fetch.file', params, { call, signal, idleTimeoutMs: 2 * FILE_MS });
  const { head, bytes, result } = await openFile(stream);
  const large = new SpillwayError('response_too_large', `${shown} is larger than ${FILE_BYTES} bytes.`);
  const isLarge = Number(head.headers['content-length']) > FILE_BYTES;
  const parts: string[] = [];
  for await (const part of decodeText(bytes, 'utf-8')) {
    if (isLarge) throw large;
    parts.push(part);
  }
  if (result().is_cut) throw large;
  if (head.status >= 400)
    throw new SpillwayError('navigation_failed', `${shown} answered with HTTP ${head.status}.`);
  return parts.join('');
}

/** The path of a source within its project, as far as the map tells it. */
function nameOfSource(source: string, pageUrl: string): string {
  const plain = source.replace(SCHEME, '');
  const url = parseUrl(plain);
  if (url === null || url.hostname !== parseUrl(pageUrl)?.hostname) return plain;
  return (decodePercent(url.pathname) ?? url.pathname).replace(/^\/(?:@fs(?=\/))?/, '');
}
