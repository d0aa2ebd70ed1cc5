import { decodeBody } from '../../../shared/base/mime.ts';
import { cutUrl, withoutFragment } from '../../../shared/base/cut.ts';
import { type Body, BodyReader, describeFile, type Size } from './body.ts';
import {
  pageKindOf,
  retryAfterMs,
  robotsOfHeader,
  type PageKind,
} from '../../../shared/core/page-headers.ts';
import { NO_FACTS, type ParserFrame, RemotePage } from '../../core/offscreen/parser-frame.ts';
import {
  taggedUrl,
  type FetchJob,
  type FetchedPage,
  type FileHead,
  type PageError,
  type Parts,
} from '../../core/offscreen/protocol.ts';

/** Decompresses a body that is itself gzip (`sitemap.xml.gz`); others are returned unchanged. */
async function unzip(body: Body, maxBytes: number, deadline: AbortSignal): Promise<Body> {
  const { bytes, cut } = body;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return body;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const whole = await new BodyReader(new Response(unpacked), maxBytes, deadline).whole();
  // A truncated archive counts as cut, not as damaged.
  return { ...whole, cut: whole.cut === 'too_large' ? whole.cut : (cut ?? whole.cut) };
}

/** Markup, text, or bytes that are neither. */
function sniff(head: Uint8Array): PageKind {
  const text = new TextDecoder('windows-1252').decode(head.subarray(0, 512)).replace(/^(?:ï»¿)?\s+/, '');
  if (/^(?:ï»¿)?<\?xml/i.test(text)) return 'xml';
  if (/^(?:ï»¿)?<(?:!doctype|!--|[a-z])/i.test(text)) return 'html';
  const isBinary = head.subarray(0, 512).some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return isBinary ? 'none' : 'text';
}

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5';
/** Text of a resource per part. */
const RESOURCE_UNITS = 256 * 1024;

export interface Fetched {
  readonly page: FetchedPage;
  readonly parts: Parts;
  readonly head?: FileHead;
}

export interface JobCalls {
  /** Aborted when the job has ended, also after its last part. */
  readonly cancel: AbortSignal;
  readonly parser: ParserFrame;
  /** Waits until a page of this size may be parsed. */
  readonly admit: (sizeBytes: number) => Promise<void>;
}

/**
 * Fetches as this browser's user: with cookies. Redirects are reported, not followed: the caller knows which are
 * permitted. Bypasses the cache both ways: a crawl needs the current content, and thousands of pages would evict the
 * user's own. Failures are part of the answer.
 * @throws the reason of `cancel`
 */
export async function fetchJob(
  id: number,
  job: FetchJob,
  { cancel, parser, admit }: JobCalls,
): Promise<Fetched> {
  const startedAt = performance.now();
  const deadline = AbortSignal.timeout(job.timeoutMs);
  const response = await request(id, job, AbortSignal.any([cancel, deadline]));
  cancel.throwIfAborted();
  if (response === null) return unanswered(job, deadline.aborted, performance.now() - startedAt);
  if (response.type === 'opaqueredirect') return moved(job, performance.now() - startedAt);
  const contentType = response.headers.get('content-type');
  const reader = new BodyReader(response, job.maxBytes, deadline);
  // A file is not read before its parts are requested.
  if (job.what.kind === 'file')
    return {
      head: describeFile(response, withoutFragment(response.url)),
      parts: reader,
      get page() {
        const fetchMs = performance.now() - startedAt;
        return factsOf({ response, job, contentType, body: reader, fetchMs }, 0);
      },
    };
  const kind =
    job.what.kind === 'page' ? pageKindOf(contentType, response.headers.get('content-disposition')) : 'text';
  // A file is not read: its headers show that it is not a page.
  if (kind === 'none') await reader.discard();
  const body = await reader.whole();
  cancel.throwIfAborted();
  const answer = { response, job, contentType, body, fetchMs: performance.now() - startedAt };
  if (job.what.kind === 'resource') return resourceOf(answer, deadline);
  await admit(body.bytes.length);
  cancel.throwIfAborted();
  return pageOf(answer, kind ?? sniff(body.bytes), { parser, cancel });
}

async function request(id: number, job: FetchJob, signal: AbortSignal): Promise<Response | null> {
  try {
    return await fetch(taggedUrl(job.url, id), {
      credentials: 'include',
      cache: 'no-store',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      headers: { accept: job.what.kind === 'file' ? '*/*' : ACCEPT },
      signal,
    });
  } catch {
    return null;
  }
}

