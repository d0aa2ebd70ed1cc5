import { formatNote } from '../../shared/core/notes.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { MIME, type MimeType } from '../../shared/base/mime.ts';
import { FETCH_BOUNDS } from '../../shared/core/fetch-limits.ts';
import type { manifest } from '../../shared/files/fetch.manifest.ts';
import type { CallContext } from '../core/context.ts';
import type { Produced, Outcome } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { openFile, type FetchedFile, decodeText, fileTypeOf, type FileType } from '../core/file-stream.ts';
import { producePdfText } from '../core/pdf-output.ts';
import { cut, cutUrl, textsOf } from '../../shared/base/cut.ts';
import { findTab, askTab, resolveBrowser, type TabChoice } from '../core/targets.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import { checkUrl } from '../core/arguments.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { fileNameOf } from '../../shared/base/file-name.ts';
import type { FileHead } from '../../shared/files/fetch.methods.ts';

const URL_UNITS = 150;
const SHOWN_REDIRECTS = 3;

/**
 * @param facts `type`: as delivered, before a PDF became text; `isText`: decoded, and so redacted
 */
function describeFile(
  head: FileHead,
  result: MethodResult<'fetch.file'>,
  { type, args, isText }: { readonly type: MimeType; readonly args: FetchArgs; readonly isText: boolean },
): Outcome {
  const { final_url: url, status, redirects, headers } = head;
  const name = fileNameOf(headers['content-disposition'] ?? null, url);
  const contentType = headers['content-type'] ?? null;
  const modified = headers['last-modified'];
  const facts = textsOf(
    name !== null && JSON.stringify(name),
    contentType ?? `no content type, looks like ${type}`,
    `${result.size_bytes} bytes${result.is_cut ? ' received' : ''}`,
    `HTTP ${status}`,
    modified !== undefined && `last modified ${modified}`,
  );
  return {
    state: {
      url,
      status,
      file_name: name,
      content_type: contentType,
      size_bytes: result.size_bytes,
      truncated: result.is_cut,
      redirects,
      headers,
    },
    coverage: textsOf(
      formatNote('file', { facts: facts.join(', ') }),
      result.is_cut && cutNote(args.max_bytes, headers),
      status >= 400 && statusNote(status, headers),
      redirects.length > 0 && redirectNote(head),
      type === MIME.html && formatNote('html_source'),
      !isText && formatNote('raw_bytes'),
    ),
  };
}

function cutNote(maxBytes: number, headers: FileHead['headers']): string {
  const whole = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
  if (whole === undefined) return formatNote('cut_file', { most: maxBytes });
  return formatNote('cut_file_of', { most: maxBytes, size: whole });
}

function statusNote(status: number, headers: FileHead['headers']): string {
  if (status === 401 || status === 403) return formatNote('sign_in', { status });
  const time = headers['retry-after'];
  return time === undefined
    ? formatNote('error_page', { status })
    : formatNote('retry_after', { status, time });
}

function redirectNote({ redirects, final_url: url }: FileHead): string {
  const hops = redirects
    .slice(0, SHOWN_REDIRECTS)
    .map((hop) => `${cutUrl(hop.url, URL_UNITS)} (${hop.status})`);
  const more = redirects.length > hops.length ? `, ${redirects.length - hops.length} more` : '';
  return formatNote('redirected', { hops: `${hops.join(', ')}${more}`, url: cutUrl(url, URL_UNITS) });
}

const RELATIVE = /^(?:\/|\.{1,2}\/|\?)/;

/**
 * The address of a call, and the browser whose session fetches it: the tab's, if there is one. A relative
 * address is resolved against the tab's page.
 * @throws SpillwayError `invalid_argument`, `url_not_allowed`, `no_current_tab`, and the errors of finding a
 *   tab
 */
async function findFile(
  bridge: Bridge,
  { url, ...choice }: TabChoice & { readonly url: string },
  context: CallContext,
): Promise<{ readonly browser: BrowserId; readonly url: string }> {
  const isRelative = RELATIVE.test(url.trim());
  if (!isRelative) assertHttp(checkUrl(url, 'A path of the page in the tab begins with / or ./.'));
  const target = await findTab(bridge, choice, context);
  if (!isRelative) {
    const browser = target?.browser ?? (await resolveBrowser(bridge, choice.browser, context.signal));
    return { browser, url: checkUrl(url) };
  }
  if (target === null)
    throw new SpillwayError(
      'no_current_tab',
      'url: it is relative, and no tab is current to resolve it against.',
      { hint: 'Pass the whole url, or tab.' },
    );
  const { tab } = await askTab({ bridge, target, context }, 'tabs.get', { tab_id: target.tabId });
  const resolved = parseUrl(url.trim(), tab.url);
  if (resolved === null)
    throw invalidArgument(`url: "${cut(url, 100)}" is not relative to the page of the tab.`);
  assertHttp(resolved.href);
  return { browser: target.browser, url: resolved.href };
}

