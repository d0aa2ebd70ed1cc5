import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, defined, type JsonValue } from '../../shared/base/json.ts';
import { isErrorCode, SpillwayError } from '../../shared/base/errors.ts';
import { Json, JsonRecord, parseJson } from '../../shared/base/json-schema.ts';
import { cleanRecord, type Clean } from '../libraries/redaction/clean.ts';
import type { RunChange, RunKey, RunScope } from '../core/runs.ts';
import { pause } from '../core/slices.ts';
import type { HumanInputRequest } from '../../shared/people/request.ts';
import { CallKind, type GuestCall } from './protocol.ts';
import { readKeptAnswer, takeEarly } from './waiting.ts';

/*
 * The record of a program, in the state of its run: what it was started with, each call that was begun, each end in the order in
 * which the program saw it. With it the program is executed again to the place that it had reached: that is all its durability.
 */
const VERSION = 1;
/** Returned items that are written together. */
const RETURNED_AT_ONCE = 5_000;

const Meta = z.object({ version: z.literal(VERSION), seed: z.int(), started_at: z.number() });
/** Maximum calls that a program waits for at a time. */
export const MAY_WAIT = 1_000;

export const Begun = z.object({
  kind: CallKind,
  name: z.string(),
  hash: z.string(),
  /** For people; missing if they are long. */
  args: JsonRecord.optional(),
  /** When a `sleep` is over. */
  until: z.number().optional(),
  offset: z.int().optional(),
});
export const Ended = z.object({
  id: z.int(),
  at: z.number(),
  isError: z.boolean(),
  /** Missing: a page of a stored output, which is read again. */
  value: Json.optional(),
});
/** The value of an end with an error. */
export const FailedCall = z.looseObject({
  error: z.looseObject({
    code: z.string().refine(isErrorCode),
    message: z.string(),
    hint: z.string(),
    retryable: z.boolean(),
    quotes: z.string().exactOptional(),
  }),
});
const Failure = z.object({ id: z.int(), code: z.string(), place: z.int(), emitted: z.int().default(0) });
/** A call after the failure that is repeated, which is not to be done twice. */
const Left = z.object({ begun: Begun, ended: Ended.optional() });
type Meta = z.infer<typeof Meta>;
export type Failure = z.infer<typeof Failure>;
export type Begun = z.infer<typeof Begun>;
export type Ended = z.infer<typeof Ended>;
type Left = z.infer<typeof Left>;

/** Sets aside what came after a failure. What only reads or waits is done again. */
function leaveLater(
  rows: RunChange,
  { id: failed, place }: Failure,
  onlyReads: (tool: string) => boolean,
): void {
  const before = new Set([failed]);
  const later = new Map<number, RunKey>();
  // All values together may be larger than the memory.
  for (const { key, value } of rows.range(rangeOf('end'))) {
    const { id } = Ended.parse(value);
    if (Number(key[1]) < place) before.add(id);
    else later.set(id, key);
  }
  for (const { key, value } of [...rows.range(rangeOf('begun'))]) {
    const id = Number(key[1]);
    if (before.has(id)) continue;
    rows.remove(key);
    const { kind, name } = Begun.parse(value);
    if (kind === 'sleep' || kind === 'items' || (kind === 'tool' && onlyReads(name))) continue;
    const end = later.get(id);
    const ended = end && rows.get(end);
    rows.put(['left', id], cleanRecord({ begun: value, ...defined({ ended }) }));
  }
  for (const key of later.values()) rows.remove(key);
}

const rangeOf = (part: string) => ({ start: [part], end: [part, Infinity] });

export const hashOf = ({ kind, name, args }: Pick<GuestCall, 'kind' | 'name' | 'args'>): string =>
  createHash('sha256')
    .update(`${kind}\n${name}\n${kind === 'sleep' ? '' : canonicalJson(Json.parse(JSON.parse(args)))}`)
    .digest('hex')
    .slice(0, 16);

/** @throws SpillwayError `program_record_unknown` for a record of another version */
export class ProgramRecord {
  readonly meta: Meta;
  readonly #scope: Pick<RunScope, 'state' | 'commit' | 'redact'>;
  #isNew: boolean;
  #ends = 0;
  /** The hashes of the calls. */
  #left: Map<number, string> | null = null;
  readonly #adopted = new Map<number, number>();

  /** The record of a run. The first call makes it. */
  constructor(scope: RunScope, now: number) {
    this.#scope = scope;
    const stored = scope.state.get(['meta']);
    this.#isNew = stored === undefined;
    const begin = { version: VERSION, seed: Math.floor(Math.random() * 2 ** 31), started_at: now };
    const { data } = Meta.safeParse(stored ?? begin);
    if (data === undefined)
      throw new SpillwayError(
        'program_record_unknown',
        'This version cannot read the record of this program.',
      );
    this.meta = data;
  }

