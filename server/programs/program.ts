import { formatNote } from '../../shared/core/notes.ts';
import { anySignal, defer, onAbort, waitAtMost, type CombinedSignal } from '../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, type WireError } from '../../shared/base/errors.ts';
import { defined, isJsonList, isObject, type JsonValue } from '../../shared/base/json.ts';
import { asQuoting } from '../../shared/base/quoting.ts';
import { parseJson, toJson } from '../../shared/base/json-schema.ts';
import { MIME } from '../../shared/base/mime.ts';
import { CANCEL_GRACE } from '../core/calls/call.ts';
import type { Outcome, ToolResult } from '../core/result.ts';
import type { RunScope } from '../core/runs.ts';
import { pause } from '../core/slices.ts';
import { begunOf, onlyReads, Parked, ProgramCalls, valueOfResult, type ProgramServices } from './calls.ts';
import { cleanJsonText } from '../libraries/redaction/clean.ts';
import type { GuestCall, ProgramEnd, ProgramEvents, ProgramThread, Settle } from './protocol.ts';
import { FailedCall, listOf, ProgramRecord, type Begun, type Failure } from './record.ts';
import { loadSandbox } from './sandbox.ts';
import { cut, SAID_UNITS } from '../../shared/base/cut.ts';
import { Queue } from '../../shared/base/queue.ts';
import { invalid, overLimit, shiftPosition, quotePlace, stripTypes } from './source.ts';
import { waitsToShow, type Waiting } from './waiting.ts';

/** Results sent to the thread at a time when a program runs again. */
const REPLAYED_AT_ONCE = 64;
/** Emitted items are stored once they reach this many units. */
const EMITTED_UNITS = 1024 * 1024;
/** Of a small one. */
const ITEM_UNITS = 64;
/** A longer value takes several times its size until it is stored: one after another. */
const LARGE_UNITS = 1024 * 1024;
const large = new Queue(1);
/** Lines of one execution. */
const LOGGED_MAX = 1_000;

export interface ExecutionOptions {
  readonly services: ProgramServices;
  /** Default: a `sleep` is waited for, however long. */
  readonly parkAfterMs?: number;
  readonly valueOfResult?: (result: ToolResult) => JsonValue;
  /** A return value that is not an object becomes `{ value }`. */
  readonly asObject?: boolean;
}

/** Calls that programs of this process wait for, by their runs. */
const executing = new Map<string, ReadonlyMap<number, Begun>>();
export const callsAtWork = (runId: string): ReadonlyMap<number, Begun> => executing.get(runId) ?? new Map();

/** Starts a program. @param begin the time of its first start, and its random seed */
export type StartProgram = (
  events: ProgramEvents,
  begin: { readonly now: number; readonly seed: number },
) => ProgramThread;

/**
 * Executes a program in a sandbox to its end, or again up to the end of its record and beyond.
 * @throws SpillwayError `program_invalid`, and as {@link execute}
 */
export async function runProgram(
  { code, input }: { readonly code: string; readonly input: JsonValue },
  scope: RunScope,
  options: ExecutionOptions,
): Promise<Outcome> {
  const plain = stripTypes(code);
  const openSandbox = await loadSandbox();
  const start: StartProgram = (events, begin) =>
    openSandbox({ code: plain, input: JSON.stringify(input), ...begin }, events);
  return execute(start, code, scope, options);
}

/**
 * The same for any program. @param code source for quoting places; empty if unknown
 * @throws SpillwayError `program_failed`, `program_limit`, `program_diverged`, `workflow_waits`, or the error
 *   of a call that the program did not catch
 */
export async function execute(
  start: StartProgram,
  code: string,
  scope: RunScope,
  { services, parkAfterMs = Infinity, ...how }: ExecutionOptions,
): Promise<Outcome> {
  const record = new ProgramRecord(scope, services.now());
  const again = record.failure;
  if (again !== null) await record.reopen(again, onlyReads(services.registry));
  const parts = { scope, services, record, again, parkAfterMs, valueOfResult, asObject: false };
  return new Execution(start, code, { ...parts, ...how }).run();
}

