import type { Exchange } from './exchange.ts';

type ResourceTiming = NonNullable<NonNullable<Exchange['response']>['timing']>;

/** HAR timings in milliseconds; -1 where a phase did not happen. `ssl` is part of `connect`. */
export interface Timings {
  readonly blocked: number;
  readonly dns: number;
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/** Microseconds are what the browser measures; more digits are rounding errors of its doubles. */
const toMs = (seconds: number): number => (seconds === -1 ? -1 : round(seconds * 1_000));
const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function leastNonNegative(values: readonly number[]): number {
  return values.reduce((best, value) => (value >= 0 && value < best ? value : best), Infinity);
}

interface Phases {
  readonly startedAt: number;
  readonly respondedAt: number;
  readonly endedAt: number;
}

/** The response's own timing is more accurate than the times of the events. */
function phasesOf(exchange: Exchange, now: number): Phases {
  const timing = exchange.response?.timing;
  const ended = exchange.endedAt ?? Math.max(now, exchange.issuedAt);
  const received = exchange.respondedAt;
  if (timing === undefined || received === null)
    return { startedAt: exchange.issuedAt, respondedAt: received ?? -1, endedAt: ended };
  const headersAt = timing.requestTime + timing.receiveHeadersEnd / 1_000;
  const respondedAt = Math.max(Math.min(received, headersAt), timing.requestTime);
  return { startedAt: timing.requestTime, respondedAt, endedAt: Math.max(ended, respondedAt) };
}

/**
 * Timings as Chrome DevTools exports them (`front_end/models/har/Log.ts`, `buildTimings`, with the
 * setters of `NetworkRequest`), but that `connect` begins when the name is resolved: there it holds
 * `dns` too, and the phases add up to more than the whole. A pending request is measured up to `now`.
 *
 * @param now latest time of an event, monotonic seconds
 */
export function buildTimings(exchange: Exchange, now: number): Timings {
  const phases = phasesOf(exchange, now);
  const { startedAt } = phases;
  const queued = exchange.issuedAt < startedAt ? toMs(startedAt - exchange.issuedAt) : -1;
  const timing = exchange.response?.timing;
  if (timing !== undefined) return timingsOfResponse(timing, queued, phases);
  return timingsOfEvents(exchange.issuedAt, queued, phases);
}

/** The browser sent no timing: only the times of the events are known. */
function timingsOfEvents(
  issuedAt: number,
  queued: number,
  { startedAt, respondedAt, endedAt }: Phases,
): Timings {
  const none = { blocked: queued, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
  if (respondedAt === -1) return { ...none, blocked: toMs(endedAt - issuedAt) };
  const wait = Math.max(toMs(respondedAt - startedAt), 0);
  return { ...none, wait, receive: Math.max(toMs(endedAt - respondedAt), 0) };
}

function timingsOfResponse(
  timing: ResourceTiming,
  queued: number,
  { respondedAt, endedAt }: Phases,
): Timings {
  const blockedStart = leastNonNegative([timing.dnsStart, timing.connectStart, timing.sendStart]);
  const proxy = timing.proxyEnd === -1 ? 0 : timing.proxyEnd - timing.proxyStart;
  const stalled = blockedStart === Infinity ? queued : Math.max(queued, 0) + blockedStart;
  const dnsEnd = timing.dnsEnd >= 0 ? timing.dnsEnd : -1;
  const connectEnd = timing.connectEnd >= 0 ? timing.connectEnd : -1;
  const sendEnd = timing.sendEnd >= 0 ? timing.sendEnd : 0;
  const base = blockedStart === Infinity ? 0 : blockedStart;
  const sendStart = timing.sendEnd >= 0 ? Math.max(connectEnd, dnsEnd, base) : 0;
  const waitStart = Math.max(sendEnd, connectEnd, timing.sslEnd > 0 ? timing.sslEnd : -1, dnsEnd, base, 0);
  const waitEnd = toMs(respondedAt - timing.requestTime);
  return {
    blocked: round(Math.max(stalled, proxy)),
    dns: dnsEnd < 0 ? -1 : round(dnsEnd - base),
    connect: connectEnd < 0 ? -1 : round(connectEnd - (dnsEnd < 0 ? base : dnsEnd)),
    ssl: timing.sslEnd > 0 ? round(timing.sslEnd - timing.sslStart) : -1,
    send: Math.max(round(sendEnd - sendStart), 0),
    wait: Math.max(round(waitEnd - waitStart), 0),
    receive: Math.max(round(toMs(endedAt - timing.requestTime) - waitEnd), 0),
  };
}

/** What the phases take together; `ssl` is inside `connect`. */
export function totalTime(timings: Timings): number {
  const { blocked, dns, connect, send, wait, receive } = timings;
  return round([blocked, dns, connect, send, wait, receive].reduce((sum, ms) => sum + Math.max(ms, 0), 0));
}
