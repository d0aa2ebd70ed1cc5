import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../shared/json.ts';
import { isTextType } from '../../shared/mime.ts';
import type { Exchange } from './exchange.ts';
import { listParameters } from './headers.ts';

/** A body as HAR writes it: text, or base64 for binary. */
export interface BodyText extends JsonObject {
  readonly text: string;
  readonly encoding?: 'base64';
}

const NUL = 0;

function decodeAs(bytes: Buffer, mimeType: string): string {
  const charset = /charset="?(?<name>[\w:-]+)/i.exec(mimeType)?.groups?.['name'] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/**
 * Text wherever the bytes are text, since only text can be redacted: a body of a text type in its
 * charset, and any other that is UTF-8 without a NUL. The rest stays base64.
 */
export function readBody(data: string, base64: boolean, mimeType: string): BodyText {
  if (!base64) return { text: data.toWellFormed() };
  const bytes = Buffer.from(data, 'base64');
  if (isTextType(mimeType)) return { text: decodeAs(bytes, mimeType) };
  if (!/^(?:image|video|audio|font)\//i.test(mimeType) && isUtf8(bytes) && !bytes.includes(NUL))
    return { text: bytes.toString('utf8') };
  return { text: data, encoding: 'base64' };
}

/** `postData` of HAR; an urlencoded form with its parameters too, as DevTools writes it. */
export function buildPostData(exchange: Exchange, contentType: string): JsonObject | null {
  const { postData, postDataNotKept } = exchange;
  const comment =
    postDataNotKept === null ? {} : { comment: `the body was not kept in full: ${postDataNotKept.reason}` };
  if (postData === null) return postDataNotKept === null ? null : { mimeType: contentType, ...comment };
  const { text, encoding } = readBody(postData.data, postData.base64, contentType);
  if (encoding !== undefined) return { mimeType: contentType, text, _encoding: encoding, ...comment };
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  return { mimeType: contentType, text, ...(isForm ? { params: listParameters(text) } : {}), ...comment };
}

/** Bytes of the request's body, -1 where the browser did not tell. */
export function postDataSize({ postData, postDataNotKept }: Exchange): number {
  if (postDataNotKept !== null) return postDataNotKept.size_bytes;
  if (postData === null) return 0;
  return Buffer.byteLength(postData.data, postData.base64 ? 'base64' : 'utf8');
}
