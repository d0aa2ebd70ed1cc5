import { vouch } from '../redact/mark.ts';
import type { BodyChoice } from '../../shared/tools/network/body-choice.ts';
import type { CaptureView, NetworkStatus } from '../core/network.ts';
import { type PreparedEntry, chooseBodies } from './parts.ts';
import { NetworkRing, type RingOptions } from './ring.ts';
import type { CaptureSink, TabCapture } from './tab-capture.ts';
import { LIMITS } from '../../shared/limits.ts';
import { textsOf } from '../toolkit/texts.ts';
import type { SliceFacts } from './slice.ts';

/** A client's part in the capture of a tab. */
export interface Subscription {
  readonly capture: TabCapture;
  readonly sink: CaptureSink;
  readonly ended: string | null;
}

function describe({ capture, sink, ended }: Subscription): CaptureView {
  const why = ended ?? capture.ended;
  return {
    tab: capture.name,
    state: why === null ? 'capturing' : 'ended',
    source: capture.source,
    bodies: sink.bodies,
    ended: why,
    gaps: capture.gaps,
  };
}

/** What one client captures, and its ring. */
export class ClientCaptures {
  readonly ring: NetworkRing;
  readonly #subscriptions = new Map<string, Subscription>();
  /** Bodies of every tab that is to come; null when only named tabs are captured. */
  all: BodyChoice | null = null;

  constructor(options: RingOptions) {
    this.ring = new NetworkRing(options);
  }

  get(tab: string): Subscription | undefined {
    return this.#subscriptions.get(tab);
  }