function assertHttp(url: string): void {
  const refused = (why: string): SpillwayError =>
    new SpillwayError('url_not_allowed', `url: ${why}`, { hint: 'Use an http: or https: url.' });
  const parsed = parseUrl(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw refused(`${parsed?.protocol ?? url} URLs are not fetched.`);
  if (parsed.username !== '' || parsed.password !== '')
    throw refused('a URL with a user name or password is not fetched.');
}

type FetchArgs = ArgsOf<typeof manifest>;

/** The browser ends a request by itself within `timeout_ms`; the bridge waits a little longer. */
const GRACE_MS = 5_000;
/** Bytes between two reports of progress. */
const PROGRESS_BYTES = 4 * 1024 * 1024;
const PICTURES: readonly MimeType[] = [MIME.png, MIME.jpeg, MIME.webp, MIME.gif];

/** `fetch`: the body of an address, as text, as the text of a PDF, or as bytes. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  fetch: async (args: FetchArgs, context) => {
    const { browser, url } = await findFile(bridge, args, context);
    const { timeout_ms, max_bytes } = args;
    const { call, signal } = context;
    const options = { call, signal, idleTimeoutMs: timeout_ms + GRACE_MS };
    const stream = bridge.stream(browser, 'fetch.file', { url, timeout_ms, max_bytes }, options);
    context.keepState(() => ({ url }));
    const opened = await openFile(stream);
    const file = withProgress(opened, context);
    const type = fileTypeOf(file.head.headers['content-type'] ?? null, file.start);
    if (args.pages !== undefined && (type.kind !== 'pdf' || args.as === 'bytes')) {
      await leave(opened);
      throw invalidArgument(`pages: selects pages of a PDF read as text, and this is ${type.mimeType}.`);
    }
    if (type.kind !== 'pdf' || args.as === 'bytes') return produceFile(file, type, args);
    const { head } = file;
    const how = { format: 'markdown', pages: args.pages, signal } as const;
    return await producePdfText(file, how, (result, pages) => {
      const outcome = describeFile(head, result, { type: MIME.pdf, args, isText: true });
      return {
        state: { ...outcome.state, pages },
        coverage: [...outcome.coverage, 'as: "bytes" answers the file itself.'],
      };
    });
  },
});

/** Only a file of {@link openFile}: leaving a generator that has not begun releases nothing. */
const leave = async ({ bytes }: FetchedFile): Promise<void> =>
  void (await bytes[Symbol.asyncIterator]().return?.());

function withProgress(file: FetchedFile, { progress, keepState }: CallContext): FetchedFile {
  const length = Number(file.head.headers['content-length'] ?? Number.NaN);
  // The length of a compressed body differs.
  const total = file.head.headers['content-encoding'] === undefined && length > 0 ? { total: length } : {};
  let done = 0;
  keepState(() => ({ url: file.head.final_url, status: file.head.status, bytes_read: done }));
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    let next = PROGRESS_BYTES;
    for await (const chunk of file.bytes) {
      done += chunk.length;
      if (done >= next) {
        progress({ done, ...total, message: `${done} bytes` });
        next = done + PROGRESS_BYTES;
      }
      yield chunk;
    }
  };
  return { ...file, bytes: bytes() };
}

function produceFile(file: FetchedFile, { kind, mimeType, charset }: FileType, args: FetchArgs): Produced {
  const { head, result } = file;
  const facts = {
    outcome: () => describeFile(head, result(), { type: mimeType, args, isText: kind === 'text' }),
    untrustedFrom: () => head.final_url,
  };
  if (kind === 'text')
    return { payload: { kind: 'text', mimeType, chunks: decodeText(file.bytes, charset) }, ...facts };
  return {
    payload: { kind: 'bytes', mimeType, chunks: file.bytes },
    inlineMaxBytes: PICTURES.includes(mimeType) ? FETCH_BOUNDS.inlinePictureBytes : FETCH_BOUNDS.inlineBytes,
    ...facts,
  };
}
