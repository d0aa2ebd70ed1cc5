import { abortable } from '../../../shared/base/async.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { fromBase64 } from '../../core/ports/base64.ts';
import type { FeedAnswer, Asks, TimelinePage, TimelinePlace } from '../../ui/frame/feed-port.ts';
import type { Ask } from '../../ui/frame/home-lists.ts';
import type { FeedClient } from '../../ui/frame/feed-client.ts';
import { save } from '../../ui/save.ts';

/** Bytes of one page: always fits into a frame of the bridge. */
const PAGE_BYTES = 64 * 1024;

interface Reading {
  readonly signal: AbortSignal;
  readonly maxBytes?: number | undefined;
  readonly onProgress: (done: number, total: number) => void;
}

/** An output exceeds the limit of its use. */
export class TooLarge extends Error {}

/**
 * All bytes of an output, page by page. The browser keeps a blob's parts outside the page's memory, so that an output
 * of any size needs only one page here.
 * @throws TooLarge; a page's error; the reason of the signal
 */
export async function readAll(
  read: Ask<'outputs.page'>,
  place: Pick<Asks<'outputs.page'>, 'home' | 'handle'>,
  { signal, maxBytes = Infinity, onProgress }: Reading,
): Promise<Blob> {
  const parts: Blob[] = [];
  let type = '';
  let offset: number | null = 0;
  while (offset !== null) {
    signal.throwIfAborted();
    const page: FeedAnswer<'outputs.page'> = await abortable(
      read({ ...place, offset, limit: PAGE_BYTES, format: 'bytes' }),
      signal,
    );
    if (page.total > maxBytes) throw new TooLarge(`It has ${page.total} bytes.`);
    parts.push(new Blob([page.text ?? fromBase64(page.base64 ?? '')]));
    type = page.mime_type;
    offset = page.next_offset;
    onProgress(offset ?? page.total, page.total);
  }
  return new Blob(parts, { type });
}

/** Of types whose ending is not their name in `MIME`. */
const ENDINGS: Readonly<Record<string, string>> = {
  gzip: 'gz',
  markdown: 'md',
  text: 'txt',
  snapshot: 'txt',
  octets: 'bin',
  shell: 'sh',
  typescript: 'ts',
  javascript: 'js',
  jpeg: 'jpg',
  sevenZip: '7z',
  icon: 'ico',
  oggAudio: 'ogg',
  mp4Audio: 'm4a',
  calendar: 'ics',
  vcard: 'vcf',
  'multipart/related': 'mhtml',
};

/** Of others, `image/jxl` ends with `jxl`, `application/x-xz` with `xz`. */
function endingOf(type: string): string {
  const name = Object.entries(MIME).find(([, one]) => one === type)?.[0];
  const own = /\/(?:x-|vnd\.apache\.)?(?<name>[a-z\d]{2,7})(?:\+(?:xml|zip))?$/.exec(type)?.groups?.['name'];
  const usual = /[/+]json$/.test(type) ? 'json' : type.startsWith('text/') ? 'txt' : 'bin';
  return ENDINGS[name ?? type] ?? name ?? own ?? usual;
}

/** Tool and handle, with the type's extension. */
export function fileName(tool: string, handle: string, mimeType: string): string {
  const [type = ''] = mimeType.split(';');
  return `${tool.replaceAll(/[^\w-]+/g, '-').slice(0, 60)}-${handle}.${endingOf(type.trim())}`;
}

type Client = Pick<FeedClient, 'ask'>;

/**
 * All calls of a session, the oldest first, with the answers that servers still keep, and why others could not be read.
 * @throws a page's error, or one for a session of which no line could be read
 */
export async function readSession(client: Client, session: string) {
  const found: TimelinePage['lines'][number][] = [];
  let before: TimelinePlace | null = {};
  while (before !== null) {
    const page: TimelinePage = await client.ask('timeline', { before, limit: 200, filter: { session } });
    found.push(...page.lines);
    before = page.next;
  }
  if (found.length === 0) throw new Error('No call of that session can be read now.');
  const calls: object[] = [];
  const unread: { readonly call_id: string; readonly why: string }[] = [];
  for (const { home, line } of found.reverse()) {
    const { call_id: call } = line;
    let answer: object | null = null;
    if (typeof call === 'string')
      try {
        ({ answer } = await client.ask('call.result', { home, call_id: call }));
      } catch (thrown) {
        // The line has its facts.
        unread.push({ call_id: call, why: messageOf(thrown) });
      }
    calls.push(answer === null ? line : { ...line, answer });
  }
  return { spillway_session: 1, session, calls, unread };
}

/** Saves a session as one file. @throws if it lacks answers that may still be kept */
export async function exportSession(client: Client, session: string): Promise<void> {
  const read = await readSession(client, session);
  const text = JSON.stringify(read, null, 2);
  save(new Blob([text], { type: 'application/json' }), `session-${session}.json`);
  const [first] = read.unread;
  if (first !== undefined) throw new Error(`The file lacks answers (${read.unread.length}). ${first.why}`);
}
