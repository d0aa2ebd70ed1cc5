import { lookUp } from '../../../shared/base/json.ts';
import { z } from 'zod';
import { jsonMembers } from '../../../shared/base/json-schema.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import type { HeaderMap } from './cdp-events.ts';
import { type Chains, Exchange, type PageTracker } from './exchange.ts';

type WebRequestLine = Extract<CaptureLine, { kind: 'web_request' }>;

const HeaderList = z.array(z.object({ name: z.string(), value: z.string().optional() }));

const Details = z.object({
  requestId: z.string(),
  url: z.string(),
  method: z.string().default('GET'),
  type: z.string().default('other'),
  frameId: z.int().default(0),
  initiator: z.string().optional(),
  documentUrl: z.string().optional(),
  requestHeaders: HeaderList.optional(),
  responseHeaders: HeaderList.optional(),
  requestBody: z
    .object({
      form: jsonMembers(z.array(z.unknown())).optional(),
      text: z.string().optional(),
      base64: z.string().optional(),
      not_kept: z.object({ reason: z.string(), size_bytes: z.number() }).optional(),
    })
    .nullish()
    .catch(undefined),
  statusCode: z.int().optional(),
  statusLine: z.string().optional(),
  redirectUrl: z.string().optional(),
  ip: z.string().optional(),
  fromCache: z.boolean().optional(),
  error: z.string().optional(),
});
type Details = z.infer<typeof Details>;

/** `webRequest.ResourceType` in CDP's terms. */
const TYPES: Readonly<Record<string, string>> = {
  main_frame: 'document',
  sub_frame: 'document',
  xmlhttprequest: 'xhr',
  csp_report: 'cspviolationreport',
  object: 'other',
};

interface Capture {
  readonly chains: Chains;
  readonly tracker: PageTracker;
  readonly nextId: () => number;
}

/**
 * Takes one stage of a request of a tab where the debugger cannot attach: no bodies, no timings, no messages.
 * @returns the changes, if any; null if the stage is not as Chrome documents it
 */
export function takeWebRequest(capture: Capture, line: WebRequestLine): Exchange | null | undefined {
  const { data: details } = Details.safeParse(line.details);
  if (details === undefined) return null;
  const at = line.at_ms / 1_000;
  if (line.stage === 'before') return start(capture, details, at);
  const exchange = capture.chains.latest(webRequestKey(details)) ?? undefined;
  if (exchange !== undefined) change(exchange, line.stage, { details, at });
  return exchange;
}

function start({ chains, tracker, nextId }: Capture, details: Details, at: number): Exchange | undefined {
  if (details.url.startsWith('data:')) return undefined;
  const begun = { id: nextId(), url: details.url, issuedAt: at, wallAt: at };
  const key = webRequestKey(details);
  if (details.type === 'main_frame' && chains.latest(key) === null) tracker.start(begun, key);
  const exchange = new Exchange({
    ...begun,
    requestId: key,
    frameId: String(details.frameId),
    documentUrl: details.documentUrl ?? '',
    method: details.method,
    initiator: details.initiator === undefined ? null : { type: 'other', url: details.initiator },
    postData: postDataOf(details),
    postDataNotKept: details.requestBody?.not_kept ?? null,
    pageref: tracker.pageOf(key),
    source: 'web_request',
    type: lookUp(TYPES, details.type) ?? details.type,
    body: { reason: 'no_debugger', sizeBytes: null },
  });
  chains.add(exchange);
  return exchange;
}

/** Ids of the two sources never collide. */
const webRequestKey = (details: Details): string => `web:${details.requestId}`;

function change(
  exchange: Exchange,
  stage: WebRequestLine['stage'],
  { details, at }: { readonly details: Details; readonly at: number },
): void {
  if (stage === 'headers_out') {
    exchange.requestHeaders = toMap(details.requestHeaders ?? []);
    return;
  }
  if (stage === 'failed') {
    exchange.error = details.error ?? 'net::ERR_FAILED';
    exchange.endedAt = at;
    return;
  }
  setResponse(exchange, details);
  exchange.respondedAt ??= at;
  if (stage === 'headers_in') return;
  exchange.endedAt = at;
  if (stage === 'redirect') exchange.isRedirect = true;
}

function setResponse(exchange: Exchange, details: Details): void {
  const headers = details.responseHeaders === undefined ? null : toMap(details.responseHeaders);
  // "HTTP/1.1 404 Not Found"; other protocols use the same format.
  const [protocol = '', , ...reason] = (details.statusLine ?? '').split(' ');
  exchange.response = {
    status: details.statusCode ?? exchange.response?.status ?? 0,
    statusText: reason.join(' '),
    headers: {
      ...(headers ?? exchange.response?.headers ?? {}),
      ...(details.redirectUrl === undefined ? {} : { location: details.redirectUrl }),
    },
    mimeType: '',
    protocol,
    remoteIPAddress: details.ip,
    fromDiskCache: details.fromCache,
  };
}

function toMap(list: z.infer<typeof HeaderList>): HeaderMap {
  const map = new Map<string, string>();
  for (const { name, value = '' } of list) {
    const known = map.get(name);
    map.set(name, known === undefined ? value : `${known}\n${value}`);
  }
  return Object.fromEntries(map);
}

/** A form that Chrome has parsed is written again as the original body. */
function postDataOf({ requestBody }: Details): Exchange['postData'] {
  const { form, text, base64 } = requestBody ?? {};
  if (base64 !== undefined) return { data: base64, base64: true };
  if (text !== undefined) return { data: text, base64: false };
  if (form === undefined) return null;
  const pairs = Object.entries(form).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, String(value)]),
  );
  return { data: new URLSearchParams(pairs).toString(), base64: false };
}
