import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { WireError } from '../../shared/base/errors.ts';

export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  /** Of JSON-RPC; -32000 where nothing else fits. */
  readonly code?: number;
  readonly error?: WireError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The bytes of a body; null if there are more than a bound. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > maxBytes) return null;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // If the loop hung up at its end, a refusal could not be sent.
  const read: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of read) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const METHODS = ['GET', 'POST', 'DELETE'];
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Keeps web pages, other extensions and other users out of a loopback port: the Host (a rebound name sends
 * its own), the Origin (foreign pages and extensions send theirs), the fetch metadata, a bearer token, and
 * one content type that no form can send. No answer has a CORS header, so that no page can read one.
 */
export function checkRequest(
  request: Pick<IncomingMessage, 'headers' | 'method' | 'url'> & {
    readonly socket: { readonly localPort?: number };
  },
  rules: { readonly path: string; readonly token: string | null },
): HttpRefusal | null {
  const { headers } = request;
  const port = request.socket.localPort ?? 0;
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port}`);
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase()))
    return { status: 403, message: 'Host not allowed.' };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`))
    return { status: 403, message: 'Origin not allowed.' };
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, message: 'Cross-site requests are not allowed.' };
  // Compared unparsed: an invalid path, such as `//`, is just a different one.
  if ((request.url ?? '/').split('?', 1)[0] !== rules.path)
    return { status: 404, message: `Not found: the endpoint is ${rules.path}.` };
  if (!METHODS.includes(request.method ?? ''))
    return { status: 405, message: 'Method not allowed.', headers: { allow: METHODS.join(', ') } };
  return checkToken(headers, rules.token) ?? checkContentType(request.method, headers);
}

function checkToken(headers: IncomingHttpHeaders, token: string | null): HttpRefusal | null {
  if (token === null) return null;
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(given), digest(token))) return null;
  return {
    status: 401,
    message: 'Send the token that the server printed: Authorization: Bearer TOKEN.',
    headers: { 'www-authenticate': 'Bearer' },
  };
}

/** Only the media type counts; a comma means that two headers were joined. */
function checkContentType(method: string | undefined, headers: IncomingHttpHeaders): HttpRefusal | null {
  const [essence = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const isJson = essence.trim().toLowerCase() === 'application/json' && !parameters.join(';').includes(',');
  if (method !== 'POST' || isJson) return null;
  return { status: 415, message: 'Content-Type must be application/json.' };
}
