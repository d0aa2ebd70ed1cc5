import { isJsonList, isObject } from '../../../shared/json.ts';
import type { CleanJson, CleanRecord } from '../../redact/clean.ts';
import { hashOf, type Sketch } from './prose.ts';
import type { Space } from './spaces.ts';

export const SPACE_BOUNDS = {
  /** Pages in a row without anything new after which a space is closed; numbers and names may be those of a real list. */
  stale: 14,
  staleListed: 20,
  /** Pages in a row without new text after which links into a space are nothing new. */
  quiet: 5,
  /** New shingles, or the share of new ones, that make a text a new one. */
  newShingles: 6,
  newShare: 0.5,
  /** What a record remembers at most. */
  shingles: 768,
  parts: 256,
  counters: 32,
} as const;

/** Pages of the same names in the query. */
type Counter = readonly [id: number, fresh: number, stale: number, taken: number];

/** What the pages of a space brought, as it is in the run's state. */
export interface SpaceRecord extends CleanRecord {
  /** Pages in a row without new text. */
  readonly quiet: number;
  readonly seen: readonly number[];
  readonly parts: readonly number[];
  readonly counters: readonly Counter[];
}

export const NEW_RECORD: SpaceRecord = { quiet: 0, seen: [], parts: [], counters: [] };

/** Counts addresses whose parameters were all seen before, in other combinations. */
const RECOMBINED = hashOf('&');

/** Whether a text is new to a space. */
export function hasNewText({ seen }: SpaceRecord, { total, hashes }: Sketch): boolean {
  if (hashes.length === 0) return false;
  const known = new Set(seen);
  const share = hashes.filter((hash) => !known.has(hash)).length / hashes.length;
  return share >= SPACE_BOUNDS.newShare || share * total >= SPACE_BOUNDS.newShingles;
}

export interface Brought {
  readonly sketch: Sketch;
  readonly hasNewText: boolean;
  /** Whether the page counts as something new. */
  readonly isFresh: boolean;
  /** Of the page's address. */
  readonly parts: readonly number[];
}

/** The record after a page of the space was read. */
export function withPage(record: SpaceRecord, space: Space, brought: Brought): SpaceRecord {
  const isRecombined = mayRecombine(space) && knows(record, space.parts);
  const ids = [space.counter, ...(isRecombined ? [RECOMBINED] : [])];
  const counted = ids.map((id): Counter => {
    const { fresh, stale, taken } = counterOf(record, id);
    return brought.isFresh ? [id, fresh + 1, 0, taken + 1] : [id, fresh, stale + 1, taken + 1];
  });
  const others = record.counters.filter(([id]) => !ids.includes(id));
  return {
    quiet: brought.hasNewText ? 0 : record.quiet + 1,
    seen: latest(record.seen, [...brought.sketch.hashes, brought.sketch.whole], SPACE_BOUNDS.shingles),
    parts: latest(record.parts, brought.parts, SPACE_BOUNDS.parts),
    counters: [...others, ...counted].slice(-SPACE_BOUNDS.counters),
  };
}

/**
 * How many more pages without anything new the space may have before this address is skipped; `Infinity` if it is
 * always read.
 */
export function pagesLeftOf(record: SpaceRecord, space: Space): number {
  const isKnown = knows(record, space.parts);
  // A part of the site that was never seen may still come with the next session's token.
  if (!isKnown && (space.kind === 'session' || space.kind === 'growing_path')) return Infinity;
  const { fresh, stale } = counterOf(record, space.counter);
  const most =
    space.kind === 'numbers' || space.kind === 'names' ? SPACE_BOUNDS.staleListed : SPACE_BOUNDS.stale;
  if (!isKnown || !mayRecombine(space) || fresh > stale) return most - stale;
  return most - Math.max(stale, counterOf(record, RECOMBINED).stale);
}

/** Whether an address of the space is no longer read. */
export const isClosed = (record: SpaceRecord, space: Space): boolean => pagesLeftOf(record, space) <= 0;

/** Pages that were read of the addresses with the same names in the query. */
export const takenOf = (record: SpaceRecord, space: Space): number => counterOf(record, space.counter).taken;

export const knows = (record: SpaceRecord, parts: readonly number[]): boolean =>
  parts.every((part) => record.parts.includes(part));

const mayRecombine = ({ kind, parts }: Space): boolean =>
  parts.length > 1 && (kind === 'facets' || kind === 'pagination');

function counterOf(record: SpaceRecord, id: number): { fresh: number; stale: number; taken: number } {
  const [, fresh, stale, taken] = record.counters.find(([each]) => each === id) ?? [id, 0, 0, 0];
  return { fresh, stale, taken };
}

/** The latest hashes; those that came again are among them. */
function latest(before: readonly number[], now: readonly number[], most: number): readonly number[] {
  const again = new Set(now);
  return [...before.filter((hash) => !again.has(hash)), ...again].slice(-most);
}

/** Reads back what this module wrote. */
export function parseSpaceRecord(value: CleanJson | undefined): SpaceRecord {
  if (!isObject(value)) return NEW_RECORD;
  const { quiet, seen, parts, counters } = value;
  if (typeof quiet !== 'number' || !isJsonList(counters)) return NEW_RECORD;
  return { quiet, seen: numbersOf(seen), parts: numbersOf(parts), counters: counters.flatMap(toCounter) };
}

function toCounter(value: CleanJson): readonly Counter[] {
  const [id, fresh, stale, taken] = numbersOf(value);
  return id === undefined || fresh === undefined || stale === undefined || taken === undefined
    ? []
    : [[id, fresh, stale, taken]];
}

const numbersOf = (value: CleanJson | undefined): readonly number[] =>
  isJsonList(value) ? value.filter((each) => typeof each === 'number') : [];
