import { isObject, type JsonObject } from '../../shared/json.ts';
import type { BodyChoice } from '../../shared/tools/network/body-choice.ts';
import type { NetworkEntry } from '../core/network.ts';
import type { RedactionReport } from '../core/result.ts';
import type { Clean } from '../redact/clean.ts';
import type { Redactor } from '../core/services.ts';

/*
 * An entry in two parts: what is small and always read, and what went over the wire (bodies and
 * messages), which is read when it is asked for. Both are in the shape of an entry.
 */

/** One part as it is stored: redacted, and what redaction did to it. */
export interface StoredPart<Part extends JsonObject = JsonObject> {
  readonly part: Clean<Part>;
  readonly report: RedactionReport;
}

/** The first part, and why the body is not in the second. */
export interface StoredHead extends StoredPart<NetworkEntry> {
  readonly missing: string | null;
}

/** An entry, redacted, before it is stored. */
export interface PreparedEntry {
  readonly id: number;
  readonly tab: string;
  readonly head: StoredHead;
  readonly bodies: StoredPart | null;
}

const MESSAGE_KEYS = ['_webSocketMessages', '_eventSourceMessages'] as const;

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function only(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

const CONTENT_KEYS = ['text', 'encoding'];
const POST_KEYS = ['text', 'params', '_encoding'];

function headOf(entry: NetworkEntry): NetworkEntry {
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const postData = memberOf(request, 'postData');
  return {
    ...without(entry, MESSAGE_KEYS),
    _id: entry._id,
    startedDateTime: entry.startedDateTime,
    request:
      request['postData'] === undefined
        ? request
        : { ...request, postData: { ...without(postData, POST_KEYS), text: '' } },
    response: { ...response, content: without(memberOf(response, 'content'), CONTENT_KEYS) },
  };
}

function bodiesOf(entry: NetworkEntry): JsonObject | null {
  const postData = memberOf(memberOf(entry, 'request'), 'postData');
  const content = memberOf(memberOf(entry, 'response'), 'content');
  const messages = only(entry, MESSAGE_KEYS);
  const hasPost = typeof postData['text'] === 'string' && postData['text'] !== '';
  const hasContent = content['text'] !== undefined;
  if (!hasPost && !hasContent && Object.keys(messages).length === 0) return null;
  return {
    ...(hasPost ? { request: { postData: only(postData, ['mimeType', ...POST_KEYS]) } } : {}),
    ...(hasContent ? { response: { content: only(content, ['mimeType', ...CONTENT_KEYS]) } } : {}),
    ...messages,
  };
}

/** Redacts an entry and takes it apart. Nothing of it is stored or logged before. */
export function prepareEntry(
  entry: NetworkEntry,
  facts: { readonly id: number; readonly tab: string; readonly missing: string | null },
  redactor: Redactor,
): PreparedEntry {
  const bodies = bodiesOf(entry);
  return {
    id: facts.id,
    tab: facts.tab,
    head: { ...redactPart(headOf(entry), redactor), missing: facts.missing },
    bodies: bodies === null ? null : redactPart(bodies, redactor),
  };
}

/** Redacts what has the shape of an entry, or of a part of one. */
export function redactPart<Part extends JsonObject>(raw: Part, redactor: Redactor): StoredPart<Part> {
  const { entry, report } = redactor.exchange(raw);
  return { part: entry, report };
}

function isTextMessage(message: unknown): boolean {
  return isObject(message) && message['opcode'] !== 2;
}

/** What of the second part a choice of bodies lets through; null when nothing is left. */
export function chooseBodies(bodies: JsonObject | null, choice: BodyChoice): JsonObject | null {
  if (bodies === null || choice === 'none') return null;
  if (choice === 'all') return bodies;
  const postData = memberOf(memberOf(bodies, 'request'), 'postData');
  const content = memberOf(memberOf(bodies, 'response'), 'content');
  const sockets = bodies['_webSocketMessages'];
  const chosen: JsonObject = {
    ...('text' in postData && !('_encoding' in postData) ? { request: bodies['request'] } : {}),
    ...('text' in content && !('encoding' in content) ? { response: bodies['response'] } : {}),
    ...(Array.isArray(sockets) ? { _webSocketMessages: sockets.filter(isTextMessage) } : {}),
    ...only(bodies, ['_eventSourceMessages']),
  };
  return Object.keys(chosen).length === 0 ? null : chosen;
}

/** Puts the parts together again. */
export function joinEntry(head: NetworkEntry, bodies: JsonObject | null): NetworkEntry {
  if (bodies === null) return head;
  const request = memberOf(head, 'request');
  const response = memberOf(head, 'response');
  const postData = memberOf(memberOf(bodies, 'request'), 'postData');
  const content = memberOf(memberOf(bodies, 'response'), 'content');
  return {
    ...head,
    ...only(bodies, MESSAGE_KEYS),
    request:
      'request' in bodies
        ? { ...request, postData: { ...memberOf(request, 'postData'), ...postData } }
        : request,
    response:
      'response' in bodies
        ? { ...response, content: { ...memberOf(response, 'content'), ...content } }
        : response,
  };
}

/** A member that is an object; an empty one where there is none. */
export function memberOf(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isObject(member) ? member : {};
}
