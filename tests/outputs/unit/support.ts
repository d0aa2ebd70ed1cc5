import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { CleanPayload } from '../../../server/core/result.ts';
import type { Clock, JournalEntry } from '../../../server/core/services.ts';
import type { DeliverOptions, FetchRequest } from '../../../server/core/output/index.ts';
import { createOutputPager } from '../../../server/core/output/pager.ts';
import { createOutputPolicy } from '../../../server/core/output/policy.ts';
import { createOutputStore, type OutputStoreOptions } from '../../../server/core/output/store.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { produce } from '../../support/payloads.ts';
import { quickFileSystem } from './hooked-file-system.ts';
import { temporaryHome } from '../../support/home.ts';

export const HOUR_MS = 3_600_000;

/** A clock that only a test moves, with separate wall and monotonic time. */
export class FakeClock implements Clock {
  wall = Date.UTC(2026, 4, 19, 12, 34, 56, 789);
  mono = 5_000_000;
  now = (): number => this.wall;
  monotonic = (): number => this.mono;
  pass(ms: number): void {
    this.wall += ms;
    this.mono += ms;
  }
  jump(ms: number): void {
    this.wall += ms;
  }
}

export interface SetUp extends Partial<OutputStoreOptions> {
  readonly pageBytes?: number;
}

export async function setUp({ pageBytes = LIMITS.outputPageBytes, ...options }: SetUp = {}) {
  const home = options.home ?? (await temporaryHome());
  const clock = options.clock ?? new FakeClock();
  const journal: JournalEntry[] = [];
  const store = createOutputStore({
    home,
    clock,
    logger,
    journal: { record: (entry) => journal.push(entry) },
    ttlHours: 24,
    maxBytes: LIMITS.outputMaxBytes,
    boot: 'this-boot',
    fs: quickFileSystem,
    ...options,
  });
  const policy = createOutputPolicy(store);
  const pager = createOutputPager(store, pageBytes);
  const signal = new AbortController().signal;
  return {
    home,
    store,
    policy,
    pager,
    journal,
    keep: async (payload: CleanPayload): Promise<string> => {
      const { descriptor } = await policy.deliver(produce(payload), deliverOptions({ mode: 'handle' }));
      if (descriptor === undefined) throw new Error('handle mode answered no descriptor');
      return descriptor.output_handle;
    },
    fetch: async (request: Partial<FetchRequest> & { output_handle: string }) =>
      (await pager.fetch({ offset: 0, format: 'auto', encoding: 'auto', ...request }, signal)).page,
  };
}

export function deliverOptions(options: Partial<DeliverOptions> = {}): DeliverOptions {
  return {
    tool: 'read_page',
    mode: 'inline',
    inlineLimitBytes: LIMITS.outputInlineLimitBytes,
    envelopeBytes: 120,
    signal: new AbortController().signal,
    structured: false,
    notes: () => [],
    ...options,
  };
}

/** Every file below a folder except the database's, relative, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('home.db'))
    .sort();
}

export type Fetch = Awaited<ReturnType<typeof setUp>>['fetch'];

/** Follows `next_offset` to the end and joins the items, checking the guarantees of every page. */
export async function allItems(fetch: Fetch, handle: string, limit?: number): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  for await (const page of pages(fetch, { output_handle: handle, limit })) {
    if (typeof page.content === 'string') throw new Error('a page of items holds text');
    items.push(...page.content);
  }
  return items;
}

/** Follows `next_offset` to the end and joins the bytes. */
export async function allBytes(
  fetch: Fetch,
  request: Partial<FetchRequest> & { output_handle: string },
  from: BufferEncoding,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const page of pages(fetch, { format: 'bytes', ...request })) {
    if (typeof page.content !== 'string') throw new Error('a page of bytes holds items');
    parts.push(Buffer.from(page.content, from));
  }
  return Buffer.concat(parts);
}

export async function* pages(fetch: Fetch, request: Partial<FetchRequest> & { output_handle: string }) {
  for (let offset: number | null = request.offset ?? 0; offset !== null;) {
    const page = await fetch({ ...request, offset });
    if (page.returned > page.limit) throw new Error('returned is above limit');
    if ((page.next_offset === null) !== page.eof) throw new Error('next_offset is not null exactly at eof');
    if (page.next_offset !== null && page.next_offset <= offset) throw new Error('a page did not advance');
    if (page.offset !== offset) throw new Error('the offset is not echoed');
    yield page;
    offset = page.next_offset;
  }
}
