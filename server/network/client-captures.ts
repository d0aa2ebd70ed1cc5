import { vouch } from '../libraries/redaction/mark.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { BodyChoice } from '../../shared/network/network.methods.ts';
import {
  type CaptureView,
  type NetworkEntry,
  type PreparedEntry,
  chooseBodies,
  joinEntry,
  type StoredHead,
  type StoredPart,
} from '../libraries/har/parts.ts';
import { NetworkRing, type RingOptions, RingReader, type RingRecord } from './ring.ts';
import type { CaptureSink, TabCapture } from './tab-capture.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { textsOf } from '../../shared/base/cut.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import { ReportSum } from '../core/result.ts';
import { sortKey, type EntryFilter } from './filter.ts';
import { pause } from '../core/slices.ts';

/** A session's captures and its ring. */
export interface NetworkStatus extends JsonObject {
  readonly captures: readonly CaptureView[];
  readonly entries: number;
  readonly size_bytes: number;
  readonly max_bytes: number;
  /** Entries that the ring dropped to stay below its limit. */
  readonly dropped_entries: number;
  /** Bodies that the ring dropped before their entries. */
  readonly dropped_bodies: number;
  /** Lines that the browser side lost. */
  readonly lost_lines: number;
  /** The code of a disk failure; the newest entries then stay in memory. */
  readonly disk_error: string | null;
}

/** A client's share in the capture of a tab. */
export interface Subscription {
  readonly capture: TabCapture;
  readonly sink: CaptureSink;
  readonly ended: string | null;
}

function buildView({ capture, sink, ended }: Subscription): CaptureView {
  const why = ended ?? capture.ended;
  return {
    tab: capture.name,
    state: why === null ? 'capturing' : 'ended',
    source: capture.source,
    bodies: sink.bodies,
    ended: why,
    gaps: capture.gaps,
    ...(capture.failedBefore === 0 ? {} : { failed_before: capture.failedBefore }),
  };
}

export class ClientCaptures {
  readonly ring: NetworkRing;
  readonly #subscriptions = new Map<string, Subscription>();
  /** Bodies to keep for every later tab; null if only named tabs are captured. */
  all: BodyChoice | null = null;

  constructor(options: RingOptions) {
    this.ring = new NetworkRing(options);
  }

  get(tab: string): Subscription | undefined {
    return this.#subscriptions.get(tab);
  }

  /** The client's shares in captures: of one tab, or of all. */
  list(tab: string | null): readonly Subscription[] {
    return [...this.#subscriptions].filter(([name]) => tab === null || name === tab).map(([, one]) => one);
  }

  view(tab: string): CaptureView | null {
    const subscription = this.#subscriptions.get(tab);
    return subscription === undefined ? null : buildView(subscription);
  }

  /**
   * Joins a capture, or changes which of its bodies the client keeps. Returns a function for a start that failed: the
   * client keeps the share that it had, or has none.
   */
  join(capture: TabCapture, bodies: BodyChoice): (reason: string) => void {
    const { name } = capture;
    const known = this.#subscriptions.get(name);
    const had = known?.ended === null && known.capture === capture && capture.isCapturing ? known : null;
    const undo = (reason: string): void => {
      if (had === null || !capture.isCapturing) return this.leave(name, reason);
      this.#share(had);
    };
    if (known?.ended === null && known.sink.bodies === bodies && known.capture === capture) return undo;
    const { ring } = this;
    const sink = {
      bodies,
      add: (entry: PreparedEntry) => ring.add(keep(entry, bodies)),
      settled: () => ring.awaitSettled(),
    };
    this.#share({ capture, sink, ended: null });
    return undo;
  }

  #share(share: Subscription): void {
    const known = this.#subscriptions.get(share.capture.name);
    this.#subscriptions.set(share.capture.name, share);
    share.capture.sinks.add(share.sink);
    if (known?.ended === null && known.sink !== share.sink) known.capture.sinks.delete(known.sink);
  }

