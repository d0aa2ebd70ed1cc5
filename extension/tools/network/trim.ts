import { z } from 'zod';
import { type JsonObject, isObject, type JsonValue } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';

/** Longest address that is forwarded: a `data:` address holds the whole resource. */
const URL_UNITS = 2_048;
/** Frames of a stack that are kept, and how many stacks that scheduled one another. */
const STACK_FRAMES = 16;
const STACK_PARENTS = 2;
const ASCII = /^[\x20-\x7e\s]*$/;

/**
 * The events that are forwarded, each with its superfluous members: copies of what another
 * event says, and bulk. `Network.dataReceived` is not: the lines of bodies say their sizes.
 */
const FORWARDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['Network.requestWillBeSent', []],
  [
    'Network.requestWillBeSentExtraInfo',
    ['associatedCookies', 'clientSecurityState', 'siteHasCookieInOtherPartition'],
  ],
  ['Network.responseReceived', []],
  [
    'Network.responseReceivedExtraInfo',
    ['headersText', 'blockedCookies', 'exemptedCookies', 'cookiePartitionKey'],
  ],
  ['Network.responseReceivedEarlyHints', []],
  ['Network.requestServedFromCache', []],
  ['Network.loadingFinished', []],
  ['Network.loadingFailed', []],
  ['Network.webSocketCreated', []],
  ['Network.webSocketWillSendHandshakeRequest', []],
  ['Network.webSocketHandshakeResponseReceived', []],
  ['Network.webSocketFrameSent', []],
  ['Network.webSocketFrameReceived', []],
  ['Network.webSocketFrameError', []],
  ['Network.webSocketClosed', []],
  ['Network.eventSourceMessageReceived', []],
  ['Page.frameNavigated', []],
  ['Page.domContentEventFired', []],
  ['Page.loadEventFired', []],
  ['Target.attachedToTarget', []],
  ['Target.detachedFromTarget', []],
]);

/** As the lines of a capture hold it. */
export type Params = Record<string, JsonValue>;

export const without = (record: JsonObject, names: readonly string[]): Params =>
  Object.fromEntries(
    Object.entries(record).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined && !names.includes(member[0]),
    ),
  );

/** The params of an event as they are forwarded, or null for an event that is not. */
export function trimEvent(method: string, params: unknown): Params | null {
  const dropped = FORWARDED.get(method);
  if (dropped === undefined) return null;
  const parsed = Json.parse(params);
  if (!isObject(parsed)) return null;
  const kept = without(parsed, dropped);
  for (const name of ['response', 'redirectResponse'])
    if (isObject(kept[name])) kept[name] = trimResponse(kept[name]);
  if (isObject(kept['request'])) kept['request'] = trimRequest(kept['request']);
  if (isObject(kept['initiator'])) kept['initiator'] = trimInitiator(kept['initiator']);
  for (const name of ['documentURL', 'url']) trimUrl(kept, name);
  return kept;
}

/** Leaves of `record[name]` in place its type, where it is a long `data:` address: a cut could halve a secret. */
function trimUrl(record: Params, name: string): void {
  const url = record[name];
  if (typeof url === 'string' && url.length > URL_UNITS && url.startsWith('data:'))
    record[name] = `${/^data:[^,]{0,200},/.exec(url)?.[0] ?? 'data:,'}…`;
}

function trimResponse(response: JsonObject): Params {
  const kept = without(response, ['headersText', 'requestHeadersText']);
  trimUrl(kept, 'url');
  const { securityDetails } = kept;
  if (isObject(securityDetails))
    kept['securityDetails'] = without(securityDetails, ['sanList', 'signedCertificateTimestampList']);
  return kept;
}

/** Of bytes that are not ASCII `postData` has one character each: only then are the raw entries needed. */
function trimRequest(request: JsonObject): Params {
  const { postData } = request;
  const isAscii = typeof postData === 'string' && ASCII.test(postData);
  const kept = without(request, isAscii ? ['postDataEntries'] : []);
  trimUrl(kept, 'url');
  return kept;
}

const Stack = z.object({ callFrames: z.array(Json), parent: Json.optional() }).catchall(Json);

function trimInitiator(initiator: JsonObject): Params {
  const kept = without(initiator, ['stack']);
  trimUrl(kept, 'url');
  const stack = trimStack(initiator['stack'], STACK_PARENTS);
  return stack === null ? kept : { ...kept, stack };
}

function trimStack(value: JsonValue | undefined, parents: number): Params | null {
  const stack = Stack.safeParse(value);
  if (!stack.success) return null;
  const { callFrames, parent } = stack.data;
  const kept = {
    ...without(stack.data, ['parent']),
    callFrames: callFrames.slice(0, STACK_FRAMES),
  };
  const scheduler = parents > 0 ? trimStack(parent, parents - 1) : null;
  return scheduler === null ? kept : { ...kept, parent: scheduler };
}
