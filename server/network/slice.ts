import type { BodyChoice } from '../../shared/tools/network/body-choice.ts';
import type { NetworkEntry } from '../core/network.ts';
import type { Clean } from '../redact/clean.ts';
import { vouch } from '../redact/mark.ts';
import type { RedactionReport } from '../core/result.ts';
import { sortKey, type EntryFilter } from './filter.ts';
import { chooseBodies, joinEntry, type PreparedEntry, type StoredHead, type StoredPart } from './parts.ts';
import { RingReader, type RingRecord } from './ring.ts';

/** Records of the ring, or pending requests as they are now. */
type Source = RingRecord | PreparedEntry;

export interface SliceOptions {
  readonly sources: readonly Source[];
  readonly filter: EntryFilter;
  /** `-size`: descending. */
  readonly sort: string | null;
  readonly bodies: BodyChoice;
  readonly signal: AbortSignal;
}

/** Entries that are read before they are filtered together. */
const BATCH = 256;

interface Hit {
  readonly source: Source;
  readonly head: StoredHead;
}

/** What a slice found out while it was read. */
export class SliceFacts {
  #secrets: Record<string, number> = {};
  #invisible = 0;
  #instructions = 0;
  entries = 0;
  pending = 0;
  webRequests = 0;
  /** Bodies that were asked for and are not there, by reason. */
  readonly missing = new Map<string, number>();
  /** Entries whose body was larger than a capture keeps. */
  readonly cut: string[] = [];
  /** Messages of connections that were not asked for. */
  messages = 0;

  /** Counts of all that was read; it grows with the slice. */
  get report(): RedactionReport {
    // The executor reads the three members when the slice has been consumed.
    const count = (): SliceFacts => this;
    return {
      get secrets() {
        return count().#secrets;
      },
      get invisibleCharacters() {
        return count().#invisible;
      },
      get instructionLike() {
        return count().#instructions;
      },
    };
  }

  addHead({ part, report }: StoredHead): void {
    this.entries += 1;
    if (part['_pending'] === true) this.pending += 1;
    if (part['_source'] === 'web_request') this.webRequests += 1;
    this.addReport(report);
  }

  addReport({ secrets, invisibleCharacters, instructionLike }: RedactionReport): void {
    for (const [kind, found] of Object.entries(secrets))
      this.#secrets[kind] = (this.#secrets[kind] ?? 0) + found;
    this.#invisible += invisibleCharacters;
    this.#instructions += instructionLike;
  }

  miss(reason: string, { _id: id }: StoredHead['part']): void {
    this.missing.set(reason, (this.missing.get(reason) ?? 0) + 1);
    if (reason === 'too_large') this.cut.push(String(id));
  }
}

const isInRing = (source: Source): source is RingRecord => 'hasLostBodies' in source;

/** Reads a slice: filters in batches, sorts where it has to, and reads bodies last. */
export async function* readSlice(
  options: SliceOptions,
  facts: SliceFacts,
): AsyncGenerator<Clean<NetworkEntry>> {
  const reader = new RingReader(options.sources.filter(isInRing));
  try {
    const hits = filterHeads(options, reader);
    const ordered = options.sort === null ? hits : sorted(hits, options.sort, reader);
    for await (const hit of ordered) {
      const entry = await finish(hit, { options, reader, facts });
      if (entry !== null) yield vouch(entry);
    }
  } finally {
    await reader.close();
  }
}

async function headOf(source: Source, reader: RingReader): Promise<StoredHead> {
  return isInRing(source) ? reader.head(source) : source.head;
}

async function* filterHeads(
  { sources, filter, signal }: SliceOptions,
  reader: RingReader,
): AsyncGenerator<Hit> {
  for (let from = 0; from < sources.length; from += BATCH) {
    signal.throwIfAborted();
    const batch: Hit[] = [];
    for (const source of sources.slice(from, from + BATCH))
      batch.push({ source, head: await headOf(source, reader) });
    const fitting = filter.heads(batch.map(({ head }) => head.part));
    yield* batch.filter((_, index) => fitting[index]);
  }
}

/** Keys alone are kept while sorting, so that memory does not grow with the entries. */
async function* sorted(hits: AsyncIterable<Hit>, sort: string, reader: RingReader): AsyncGenerator<Hit> {
  const by = sort.replace(/^-/, '');
  const keyed: { readonly key: number | string; readonly source: Source }[] = [];
  for await (const { source, head } of hits) keyed.push({ key: sortKey(head.part, by), source });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.source.id - b.source.id));
  if (sort.startsWith('-')) keyed.reverse();
  for (const { source } of keyed) yield { source, head: await headOf(source, reader) };
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
    if (stored !== null) facts.addReport(stored.report);
    const reason = isInRing(source) && source.hasLostBodies ? 'dropped by the ring' : head.missing;
    if (reason !== null) facts.miss(reason, head.part);
  }
  return joinEntry(head.part, chooseBodies(stored?.part ?? null, choice));
}