interface FetchAnswer<Read extends Size> {
  readonly response: Response;
  readonly job: FetchJob;
  readonly contentType: string | null;
  readonly body: Read;
  readonly fetchMs: number;
}

async function resourceOf(answer: FetchAnswer<Body>, deadline: AbortSignal): Promise<Fetched> {
  const body = await unzip(answer.body, answer.job.maxBytes, deadline);
  const text = decodeBody(body.bytes, answer.contentType).toWellFormed();
  return { page: factsOf({ ...answer, body }, 0), parts: slices(text) };
}

function slices(text: string): Parts {
  let from = 0;
  return {
    next: () => {
      const part = text.slice(from, from + RESOURCE_UNITS);
      from += RESOURCE_UNITS;
      return { text: part, isLast: from >= text.length };
    },
  };
}

async function pageOf(
  answer: FetchAnswer<Body>,
  kind: PageKind,
  { parser, cancel }: Pick<JobCalls, 'parser' | 'cancel'>,
): Promise<Fetched> {
  const { job, contentType, body, response } = answer;
  const url = withoutFragment(response.url);
  if (kind === 'none' || job.what.kind !== 'page') {
    const message = `${short(url)} returned a file (${contentType ?? 'no content type'}).`;
    return { page: { ...factsOf(answer, 0), error: { code: 'not_a_page', message } }, parts: slices('') };
  }
  const refresh = response.headers.get('refresh');
  const source = { bytes: body.bytes, kind, contentType, refresh, url, what: job.what };
  const startedAt = performance.now();
  const parts = await RemotePage.open(parser, source, cancel);
  const facts = factsOf(answer, performance.now() - startedAt);
  if (job.holdsShell && parts.facts.isShell) parts.close();
  return {
    get page(): FetchedPage {
      const { facts: parsed } = parts;
      return {
        ...facts,
        ...parsed,
        robots: [...new Set([...parsed.robots, ...facts.robots])],
        error: parts.failure ?? facts.error ?? parsed.error,
      };
    },
    parts,
  };
}

function factsOf(
  { response, job, contentType, body, fetchMs }: FetchAnswer<Size>,
  parseMs: number,
): FetchedPage {
  const { headers, status, url, redirected } = response;
  return {
    ...NOTHING,
    finalUrl: withoutFragment(url),
    isRedirected: redirected,
    status,
    contentType,
    robots: robotsOfHeader(headers.get('x-robots-tag')),
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
    fetchMs,
    parseMs,
    sizeBytes: body.sizeBytes,
    error: body.cut === null ? null : cutError(job, body.cut, body.sizeBytes),
    isBroken: body.cut === 'broken',
  };
}

const NOTHING = {
  ...NO_FACTS,
  isMoved: false,
  isRedirected: false,
  status: null,
  contentType: null,
  retryAfterMs: null,
  parseMs: 0,
  sizeBytes: 0,
  isBroken: false,
};

function cutError(job: FetchJob, cut: NonNullable<Body['cut']>, sizeBytes: number): PageError {
  const name = short(job.url);
  if (cut === 'too_large')
    return {
      code: 'response_too_large',
      message: `${name} is larger than ${job.maxBytes} bytes; the first ${sizeBytes} were read.`,
    };
  if (cut === 'timeout')
    return {
      code: 'response_timeout',
      message: `${name} did not finish within ${job.timeoutMs} ms; ${sizeBytes} bytes were received.`,
    };
  return { code: 'navigation_failed', message: `${name} was cut off after ${sizeBytes} bytes` };
}

/** Only `webRequest` knows the redirect's target. */
function moved(job: FetchJob, fetchMs: number): Fetched {
  const page = { ...NOTHING, isMoved: true, finalUrl: withoutFragment(job.url), fetchMs };
  return { page, parts: slices('') };
}

/** No headers came: `webRequest` knows why, unless it was a timeout. */
function unanswered(job: FetchJob, isTimeout: boolean, fetchMs: number): Fetched {
  const name = short(job.url);
  const error = isTimeout
    ? { code: 'response_timeout', message: `${name} did not answer within ${job.timeoutMs} ms.` }
    : { code: 'navigation_failed', message: `${name} failed` };
  const page = { ...NOTHING, finalUrl: withoutFragment(job.url), fetchMs, error, isBroken: !isTimeout };
  return { page, parts: slices('') };
}

/** Addresses are cut in messages: they can be as long as a page. */
const short = (url: string): string => cutUrl(url, 300);