  /** Ends the client's share; pending requests stay as they are. */
  leave(tab: string, reason: string): void {
    const known = this.#subscriptions.get(tab);
    if (known === undefined || known.ended !== null) return;
    this.#subscriptions.set(tab, { ...known, ended: reason });
    known.capture.detach(known.sink);
  }

  /** A tab that never existed. */
  forget(tab: string): void {
    if (this.#subscriptions.get(tab)?.ended !== null && this.ring.records(tab).length === 0)
      this.#subscriptions.delete(tab);
  }

  status(): NetworkStatus {
    const parts = this.list(null);
    return {
      captures: parts.map(buildView),
      ...this.ring.facts,
      lost_lines: parts.reduce((sum, { capture }) => sum + capture.lostLines, 0),
    };
  }

  async close(): Promise<void> {
    for (const { capture, sink } of this.#subscriptions.values()) capture.sinks.delete(sink);
    await this.ring.close();
  }
}

/** The capture may keep more than this client asked for, because of another client. */
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

/** Maximum entries that a note names; the others report it themselves. */
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

/** Tabs whose captures have ended, in one sentence for each reason. */
function ofEnded(parts: readonly Subscription[]): string[] {
  const names = new Map<string, string[]>();
  for (const { capture, ended } of parts) {
    const why = ended ?? capture.ended;
    if (why !== null && why !== 'stopped') names.set(why, [...(names.get(why) ?? []), capture.name]);
  }
  return [...names].map(([why, tabs]) =>
    tabs.length === 1
      ? `The capture of tab ${someOf(tabs)} ended: ${why}.`
      : `The captures of ${tabs.length} tabs (${someOf(tabs)}) ended: ${why}.`,
  );
}

function ofCapture({ capture }: Subscription): string[] {
  const { name, gaps, pauses, lostLines, misread, leftOut, leftSites, source } = capture;
  const sites = [...leftSites];
  return textsOf(
    gaps > 0 &&
      `Tab ${name}: the browser disconnected ${count(gaps, 'time')}; requests during that time are missing.`,
    ...pauses.map(({ from, to }) => {
      const until = to === null ? 'and still has it' : `until ${new Date(to).toISOString()}`;
      return `Tab ${name}: a person took it over at ${new Date(from).toISOString()} ${until}; nothing of that time was captured.`;
    }),
    lostLines > 0 && `Tab ${name}: ${count(lostLines, 'event')} lost: the server did not read fast enough.`,
    misread > 0 && `Tab ${name}: ${count(misread, 'event')} not understood.`,
    leftOut.size > 0 &&
      `Tab ${name}: ${count(leftOut.size, 'request')} could not be redacted and were omitted.`,
    ...ofSites(name, sites, 'ask'),
    ...ofSites(name, sites, 'deny'),
    source === 'web_request' &&
      `Tab ${name}: no debugger can attach; captured by webRequest, bodies are missing.`,
    source === 'response_filter' &&
      `Tab ${name}: captured by webRequest and its response filter; timings and messages of sockets are missing.`,
  );
}

/** Short sentences about the gaps of a slice. Only the first ones are shown: those of all tabs come before those of one. */
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
    ...ofSlice(facts, bodies),
    ...ofCut(facts, bodyBytes),
    ...ofRing(client),
    ...late.map(
      (tab) => `Tab ${tab}: the browser did not answer in time; the newest requests may be missing.`,
    ),
    ...ofEnded(parts),
    ...parts.flatMap(ofCapture),
  ];
}

/** Records of the ring, or pending requests in their current state. */
type Source = RingRecord | PreparedEntry;

interface SliceOptions {
  readonly sources: readonly Source[];
  readonly filter: EntryFilter;
  /** `-size`: descending. */
  readonly sort: string | null;
  readonly bodies: BodyChoice;
  readonly signal: AbortSignal;
}

