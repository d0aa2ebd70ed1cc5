import { base64Bytes } from '../../ports/base64.ts';
import type { BodyBudget } from './bodies.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { without, type Params } from './trim.ts';

const TEXT_FRAME = 1;

/**
 * Takes the content out of an event that holds one, where the capture does not keep it: a
 * WebSocket's message, an event of an EventSource, a request's body. `not_kept` then gives the reason and its size.
 */
export function keepContent(method: string, params: Params, budget: BodyBudget): Params {
  if (method === 'Network.webSocketFrameSent' || method === 'Network.webSocketFrameReceived')
    return within(params, 'response', 'payloadData', budget);
  if (method === 'Network.requestWillBeSent') return within(params, 'request', 'postData', budget);
  if (method !== 'Network.eventSourceMessageReceived') return params;
  return emptied(params, 'data', budget, true) ?? params;
}

function within(params: Params, name: string, member: string, budget: BodyBudget): Params {
  const inner = params[name];
  if (!isObject(inner)) return params;
  const left = emptied(inner, member, budget, isText(inner));
  return left === null ? params : { ...params, [name]: left };
}

function isText(record: JsonObject): boolean {
  return !('opcode' in record) || record['opcode'] === TEXT_FRAME;
}

/** The record without its content, or null where that is kept. */
function emptied(record: JsonObject, member: string, budget: BodyBudget, text: boolean): Params | null {
  const content = record[member];
  if (typeof content !== 'string' || content === '') return null;
  const sizeBytes = text ? new TextEncoder().encode(content).length : base64Bytes(content);
  const reason = refusal(sizeBytes, budget, text);
  if (reason === null) return null;
  return {
    ...without(record, ['postDataEntries']),
    [member]: '',
    not_kept: { reason, size_bytes: sizeBytes },
  };
}

function refusal(sizeBytes: number, budget: BodyBudget, text: boolean): string | null {
  const { bodies } = budget.limits;
  if (bodies === 'none') return 'not_asked';
  if (bodies === 'text' && !text) return 'not_text';
  return budget.take(sizeBytes);
}
