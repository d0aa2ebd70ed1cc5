import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { useTexts } from '../../../words/use-texts.ts';
import type { FaceWords } from '../../../words/en/faces.ts';
import { faceTexts } from '../../../words/en/faces.ts';
import { asNumber, asRecord, asRecords, asText, asTime } from '../../components/read-json.ts';

export const useNetworkWords = (): FaceWords['network'] => useTexts(faceTexts).network;

/** A captured request in the table. */
export type ShownRequest = ReturnType<typeof readRequest>;

/** Requests of an answer: entries, a HAR document, or none. */
export function requestsIn(value: JsonValue | undefined): readonly ShownRequest[] | null {
  if (Array.isArray(value)) return asRecords(value).map(readRequest);
  if (!isObject(value)) return null;
  const log = value['log'];
  return isObject(log) ? asRecords(log['entries']).map(readRequest) : null;
}

function readRequest(entry: JsonObject) {
  const request = asRecord(entry['request']);
  const response = asRecord(entry['response']);
  const content = asRecord(response['content']);
  const url = asText(request['url']) ?? '';
  const status = asNumber(response['status']);
  return {
    method: asText(request['method']) ?? '',
    url,
    /** Path and query, without what a site's requests share; the host for `/`. */
    name: nameOf(url),
    status: status === 0 ? null : status,
    error: asText(entry['_error']) ?? asText(response['_error']),
    isPending: entry['_pending'] === true,
    type: asText(entry['_resourceType']) ?? (asText(content['mimeType']) ?? '').split(';')[0] ?? '',
    sizeBytes: sizeOf(response, content),
    durationMs: asNumber(entry['time']),
    /** Milliseconds since the epoch. */
    startedAt: asTime(entry['startedDateTime']),
    /** The whole captured entry. */
    entry,
  };
}

/** HAR writes -1 for unknown sizes. */
function sizeOf(response: JsonObject, content: JsonObject): number | null {
  for (const size of [response['_transferSize'], response['bodySize'], content['size']]) {
    const bytes = asNumber(size);
    if (bytes !== null && bytes >= 0) return bytes;
  }
  return null;
}

function nameOf(address: string): string {
  try {
    const { host, pathname, search } = new URL(address);
    const last = pathname
      .split('/')
      .filter((part) => part !== '')
      .at(-1);
    return last === undefined ? `${host}/${search}` : `${last}${pathname.endsWith('/') ? '/' : ''}${search}`;
  } catch {
    return address;
  }
}

/** The time span of a table's requests. */
export function spanOf(requests: readonly ShownRequest[]): {
  readonly from: number;
  readonly lengthMs: number;
} {
  let from = Infinity;
  let to = -Infinity;
  for (const { startedAt, durationMs } of requests) {
    if (startedAt === null) continue;
    from = Math.min(from, startedAt);
    to = Math.max(to, startedAt + (durationMs ?? 0));
  }
  return from === Infinity ? { from: 0, lengthMs: 0 } : { from, lengthMs: to - from };
}

/** Whether a request matches a filter text. */
export const matches = ({ url, method, status, type }: ShownRequest, text: string): boolean =>
  `${method} ${String(status ?? '')} ${type} ${url}`.toLowerCase().includes(text.trim().toLowerCase());

/** Headers as pairs of name and value. */
export const headersIn = (message: JsonValue | undefined): readonly (readonly [string, string])[] =>
  asRecords(asRecord(message)['headers']).map(({ name, value }) => [asText(name) ?? '', asText(value) ?? '']);

/** The phases of a request that took time, in order. */
export function phasesIn(entry: JsonObject): readonly (readonly [string, number])[] {
  const timings = asRecord(entry['timings']);
  return ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'].flatMap((name) => {
    const ms = asNumber(timings[name]);
    return ms === null || ms < 0 ? [] : [[name, ms] as const];
  });
}