  #commit({ change, ...step }: Parameters<RunScope['commit']>[0]): Promise<void> {
    const isNew = this.#isNew;
    this.#isNew = false;
    return this.#scope.commit({
      ...step,
      change: (rows) => {
        if (isNew) rows.put(['meta'], cleanRecord(this.meta));
        change?.(rows);
      },
    });
  }

  get emitted(): number {
    return z
      .int()
      .catch(0)
      .parse(this.#scope.state.get(['emitted']));
  }

  /** The page of the latest answer that the program has seen. */
  get source(): string | null {
    return z
      .string()
      .nullable()
      .catch(null)
      .parse(this.#scope.state.get(['source']));
  }

  begun(id: number): Begun | null {
    return Begun.safeParse(this.#scope.state.get(['begun', id])).data ?? null;
  }

  /** The failure that last ended the program, which did not catch it. */
  get failure(): Failure | null {
    return Failure.safeParse(this.#scope.state.get(['failure'])).data ?? null;
  }

  /** Results in the order in which the program saw them, each with its number: read as they are taken. */
  *ends(before = Infinity): Generator<{ readonly place: number; readonly ended: Ended }> {
    for (const { key, value } of this.#scope.state.range({ start: ['end'], end: ['end', before] })) {
      const place = Number(key[1]);
      this.#ends = Math.max(this.#ends, place + 1);
      yield { place, ended: Ended.parse(value) };
    }
  }

  /** Records that the program ended with the failure of a call. */
  fail(failure: Failure): Promise<void> {
    const { redact } = this.#scope;
    return this.#commit({ change: (rows) => rows.put(['failure'], cleanRecord(redact(failure))) });
  }

  /**
   * Forgets the result of the call whose failure ended the program: it is repeated, or left out. What the program did
   * after it, such as cleaning up, may then come as another call or never.
   */
  reopen(failure: Failure, onlyReads: (tool: string) => boolean): Promise<void> {
    return this.#commit({
      change: (rows) => {
        rows.remove(['failure']);
        // Items that are already there are emitted again only by the same calls in the same order.
        if (failure.emitted === this.emitted) leaveLater(rows, failure, onlyReads);
        rows.remove(['end', failure.place]);
      },
    });
  }

  /** Takes what was done for the same call of an execution before, if anything. */
  adopt(id: number, hash: string): Left | null {
    this.#left ??= new Map(
      Array.from(this.#scope.state.range(rangeOf('left')), ({ key, value }) => [
        Number(key[1]),
        Left.parse(value).begun.hash,
      ]),
    );
    const same = [...this.#left].filter(([, left]) => left === hash);
    const [from] = same.find(([before]) => before === id) ?? same[0] ?? [];
    if (from === undefined) return null;
    this.#left.delete(from);
    this.#adopted.set(id, from);
    return Left.parse(this.#scope.state.get(['left', from]));
  }

  #forgetLeft(rows: RunChange, id: number): void {
    const from = this.#adopted.get(id);
    if (from !== undefined) rows.remove(['left', from]);
  }

  async answer(id: number, question: HumanInputRequest): Promise<JsonValue | undefined> {
    const { redact, state } = this.#scope;
    const kept = readKeptAnswer(state, id);
    if (kept !== undefined) return kept;
    await this.#commit({ change: (change) => takeEarly(change, { id, question }, redact) });
    return readKeptAnswer(state, id);
  }

  /** Records that a call is about to be made. */
  begin(id: number, begun: Begun): Promise<void> {
    const { redact } = this.#scope;
    return this.#commit({
      change: (rows) => {
        rows.put(['begun', id], cleanRecord(redact(begun)));
        this.#forgetLeft(rows, id);
      },
    });
  }

  /**
   * Records a call's result, with the items that the program emitted before it. Results are applied in the
   * order of these calls. With `isHiding`, the call's arguments are forgotten.
   */
  end(
    ended: Ended & Clean<Ended>,
    {
      begun: { args, ...begun },
      isHiding,
      source,
      items,
      emitted,
      onKept,
    }: {
      readonly begun: Begun;
      readonly isHiding: boolean;
      readonly source: string | null;
      readonly items: readonly JsonValue[];
      readonly emitted: number;
      /** Called in the transaction, so that the stored progress counts this result. */
      readonly onKept: () => void;
    },
  ): { readonly place: number; readonly kept: Promise<void> } {
    const { redact } = this.#scope;
    const place = this.#ends;
    this.#ends += 1;
    const kept = this.#commit({
      // If a power cut takes an act's result, its outcome is unknown; that it began is on disk.
      isDurable: false,
      items,
      change: (rows) => {
        if (isHiding) rows.put(['begun', ended.id], cleanRecord(redact(begun)));
        else if (rows.get(['begun', ended.id]) === undefined)
          rows.put(['begun', ended.id], cleanRecord(redact({ ...begun, ...defined({ args }) })));
        rows.put(['end', place], ended);
        if (source !== null) rows.put(['source'], redact(source));
        this.#forgetLeft(rows, ended.id);
        if (items.length > 0) rows.put(['emitted'], emitted);
        onKept();
      },
    });
    return { place, kept };
  }

  emit(items: readonly JsonValue[], emitted: number): Promise<void> {
    return this.#commit({ items, change: (rows) => rows.put(['emitted'], emitted) });
  }

  /** Keeps what the program returned, once: a process may end before its run does. */
  async keepReturned(items: readonly JsonValue[]): Promise<void> {
    const { state } = this.#scope;
    if (state.get(['returned']) !== undefined) return;
    let kept = z
      .int()
      .catch(0)
      .parse(state.get(['returning']));
    // Many items take a part of a second to write: other work runs between two parts.
    for (; items.length - kept > RETURNED_AT_ONCE; kept += RETURNED_AT_ONCE) {
      const next = kept + RETURNED_AT_ONCE;
      const change = (rows: RunChange): void => rows.put(['returning'], next);
      await this.#commit({ items: items.slice(kept, next), change });
    }
    await this.#commit({ items: items.slice(kept), change: (rows) => rows.put(['returned'], true) });
  }
}

/** The list whose parts are JSON. */
export async function listOf(parts: readonly string[]): Promise<readonly JsonValue[]> {
  const lists: JsonValue[] = [];
  for (const part of parts) {
    lists.push(parseJson(part));
    await pause();
  }
  return lists.flat();
}