interface Hit {
  readonly source: Source;
  readonly head: StoredHead;
}

export class SliceFacts {
  /** Over everything read: the executor reads it after consuming the slice. */
  readonly report = new ReportSum();
  pending = 0;
  webRequests = 0;
  /** Requested bodies that are missing, by reason. */
  readonly missing = new Map<string, number>();
  /** Entries whose body was larger than a capture keeps. */
  readonly cut: string[] = [];
  /** Messages of connections that were not requested. */
  messages = 0;

  addHead({ part, report }: StoredHead): void {
    if (part['_pending'] === true) this.pending += 1;
    if (part['_source'] === 'web_request') this.webRequests += 1;
    this.report.add(report);
  }

  miss(reason: string, { _id: id }: StoredHead['part']): void {
    this.missing.set(reason, (this.missing.get(reason) ?? 0) + 1);
    if (reason === 'too_large') this.cut.push(String(id));
  }
}

const isInRing = (source: Source): source is RingRecord => 'hasLostBodies' in source;

/** Reads a slice: filters, sorts if needed, and reads bodies last. */
export async function* readSlice(
  options: SliceOptions,
  facts: SliceFacts,
): AsyncGenerator<Clean<NetworkEntry>> {
  const reader = new RingReader(options.sources.filter(isInRing));
  try {
    const hits = filterHeads(options, reader);
    const ordered = options.sort === null ? hits : sortHits(hits, options.sort, reader);
    for await (const hit of ordered) {
      const entry = await finish(hit, { options, reader, facts });
      if (entry !== null) yield vouch(entry);
    }
  } finally {
    await reader.close();
  }
}

async function readStoredHead(source: Source, reader: RingReader): Promise<StoredHead> {
  return isInRing(source) ? reader.head(source) : source.head;
}

async function* filterHeads(
  { sources, filter, signal }: SliceOptions,
  reader: RingReader,
): AsyncGenerator<Hit> {
  for (const source of sources) {
    signal.throwIfAborted();
    const turn = pause();
    if (turn !== undefined) await turn;
    const head = await readStoredHead(source, reader);
    if (filter.head(head.part)) yield { source, head };
  }
}

/** Only keys are kept while sorting, so that memory does not grow with the entries. */
async function* sortHits(hits: AsyncIterable<Hit>, sort: string, reader: RingReader): AsyncGenerator<Hit> {
  const by = sort.replace(/^-/, '');
  const keyed: { readonly key: number | string; readonly source: Source }[] = [];
  for await (const { source, head } of hits) keyed.push({ key: sortKey(head.part, by), source });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.source.id - b.source.id));
  if (sort.startsWith('-')) keyed.reverse();
  for (const { source } of keyed) yield { source, head: await readStoredHead(source, reader) };
}

async function bodiesOf(source: Source, reader: RingReader): Promise<StoredPart | null> {
  if (!isInRing(source)) return source.bodies;
  return source.bodies === null ? null : reader.bodies(source.bodies);
}

async function finish(
  { source, head }: Hit,
  parts: { readonly options: SliceOptions; readonly reader: RingReader; readonly facts: SliceFacts },
): Promise<NetworkEntry | null> {
  const { options, reader, facts } = parts;
  const { filter, bodies: choice } = options;
  const isAsked = choice !== 'none';
  const stored = isAsked || filter.bodies !== null ? await bodiesOf(source, reader) : null;
  if (filter.bodies?.(stored?.part ?? null) === false) return null;
  facts.addHead(head);
  if (!isAsked) facts.messages += Number(head.part['_messageCount'] ?? 0);
  else {
    if (stored !== null) facts.report.add(stored.report);
    const reason = isInRing(source) && source.hasLostBodies ? 'dropped by the ring' : head.missing;
    if (reason !== null) facts.miss(reason, head.part);
  }
  return joinEntry(head.part, chooseBodies(stored?.part ?? null, choice));
}
