import type { RunChange, RunState } from '../../core/runs.ts';
import { parseAddress } from './address.ts';
import type { PageRead } from './source.ts';
import { isClosed, parsePatternRecord, patternOf, shapeOf, withPage } from './traps.ts';
import type { Pattern, PatternKind, PatternRecord } from './traps.ts';

/** Patterns whose records are held in memory; the others are read back from the run's state. */
const HELD = 4_096;

/** What the pages of each pattern of addresses brought, in the run's state: ['t', pattern] → its record. */
export class Patterns {
  readonly #state: RunState;
  readonly #held = new Map<string, PatternRecord>();

  constructor(state: RunState) {
    this.#state = state;
  }

  /** Why an address is no longer read, or null. */
  trapOf(href: string): PatternKind | null {
    const pattern = find(href);
    return pattern !== null && isClosed(pattern.kind, this.#record(pattern.key)) ? pattern.kind : null;
  }

  /** Notes what a page brought; the change belongs into the commit of its item. */
  learn(href: string, { content, contentHash }: PageRead): (change: RunChange) => void {
    const pattern = find(href);
    if (pattern === null || contentHash === null) return () => undefined;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const record = withPage(this.#record(pattern.key), shapeOf(pattern.kind, text, contentHash));
    if (this.#held.size >= HELD) this.#held.clear();
    this.#held.set(pattern.key, record);
    return (change) => change.put(['t', pattern.key], record);
  }

  #record(key: string): PatternRecord {
    return this.#held.get(key) ?? parsePatternRecord(this.#state.get(['t', key]));
  }
}

function find(href: string): Pattern | null {
  const address = parseAddress(href);
  return address === null ? null : patternOf(address);
}
