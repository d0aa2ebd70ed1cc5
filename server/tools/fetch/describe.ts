import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { cutUrl } from '../../../shared/cut.ts';
import { fileNameOf } from '../../../shared/file-name.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import type { FileHead } from '../../../shared/tools/fetch/methods.ts';
import type { Outcome } from '../../core/payload.ts';

interface FileFacts {
  readonly head: FileHead;
  readonly result: MethodResult<'fetch.file'>;
  /** The type that was delivered, before a PDF became text. */
  readonly type: MimeType;
  readonly args: { readonly max_bytes: number };
  /** Decoded, and so redacted. */
  readonly isText: boolean;
}

const URL_UNITS = 150;
const SHOWN_REDIRECTS = 3;

/** What a call says of a file in addition to its body. */
export function describeFile({ head, result, type, args, isText }: FileFacts): Outcome {
  const { final_url: url, status, redirects, headers } = head;
  const name = fileNameOf(headers['content-disposition'] ?? null, url);
  const contentType = headers['content-type'] ?? null;
  const modified = headers['last-modified'];
  const facts = [
    ...(name === null ? [] : [JSON.stringify(name)]),
    contentType ?? `no content type, looks like ${type}`,
    `${result.size_bytes} bytes${result.is_cut ? ' received' : ''}`,
    `HTTP ${status}`,
    ...(modified === undefined ? [] : [`last modified ${modified}`]),
  ];
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
    coverage: [
      `File: ${facts.join(', ')}.`,
      ...(result.is_cut ? [cutNote(args.max_bytes, headers)] : []),
      ...statusNote(status, headers),
      ...redirectNote(head),
      ...(type === MIME.html ? ['This is the HTML source: read_page and crawl write it as Markdown.'] : []),
      ...(isText ? [] : ['Its bytes are not redacted.']),
    ],
  };
}

function cutNote(maxBytes: number, headers: FileHead['headers']): string {
  const whole = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
  const size = whole === undefined ? 'the file is larger' : `the file has ${whole} bytes`;
  return `Truncated at max_bytes ${maxBytes}: ${size}. Raise max_bytes for the rest.`;
}

function statusNote(status: number, headers: FileHead['headers']): string[] {
  if (status < 400) return [];
  const reason = `HTTP ${status}: this is the server's error page, not the file.`;
  if (status === 401 || status === 403)
    return [`${reason} Open the site with navigate and have the person sign in, then fetch again.`];
  const retry = headers['retry-after'];
  return [retry === undefined ? reason : `${reason} Retry after ${retry}.`];
}

function redirectNote({ redirects, final_url: url }: FileHead): string[] {
  if (redirects.length === 0) return [];
  const hops = redirects
    .slice(0, SHOWN_REDIRECTS)
    .map((hop) => `${cutUrl(hop.url, URL_UNITS)} (${hop.status})`);
  const more = redirects.length > hops.length ? `, ${redirects.length - hops.length} more` : '';
  return [`Redirected: ${hops.join(', ')}${more} to ${cutUrl(url, URL_UNITS)}.`];
}