interface Parts extends Required<ExecutionOptions> {
  readonly scope: RunScope;
  readonly record: ProgramRecord;
  /** The call whose failure last ended the program. */
  readonly again: Failure | null;
}

class Execution {
  readonly #calls: ProgramCalls;
  readonly #thread: ProgramThread;
  /** Ends the calls that the program no longer waits for. */
  readonly #over = new AbortController();
  /** Of the run or the program, whichever ends first. */
  readonly #either: CombinedSignal;
  readonly #performing = new Set<Promise<void>>();
  readonly #parked = new Set<Waiting>();
  #isResting = false;
  #isReplayed = false;
  /** Calls with a recorded result. */
  readonly #ended = new Set<number>();
  readonly #pending = new Map<number, Begun>();
  readonly #errors = new Map<
    number,
    { readonly error: WireError; readonly place: number; readonly emitted?: number }
  >();
  #recorded = 0;
  /** Resolves when the program has seen the results that were sent, or has ended. */
  #rested = defer<void>();
  /** The last result that was recorded and sent to the program. */
  #tail: Promise<void>;
  #emitted = 0;
  #logged = 0;
  #kept: number;
  #items: JsonValue[] = [];
  #stored = Promise.resolve();
  #units = 0;
  #doing: string | null = null;

  constructor(
    start: StartProgram,
    private readonly code: string,
    private readonly parts: Parts,
  ) {
    const { record, scope } = parts;
    this.#either = anySignal([scope.signal, this.#over.signal]);
    this.#calls = new ProgramCalls({
      ...parts,
      signal: this.#either.signal,
      report: (doing) => {
        this.#report(doing);
        // Other processes of the home list it. A run that has just ended asks nobody.
        scope.commit({ isDurable: false }).catch(() => undefined);
      },
      park: (waiting) => this.#park(waiting),
    });
    for (const { ended, place } of record.ends()) {
      this.#ended.add(ended.id);
      this.#recorded = place + 1;
    }
    this.#kept = record.emitted;
    const { seed, started_at: now } = record.meta;
    this.#thread = start(
      {
        call: (call) => this.#answerCall(call),
        emit: (item) => this.#emit(item),
        log: (text) => this.#log(text),
        rests: () => {
          this.#isResting = true;
          this.#rested.resolve();
          this.#restIfParked();
        },
      },
      { now, seed },
    );
    this.#tail = this.#replay();
    this.#tail.catch((thrown: unknown) => void this.#thread.close(thrown));
  }

  async run(): Promise<Outcome> {
    const { signal } = this.parts.scope;
    const stop = onAbort(signal, () => void this.#thread.close(signal.reason));
    const { runId } = this.parts.scope;
    executing.set(runId, this.#pending);
    try {
      const end = await this.#thread.ended.finally(() => {
        this.#rested.resolve();
        this.#over.abort(new SpillwayError('cancelled', 'The program has ended.'));
      });
      if (end.type === 'returned')
        return await (end.parts !== undefined || (end.text?.length ?? 0) > LARGE_UNITS
          ? large.add(() => this.#keepReturned(end))
          : this.#keepReturned(end));
      if (end.type === 'threw') return await this.#threw(end);
      throw (end.type === 'limit' ? overLimit : invalid)(this.code, shiftPosition(end), end.message);
    } catch (thrown) {
      // A program's own words, and its calls, may repeat what it has read.
      const { source } = this.#calls;
      throw source === null ? thrown : asQuoting(thrown, source);
    } finally {
      stop();
      await this.#thread.close(this.#over.signal.reason);
      // Calls record how they ended while the run is open.
      if (!signal.aborted) await waitAtMost(Promise.all(this.#performing), CANCEL_GRACE.graceMs);
      executing.delete(runId);
      this.#either.release();
    }
  }

  /** Gives the program its recorded results. */
  async #replay(): Promise<void> {
    let ends: Settle[] = [];
    let units = 0;
    for (const { ended, place } of this.parts.record.ends(this.#recorded)) {
      const { id, at, isError } = ended;
      const value = ended.value === undefined ? await this.#calls.pageAgain(id) : ended.value;
      if (isError) this.#errors.set(id, { place, error: FailedCall.parse(value).error });
      const text: string | undefined = JSON.stringify(value);
      ends.push({ id, isError, text, now: at });
      units += text?.length ?? 0;
      if (ends.length < REPLAYED_AT_ONCE && units < EMITTED_UNITS) continue;
      this.#settle(ends);
      // The next ones stay on disk until the program has seen these.
      await this.#rested.promise;
      ends = [];
      units = 0;
    }
    if (ends.length > 0) this.#settle(ends);
    this.#isReplayed = true;
    this.#restIfParked();
  }

  #settle(ends: readonly Settle[]): void {
    this.#isResting = false;
    this.#rested = defer();
    this.#thread.settle(ends);
  }

  #answerCall(call: GuestCall): void {
    const { id } = call;
    const { record } = this.parts;
    const asked = begunOf(call);
    const recorded = record.begun(id);
    if (recorded !== null && (recorded.name !== call.name || recorded.hash !== asked.hash))
      return void this.#thread.close(buildDiverged(id, recorded, call));
    // A workflow's own function may continue after its end.
    if (this.#ended.has(id) || this.#either.signal.aborted) return;
    const left = recorded === null ? record.adopt(id, asked.hash) : null;
    const before = recorded ?? left?.begun ?? null;
    const begun = before ?? asked;
    this.#pending.set(id, begun);
    this.#report(call.title ?? call.name);
    const performing = this.#perform(call, begun, { wasBegun: before !== null, ended: left?.ended })
      .catch((thrown: unknown) => void this.#thread.close(thrown))
      .finally(() => this.#performing.delete(performing));
    this.#performing.add(performing);
  }

  /** Makes a call and records its result before the program sees it. */
  async #perform(call: GuestCall, begun: Begun, known: Parameters<ProgramCalls['make']>[2]): Promise<void> {
    const { record, services } = this.parts;
    let end: { readonly error?: WireError; readonly value: JsonValue | undefined };
    try {
      end = { value: await this.#calls.make(call, begun, known) };
    } catch (thrown) {
      // The run was stopped: the program may not see a result of the call.
      if (this.parts.scope.signal.aborted) return;
      if (thrown instanceof Parked) return void this.#park(thrown.waiting);
      const coded = toSpillwayError(thrown);
      // The program's end cut it off: if it began to act, nobody knows how far it came.
      if (this.#over.signal.aborted && coded.code === 'cancelled') return;
      const error = { ...coded.toWire(), ...defined({ quotes: coded.quotes }) };
      end = {
        error,
        value: { error: { ...error, ...(coded.body ? { body: coded.body } : {}) }, place: call.id },
      };
    }
    const isError = end.error !== undefined;
    const clean = end.value === undefined ? undefined : this.parts.scope.redact(end.value);
    const ended = {
      id: call.id,
      at: services.now(),
      isError,
      ...(clean === undefined || (call.kind === 'items' && !isError) ? {} : { value: clean }),
    };
    const items = this.#takeItems();
    const isHiding = this.#calls.hiding.has(call.id);
    const { kept, place } = record.end(ended, {
      ...{ begun, isHiding, source: this.#calls.source, items, emitted: this.#kept },
      onKept: () => {
        this.#ended.add(call.id);
        this.#report(null);
      },
    });
    if (end.error !== undefined) this.#errors.set(call.id, { error: end.error, place, emitted: this.#kept });
    this.#tail = Promise.all([this.#tail, kept]).then(() => {
      this.#pending.delete(call.id);
      if (this.#over.signal.aborted) return;
      this.#settle([{ id: call.id, isError, text: JSON.stringify(clean), now: ended.at }]);
    });
    await this.#tail;
  }

  /** Returns a function to call when it no longer waits. */
  #park(waiting: Waiting): () => void {
    this.#parked.add(waiting);
    this.#restIfParked();
    return () => void this.#parked.delete(waiting);
  }

  #restIfParked(): void {
    const isParked = this.#parked.size > 0 && this.#pending.size === this.#parked.size;
    if (!isParked || !this.#isResting || !this.#isReplayed) return;
    const waiting = waitsToShow([...this.#parked]);
    const [first] = waiting;
    const what =
      first !== undefined && 'until' in first
        ? `until ${new Date(first.until).toISOString()}`
        : `for a person: ${first?.question.message ?? ''}`;
    const body = toJson({ waiting });
    void this.#thread.close(new SpillwayError('workflow_waits', `It waits ${asSentence(what)}`, { body }));
  }

  /** Resolves when the items before it are stored, except for a part that is not full. */
  #emit(item: string): Promise<void> {
    this.#emitted += 1;
    if (this.#emitted <= this.#kept) return this.#stored;
    this.#items.push(parseJson(item));
    this.#units += item.length + ITEM_UNITS;
    if (this.#units < EMITTED_UNITS) return this.#stored;
    this.#stored = this.parts.record
      .emit(this.#takeItems(), this.#kept)
      .catch((thrown: unknown) => this.#thread.close(thrown));
    return this.#stored;
  }

  #takeItems(): JsonValue[] {
    const items = this.#items;
    this.#items = [];
    this.#units = 0;
    this.#kept += items.length;
    return items;
  }

  /** Its log keeps only this many lines anyway, and one program should not fill the journal of all runs. */
  #log(text: string): void {
    this.#logged += 1;
    if (this.#logged <= LOGGED_MAX) this.parts.scope.log('program_log', { text });
  }

  #report(message: string | null): void {
    this.#doing = message ?? this.#doing;
    this.parts.scope.progress({
      done: this.#ended.size,
      queued: [...this.#pending.keys()].filter((id) => !this.#ended.has(id)).length,
      failed: 0,
      ...(this.#doing === null ? {} : { message: this.#doing }),
    });
  }

  async #keepReturned({ text, parts }: Extract<ProgramEnd, { readonly type: 'returned' }>): Promise<Outcome> {
    const { scope, record, asObject } = this.parts;
    await this.#tail;
    const returned = parts !== undefined ? await listOf(parts) : text === undefined ? null : parseJson(text);
    await pause();
    const value = asObject && !isObject(returned) && this.#emitted === 0 ? { value: returned } : returned;
    const { source } = this.#calls;
    const state = { calls: this.#ended.size };
    if (this.#emitted > 0) {
      await record.emit(this.#takeItems(), this.#kept);
      const coverage =
        value === null
          ? []
          : [formatNote('returned', { value: cut(cleanJsonText(scope.redact(value)), SAID_UNITS) })];
      return { state, coverage, source };
    }
    await record.keepReturned(isJsonList(value) ? value : [value]);
    if (isJsonList(value)) return { state, coverage: [], source };
    return { state, coverage: [], source, single: typeof value === 'string' ? MIME.text : MIME.json };
  }

  async #threw({
    name,
    message,
    place,
    ...at
  }: Extract<ProgramEnd, { readonly type: 'threw' }>): Promise<never> {
    const where = shiftPosition(at);
    const quoted = quotePlace(this.code, where);
    const body = where.line === null ? {} : { line: where.line, column: where.column };
    const failed = place === null ? undefined : this.#errors.get(place);
    if (failed === undefined || place === null) {
      const text = asSentence(`${name}: ${message}`);
      throw new SpillwayError('program_failed', quoted === '' ? text : `${text} (${quoted})`, { body });
    }
    const { code, message: reason, hint, quotes } = failed.error;
    const { emitted = 0 } = failed;
    await this.parts.record.fail({ id: place, code, place: failed.place, emitted });
    const text = quoted === '' ? reason : `${asSentence(reason)} The program did not catch it (${quoted}).`;
    throw new SpillwayError(code, text, {
      ...{ hint, retryable: false, quotes },
      body: { ...body, call: place },
    });
  }
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const buildDiverged = (id: number, begun: Begun, { name }: GuestCall): SpillwayError =>
  new SpillwayError(
    'program_diverged',
    begun.name === name
      ? `Call ${id} of the program has other arguments than in its record: ${name}.`
      : `Call ${id} of the program is ${name}; in its record it is ${begun.name}.`,
  );