  /** The client's parts in captures: of one tab, or of all. */
  list(tab: string | null): readonly Subscription[] {
    return [...this.#subscriptions].filter(([name]) => tab === null || name === tab).map(([, one]) => one);
  }

  view(tab: string): CaptureView | null {
    const subscription = this.#subscriptions.get(tab);
    return subscription === undefined ? null : describe(subscription);
  }

  /** Joins a capture, or changes which bodies the client keeps of it. */
  join(capture: TabCapture, bodies: BodyChoice): void {
    const known = this.#subscriptions.get(capture.name);
    if (known?.ended === null && known.sink.bodies === bodies && known.capture === capture) return;
    const sink = this.#createSink(bodies);
    this.#subscriptions.set(capture.name, { capture, sink, ended: null });
    capture.attach(sink);
    if (known?.ended === null) known.capture.release(known.sink);
  }

  /** The client's part ends; pending requests stay as they are. */
  leave(tab: string, reason: string): void {
    const known = this.#subscriptions.get(tab);
    if (known === undefined || known.ended !== null) return;
    this.#subscriptions.set(tab, { ...known, ended: reason });
    known.capture.detach(known.sink);
  }

  /** A tab that never was. */
  forget(tab: string): void {
    if (this.ring.records(tab).length === 0) this.#subscriptions.delete(tab);
  }

  status(): NetworkStatus {
    const parts = this.list(null);
    return {
      captures: parts.map(describe),
      ...this.ring.facts,
      lost_lines: parts.reduce((sum, { capture }) => sum + capture.lostLines, 0),
    };
  }

  async close(): Promise<void> {
    for (const { capture, sink } of this.#subscriptions.values()) capture.release(sink);
    await this.ring.close();
  }

  #createSink(bodies: BodyChoice): CaptureSink {
    const { ring } = this;
    return {
      bodies,
      add: (entry) => ring.add(keep(entry, bodies)),
      settled: () => ring.settled(),
    };
  }
}

/** The capture may keep more than this client asked for, since another one did. */
function keep(entry: PreparedEntry, choice: BodyChoice): PreparedEntry {
  const { bodies, head } = entry;
  if (bodies === null || choice === 'all') return entry;
  const part = chooseBodies(bodies.part, choice);
  if (part === bodies.part) return entry;
  const missing = head.missing ?? (choice === 'none' ? 'not_asked' : 'not_text');
  return {
    ...entry,
    head: { ...head, missing: part === null ? missing : head.missing },
    bodies: part === null ? null : { ...bodies, part: vouch(part) },
  };
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** Entries that a note names; the others say it themselves. */
const NAMED = 8;

/** The first names of a list, and whether there are more. */
function someOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ['…'] : [];
  return [...names.slice(0, NAMED), ...more].join(', ');
}

function ofCut({ cut }: SliceFacts, bodyBytes: number): string[] {
  if (cut.length === 0) return [];
  const named = someOf(cut);
  const most = LIMITS.networkBodyBytesMax;
  const how =
    bodyBytes < most ? `start the server with a larger --network-body-bytes, up to ${most}` : 'fetch the URL';
  return [`too_large: the body of ${named} is over --network-body-bytes (${bodyBytes}); ${how}.`];
}

function ofSlice(facts: SliceFacts, bodies: BodyChoice): string[] {
  const { pending, messages, missing, webRequests } = facts;
  const reasons = [...missing].map(([reason, number]) => `${number} ${reason}`);
  const total = [...missing.values()].reduce((sum, number) => sum + number, 0);
  return textsOf(
    pending > 0 && `${count(pending, 'request is', 'requests are')} still pending (_pending).`,
    total > 0 && `${count(total, 'body is', 'bodies are')} missing: ${reasons.join(', ')}.`,
    messages > 0 &&
      bodies === 'none' &&
      `${count(messages, 'message')} of WebSockets and EventSources omitted: pass bodies: "text" to see them.`,
    webRequests > 0 &&
      `${count(webRequests, 'request')} seen by webRequest: without bodies, timings and messages.`,
  );
}

function ofRing(client: ClientCaptures): string[] {
  const { dropped_entries: entries, dropped_bodies: bodies, max_bytes: maxBytes } = client.ring.facts;
  const error = client.ring.diskError;
  return textsOf(
    entries + bodies > 0 &&
      `The buffer of ${maxBytes} bytes (--network-buffer-bytes) has dropped ${count(entries, 'request')} and the bodies of ${bodies}, oldest first.`,
    error !== null && `${error.code}: ${error.message}`,
  );
}

const LEFT = {
  ask: 'a person has to allow it. Call network with action "start" while the tab shows that site; they are asked then',
  deny: 'a rule denies it',
} as const;

function ofSites(
  tab: string,
  sites: readonly (readonly [string, string])[],
  effect: 'ask' | 'deny',
): string[] {
  const origins = sites.filter(([, one]) => one === effect).map(([origin]) => origin);
  if (origins.length === 0) return [];
  return [`Tab ${tab}: requests of ${someOf(origins)} were left out, since ${LEFT[effect]}.`];
}

function ofCapture({ capture, ended }: Subscription): string[] {
  const { name, gaps, pauses, lostLines, misread, leftOut, leftSites, source } = capture;
  const sites = [...leftSites];
  const why = ended ?? capture.ended;
  return textsOf(
    why !== null && why !== 'stopped' && `The capture of tab ${name} ended: ${why}.`,
    gaps > 0 &&
      `Tab ${name}: the browser disconnected ${count(gaps, 'time')}; requests during that time are missing.`,
    ...pauses.map(({ from, to }) => {
      const until = to === null ? 'and still has it' : `until ${new Date(to).toISOString()}`;
      return `Tab ${name}: a person took it over at ${new Date(from).toISOString()} ${until}; nothing of that time was captured.`;
    }),
    lostLines > 0 && `Tab ${name}: ${count(lostLines, 'event')} lost: the server did not read fast enough.`,
    misread > 0 && `Tab ${name}: ${count(misread, 'event')} not understood.`,
    leftOut > 0 && `Tab ${name}: ${count(leftOut, 'request')} could not be redacted and were omitted.`,
    ...ofSites(name, sites, 'ask'),
    ...ofSites(name, sites, 'deny'),
    source === 'web_request' &&
      `Tab ${name}: no debugger can attach; captured by webRequest, bodies are missing.`,
  );
}

/** Short sentences on what a slice does not hold. */
export function describeCoverage(about: {
  readonly client: ClientCaptures;
  readonly parts: readonly Subscription[];
  /** Tabs that did not answer in time. */
  readonly late: readonly string[];
  readonly facts: SliceFacts;
  readonly bodies: BodyChoice;
  /** The largest body that is kept. */
  readonly bodyBytes: number;
}): string[] {
  const { client, parts, late, facts, bodies, bodyBytes } = about;
  return [
    ...late.map(
      (tab) => `Tab ${tab}: the browser did not answer in time; the newest requests may be missing.`,
    ),
    ...parts.flatMap(ofCapture),
    ...ofSlice(facts, bodies),
    ...ofCut(facts, bodyBytes),
    ...ofRing(client),
  ];
}
