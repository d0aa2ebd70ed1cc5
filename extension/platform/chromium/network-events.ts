import { lookUp } from '../../../shared/base/json.ts';
import type { DebuggerEvent } from './debugger/sessions.ts';

/** By the names of the network's events, and the full names of others. */
const KINDS = {
  requestWillBeSent: 'request',
  requestWillBeSentExtraInfo: 'headers',
  responseReceived: 'response',
  responseReceivedExtraInfo: 'headers',
  responseReceivedEarlyHints: 'more',
  requestServedFromCache: 'from_cache',
  dataReceived: 'data',
  loadingFinished: 'finished',
  loadingFailed: 'failed',
  webSocketCreated: 'socket',
  webSocketWillSendHandshakeRequest: 'handshake',
  webSocketHandshakeResponseReceived: 'more',
  webSocketFrameSent: 'message',
  webSocketFrameReceived: 'message',
  webSocketFrameError: 'more',
  webSocketClosed: 'more',
  eventSourceMessageReceived: 'source_message',
  'Page.frameNavigated': 'document',
  'Page.domContentEventFired': 'more',
  'Page.loadEventFired': 'more',
  'Target.attachedToTarget': 'target',
  'Target.detachedFromTarget': 'more',
} as const;

/**
 * An event of a tab, with its meaning for the network. `headers` are those of a request or a response as they were sent;
 * `message` is one of a socket, and `source_message` of an event source; `target` is a frame or worker with a session of
 * its own; `more` is for those who read a whole capture, and `other` for nobody.
 */
export interface NetworkEvent extends DebuggerEvent {
  readonly kind: (typeof KINDS)[keyof typeof KINDS] | 'other';
}

export const networkEvent = (event: DebuggerEvent): NetworkEvent => ({
  ...event,
  kind: lookUp<NetworkEvent['kind']>(KINDS, event.method.replace('Network.', '')) ?? 'other',
});

/**
 * The end of a load that the debugger does not report.
 * @param timestamp in the debugger's seconds
 * @param error null for a load that succeeded
 */
export function endOfLoad(
  { sessionId, params: { requestId, type } }: NetworkEvent,
  timestamp: number,
  error: string | null,
): NetworkEvent {
  if (error === null)
    return networkEvent({ sessionId, method: 'Network.loadingFinished', params: { requestId, timestamp } });
  const params = { requestId, timestamp, type, errorText: error };
  return networkEvent({ sessionId, method: 'Network.loadingFailed', params });
}
