import { FlattenMap, LEAST_UPPER_BOUND, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import { cutUrl, withoutFragment } from '../../shared/cut.ts';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { decodePercent } from '../../shared/file-name.ts';
import { parseUrl } from '../../shared/private-address.ts';
import type { CodePlace } from '../../shared/tools/inspect/methods.ts';
import type { CallContext } from '../core/context.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { decodeText, openFile } from './file-stream.ts';

/** Of a script, a style sheet, or a source map. */
const FILE_BYTES = 32 * 1024 * 1024;
const FILE_MS = 10_000;
const CALL_MS = 30_000;
/** Scripts and style sheets that one call reads. */
const FILES_MAX = 20;
const URL_UNITS = 200;

/** Where a stack names a place: `https://shop.example/app.js:1:23456`. */
const PLACE = /\b(https?:\/\/[^\s()<>"'«»]+?):(\d+):(\d+)(?!\d)/g;
const COMMENT = /[#@]\s*sourceMappingURL=([^\s*'"]+)/g;
/** Of bundlers, and of files. */
const SCHEME = /^(?:(?:webpack(?:-internal)?|turbopack|rsc|ng):\/\/[^/]*\/(?:\.\/|\[project\]\/)?|file:\/\/)/;
const INLINE = /^data:[^,]*?(;base64)?,(.*)$/s;

interface SourcesOptions {
  readonly bridge: Bridge;
  readonly browser: BrowserId;
  readonly context: CallContext;
  /** The page that loaded the scripts: only files of its host are read. */
  readonly pageUrl: string;
}

/**
 * The places in the sources of a page's scripts and style sheets, by their source maps. They are read in the person's session, for one call.
 * A page decides what its maps say, and which address they have: so none of another host is read, and what cannot be
 * read is left out with the reason.
 */
export class SourceMaps {
  readonly #maps = new Map<string, Promise<TraceMap | null>>();
  readonly #leftOut = new Map<string, string>();

  readonly #endsAt = performance.now() + CALL_MS;

  constructor(private readonly options: SourcesOptions) {}

  /** Why places of some files are those of what the page loaded, a note each. */
  leftOut(): string[] {
    return [...this.#leftOut].map(([url, why]) => `${cutUrl(url, URL_UNITS)}: ${why}`);
  }

  /** `src/App.tsx:12:3`; what the page loaded, if its source is not known. */
  async locate(place: CodePlace): Promise<string> {
    const { file, line, column } = (await this.find(place)) ?? { ...place, file: place.url };
    return `${file}:${line}:${column}`;
  }

  /** The same in parts; null if the source is not known. */
  async find(place: CodePlace): Promise<{ file: string; line: number; column: number } | null> {
    const map = await this.#mapOf(place);
    if (map === null) return null;
    const needle = { line: place.line, column: place.column - 1 };
    const first = originalPositionFor(map, needle);
    // A rule or a function may begin before the first mapping of its line.
    const { source, line, column } =
      first.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : first;
    return source === null
      ? null
      : { file: nameOfSource(source, this.options.pageUrl), line, column: column + 1 };
  }

  /** A text, with the places that it names moved to their sources. */
  async inText(text: string): Promise<string> {
    const places = [...text.matchAll(PLACE)];
    const parts: string[] = [];
    let from = 0;
    for (const { 0: all, 1: url = '', 2: line, 3: column, index } of places) {
      const place = { url, line: Math.max(1, Number(line)), column: Math.max(1, Number(column)) };
      parts.push(text.slice(from, index), await this.locate(place));
      from = index + all.length;
    }
    return parts.join('') + text.slice(from);
  }

  #mapOf({ url, map_url: mapUrl }: CodePlace): Promise<TraceMap | null> {
    const key = mapUrl ?? url;
    // A script within a document has its address.
    if (key === '' || key === withoutFragment(this.options.pageUrl)) return Promise.resolve(null);
    const known = this.#maps.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(url, mapUrl).catch((thrown: unknown) => {
      this.options.context.signal.throwIfAborted();
      const { code, message } = toSpillwayError(thrown);
      this.#leftOut.set(url, `${code}: ${message}`);
      return null;
    });
    this.#maps.set(key, reading);
    return reading;
  }

  /** Null if the file names no map. @throws SpillwayError why it cannot be read */
  async #read(url: string, known: string | undefined): Promise<TraceMap | null> {
    if (performance.now() > this.#endsAt) throw failed(`A call reads source maps for ${CALL_MS} ms at most.`);
    if (this.#maps.size >= FILES_MAX) throw failed(`A call reads at most ${FILES_MAX} files.`);
    const name = known ?? [...(await this.#fetch(url)).matchAll(COMMENT)].at(-1)?.[1];
    if (name === undefined) return null;
    const [, isBase64, data = ''] = INLINE.exec(name) ?? [];
    const mapUrl = data === '' ? parseUrl(name, url)?.href : url;
    if (mapUrl === undefined) throw failed(`Its source map has no address.`);
    const text =
      data === ''
        ? await this.#fetch(mapUrl)
        : isBase64 === undefined
          ? (decodePercent(data) ?? '')
          : Buffer.from(data, 'base64').toString();
    try {
      const map = new FlattenMap(text.replace(/^\)\]\}'[^\n]*\n/, ''), mapUrl);
      // Throws for a map that is not one.
      originalPositionFor(map, { line: 1, column: 0 });
      return map;
    } catch (cause) {
      throw failed('Its source map cannot be read.', cause);
    }
  }

  /** @throws SpillwayError `url_not_allowed`, `response_too_large`, `source_map_failed`, and of the request */
  async #fetch(url: string): Promise<string> {
    const { bridge, browser, context, pageUrl } = this.options;
    const host = parseUrl(pageUrl)?.hostname;
    if (!/^https?:/.test(url) || parseUrl(url)?.hostname !== host)
      throw new SpillwayError(
        'url_not_allowed',
        `${cutUrl(url, URL_UNITS)} is not on the page's host, ${host}.`,
      );
    const params = { url, what: 'page', stays: true, timeout_ms: FILE_MS, max_bytes: FILE_BYTES } as const;
    const { call, signal } = context;
    const stream = bridge.stream(browser, 'fetch.file', params, { call, signal, idleTimeoutMs: 2 * FILE_MS });
    const { head, bytes, result } = await openFile(stream);
    const parts: string[] = [];
    const large = new SpillwayError(
      'response_too_large',
      `${cutUrl(url, URL_UNITS)} is larger than ${FILE_BYTES} bytes.`,
    );
    const isLarge = Number(head.headers['content-length']) > FILE_BYTES;
    for await (const part of decodeText(bytes, 'utf-8')) {
      if (isLarge) throw large;
      parts.push(part);
    }
    if (result().is_cut) throw large;
    if (head.status >= 400) throw failed(`${cutUrl(url, URL_UNITS)} answered with HTTP ${head.status}.`);
    return parts.join('');
  }
}

const failed = (message: string, cause?: unknown): SpillwayError =>
  new SpillwayError('source_map_failed', message, { cause });

/** The path of a source within its project, as far as the map tells it. */
function nameOfSource(source: string, pageUrl: string): string {
  const plain = source.replace(SCHEME, '');
  const url = parseUrl(plain);
  if (url === null || url.hostname !== parseUrl(pageUrl)?.hostname) return plain;
  return (decodePercent(url.pathname) ?? url.pathname).replace(/^\/(?:@fs(?=\/))?/, '');
}
