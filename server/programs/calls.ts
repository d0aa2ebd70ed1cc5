import { z } from 'zod';
import { cut } from '../../shared/base/cut.ts';
import { delay, deadlineSignal } from '../../shared/base/async.ts';
import {
  isErrorCode,
  isUnknownOutcome,
  SpillwayError,
  invalidArgument,
  type WireError,
} from '../../shared/base/errors.ts';
import { defined, isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { describeIssues, Json, JsonRecord, parseJson } from '../../shared/base/json-schema.ts';
import { humanInputSchema } from '../../shared/people/request.ts';
import { isForModels, type ToolDefinition } from '../core/registry/definition.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';
import type { RunScope } from '../core/runs.ts';
import type { CallPart, GuestCall } from './protocol.ts';
import { DECLARATIONS_PAGE, nearDeclarations } from './declarations.ts';
import { FailedCall, hashOf, type Begun, type Ended, type Failure, type ProgramRecord } from './record.ts';
import { asking } from './waiting.ts';
import type { Waiting } from './waiting.ts';

const ARGS_UNITS = 200;
const KEPT_ARGS_UNITS = 2_000;
const ARRIVAL_MS = 60_000;
const ARRIVAL_POLL_MS = 50;
const DELAY_MAX_MS = 2 ** 31 - 1;
/** A call of a program waits for its person and its run: only the program limits how long. */
const NO_LIMIT_MS = Infinity;

const Options = z.strictObject({
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(10),
      backoff_ms: z.int().min(0).max(600_000).default(1_000),
    })
    .optional(),
  timeout: z.int().min(1).max(86_400_000).optional(),
});
type Options = z.infer<typeof Options>;

interface ProgramCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  /** Called when a person is asked about it. */
  readonly onAsk: () => void;
}

export interface ProgramServices {
  readonly registry: Pick<ToolRegistry, 'find' | 'all' | 'isExpected'>;
  readonly now: () => number;
  /** Executes a call to its end, as one of the session that started the run. */
  readonly call: (call: ProgramCall) => Promise<ToolResult>;
}

interface CallParts {
  readonly scope: RunScope;
  /** Aborts with the run, and when the program has ended. */
  readonly signal: AbortSignal;
  readonly services: ProgramServices;
  readonly record: ProgramRecord;
  readonly again: Failure | null;
  readonly report: (doing: string) => void;
  /** Returns a function to call when it no longer waits. */
  readonly park: (waiting: Waiting) => () => void;
  /** A longer `sleep` uses no process. */
  readonly parkAfterMs: number;
  readonly valueOfResult: (result: ToolResult) => JsonValue;
}

/** The call waits for a person: no process is kept for it. */
export class Parked extends Error {
  constructor(readonly waiting: Waiting) {
    super('The program waits.');
  }
}

/** Makes the calls of a program, in whatever order it requests them. */
export class ProgramCalls {
  /** The page of the latest answer. */
  source: string | null;
  /** Calls whose receipts left out a value of their arguments. */
  readonly hiding = new Set<number>();
  #made = 0;

  constructor(private readonly parts: CallParts) {
    this.source = parts.record.source;
  }

  /**
   * @param known `wasBegun`: an earlier execution began it, and nobody knows whether it was done, unless it has `ended`
   * @throws SpillwayError as the call fails, `outcome_unknown`, `unknown_tool`, or `invalid_argument` for options that it does not take
   */
  async make(
    call: GuestCall,
    begun: Begun,
    { wasBegun, ended }: { readonly wasBegun: boolean; readonly ended: Ended | undefined },
  ): Promise<JsonValue | undefined> {
    if (ended?.isError === true) throw errorOf(FailedCall.parse(ended.value));
    if (ended !== undefined) return ended.value;
    switch (call.kind) {
      case 'items':
        return this.#page(call.id, call.name, begun.offset ?? 0);
      case 'sleep':
        return this.#sleep(call.id, begun, wasBegun);
      case 'step':
        return this.#step(call, begun, wasBegun);
      case 'ask':
        return this.#ask(call, begun, wasBegun);
      default:
        return this.#tool(call, begun, wasBegun);
    }
  }

  /** A page of a stored output is not in the record and is read again. */
  async pageAgain(id: number): Promise<JsonValue | undefined> {
    const begun = this.parts.record.begun(id);
    return begun?.offset === undefined ? undefined : this.#page(id, begun.name, begun.offset);
  }

  async #sleep(id: number, begun: Begun, wasBegun: boolean): Promise<undefined> {
    const { record, signal, services } = this.parts;
    if (!wasBegun) await record.begin(id, begun);
    const { until = 0 } = begun;
    const leftMs = (): number => until - services.now();
    // Its time may come while other calls are at work.
    const unpark = leftMs() > this.parts.parkAfterMs ? this.parts.park({ id, until }) : null;
    while (leftMs() > 0) await delay(Math.min(leftMs(), DELAY_MAX_MS), signal);
    unpark?.();
    return undefined;
  }

  async #tool(call: GuestCall, begun: Begun, wasBegun: boolean): Promise<JsonValue | undefined> {
    const { id, name } = call;
    await this.#awaitArrival(name);
    const { kind, manifest } = this.#definition(name);
    const options = readOptions(call);
    const acts = kind !== 'native' || !manifest.annotations.readOnlyHint;
    return this.#onceOnly(call, { begun, wasBegun: acts && wasBegun, acts }, async () => {
      const args = JsonRecord.parse(parseJson(call.args));
      return this.parts.valueOfResult(await this.#call({ id, name, args }, options));
    });
  }

  #step(call: GuestCall, begun: Begun, wasBegun: boolean): Promise<JsonValue | undefined> {
    const part: CallPart = (name, args) => this.#call({ id: call.id, name, args }, {});
    return this.#onceOnly(call, { begun, wasBegun, acts: true }, async () => call.perform?.(part));
  }

  /** A person's answer is in the record when the program runs again. */
  async #ask(call: GuestCall, begun: Begun, wasBegun: boolean): Promise<JsonValue | undefined> {
    const { record } = this.parts;
    const { data: question, error } = humanInputSchema.safeParse(parseJson(call.args));
    if (question === undefined) throw invalidArgument(`ask: ${describeIssues(error.issues, 'question')}.`);
    // The tab exists by now.
    if (question.type === 'takeover')
      return this.#tool({ ...call, name: 'request_human_input' }, begun, wasBegun);
    if (!wasBegun) await record.begin(call.id, begun);
    const answer = await record.answer(call.id, question);
    if (answer !== undefined) return answer;
    throw new Parked({ id: call.id, question });
  }

  /** Does something that must not be done twice. */
  async #onceOnly(
    call: GuestCall,
    { begun, wasBegun, acts }: { readonly begun: Begun; readonly wasBegun: boolean; readonly acts: boolean },
    work: () => Promise<JsonValue | undefined>,
  ): Promise<JsonValue | undefined> {
    const { record, again, signal } = this.parts;
    const { decision } = this.parts.scope;
    const isAgain = again?.id === call.id;
    const isUnknown = wasBegun && !(isAgain && again.code !== 'outcome_unknown');
    if (decision?.do === 'skip' && (isAgain || isUnknown)) return decision.result;
    if (isUnknown && decision === null) throw unknownOutcome(call);
    signal.throwIfAborted();
    // Also when it is made again: nobody acts on a decision before the record has it.
    if (acts) await record.begin(call.id, begun);
    return work().catch((thrown: unknown) => {
      const isLost = acts && thrown instanceof SpillwayError && isUnknownOutcome(thrown);
      throw isLost ? unknownOutcome(call, thrown) : thrown;
    });
  }

  /** A program may be resumed before its server's upstreams have connected. */
  async #awaitArrival(name: string): Promise<void> {
    const { services, signal } = this.parts;
    const { registry } = services;
    const until = services.now() + ARRIVAL_MS;
    const [id = name] = name.split('_');
    // One tool of an upstream appears with all of them.
    const mayCome = (): boolean =>
      registry.isExpected(name) && !registry.all().some(({ manifest }) => manifest.name.startsWith(`${id}_`));
    while (registry.find(name) === undefined && mayCome() && services.now() < until)
      await delay(ARRIVAL_POLL_MS, signal);
  }

  #definition(name: string): ToolDefinition {
    const { registry } = this.parts.services;
    const tool = registry.find(name);
    if (tool !== undefined && name !== 'script' && isForModels(tool)) return tool;
    const near = nearDeclarations(registry, name);
    // Not in the hint: arguments named like a tool would be selected.
    const why = near === '' ? '' : ` There is ${near}`;
    throw new SpillwayError('unknown_tool', `A program has no tools.${name}.${why}`, {
      hint: `docs_fetch {"page":"${DECLARATIONS_PAGE}"} has the types of all.`,
    });
  }

  async #call(
    { id, name, args }: { readonly id: number; readonly name: string; readonly args: JsonObject },
    { retry, timeout = NO_LIMIT_MS }: Options,
  ): Promise<ToolResult> {
    const { scope, services, report } = this.parts;
    const { attempts, backoff_ms: backoffMs } = retry ?? { attempts: 1, backoff_ms: 0 };
    const tooLong = (): SpillwayError =>
      new SpillwayError('timeout', `${name} took longer than the ${timeout} ms that the program allows.`);
    const { signal, release } = deadlineSignal(timeout, tooLong, this.parts.signal);
    try {
      for (let attempt = 1; ; attempt += 1) {
        this.#made += 1;
        const result = await services.call({
          callId: `${scope.runId}.${id}.${this.#made}.${services.now().toString(36)}`,
          tool: name,
          args,
          signal,
          onAsk: () => report(asking(name)),
        });
        scope.signal.throwIfAborted();
        if (result.state['hidden'] !== undefined) this.hiding.add(id);
        const url = result.state['url'];
        if (typeof url === 'string') this.source = url;
        else this.source = result.error?.quotes ?? this.source;
        if (result.ok) return result;
        if (result.error?.retryable !== true || attempt >= attempts) throw errorOf(result);
        await delay(backoffMs * attempt, signal).catch((reason: unknown) => {
          // This failure is the outcome if the program has ended.
          throw this.parts.signal.aborted ? errorOf(result) : reason;
        });
      }
    } finally {
      release();
    }
  }

  async #page(id: number, handle: string, offset: number): Promise<JsonValue> {
    const args = { output_handle: handle, offset };
    const value = valueOfResult(await this.#call({ id, name: 'oc_output_fetch', args }, {}));
    const { content, next_offset: next } = StoredPage.parse(value);
    return { content: isJsonList(content) ? content : [content], next_offset: next };
  }
}

/** Whether a tool only reads, or loads a page to be read. */
export const onlyReads =
  (registry: Pick<ToolRegistry, 'find'>) =>
  (name: string): boolean => {
    const tool = registry.find(name);
    return tool?.kind === 'native' && (name === 'navigate' || tool.manifest.annotations.readOnlyHint);
  };

const StoredPage = z.looseObject({ content: Json, next_offset: z.int().nullable() });

function readOptions({ name, options }: GuestCall): Options {
  const read = Options.safeParse(parseJson(options));
  if (read.success) return read.data;
  throw invalidArgument(
    `tools.${name}: its second argument takes {"retry": {"attempts", "backoff_ms"}, "timeout"}: ${describeIssues(read.error.issues, 'options')}.`,
  );
}

const WaitArgs = z.object({ until: z.number().optional(), offset: z.int().optional() });

export function begunOf(call: GuestCall): Begun {
  const { kind, name } = call;
  const hash = hashOf(call);
  if (kind !== 'sleep' && kind !== 'items')
    return call.args.length > KEPT_ARGS_UNITS
      ? { kind, name, hash }
      : { kind, name, hash, args: JsonRecord.parse(parseJson(call.args)) };
  const { until, offset } = WaitArgs.parse(parseJson(call.args));
  return { kind, name, hash, ...defined({ until, offset }) };
}

/** An object if the answer is JSON or was stored, else its text. */
export function valueOfResult({ structured, descriptor, content, state }: ToolResult): JsonValue {
  // A program reads no notes: its handle says that a part of the run is missing.
  const lack = descriptor !== undefined && state['status'] === 'failed' ? state : {};
  const { status, run_id } = lack;
  const value = structured ?? descriptor;
  if (value !== undefined) return Json.parse({ ...value, ...defined({ status, run_id }) });
  return content[0].type === 'foreign' ? textsOf(content) : blockValue(content[0]);
}

function blockValue(block: ContentBlock): JsonValue {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'foreign':
      return block.block;
    default:
      return { mime_type: block.mimeType, base64: block.data };
  }
}

/** For an upstream: its texts joined, or its blocks if some are not text. */
function textsOf(content: readonly ContentBlock[]): JsonValue {
  const blocks = content.flatMap((block) => (block.type === 'foreign' ? [block.block] : []));
  const texts = blocks.map(({ text }) => text);
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : blocks;
}

function errorOf({ error }: { readonly error?: WireError }): SpillwayError {
  if (error === undefined || !isErrorCode(error.code))
    return new SpillwayError('internal_error', error?.message ?? 'The call failed without a reason.');
  const { code, message, hint, retryable, body, quotes } = error;
  return new SpillwayError(code, message, {
    ...{ hint, retryable, quotes },
    body: isObject(body) ? body : undefined,
  });
}

const unknownOutcome = ({ name, id, args }: GuestCall, cause?: SpillwayError): SpillwayError =>
  new SpillwayError(
    'outcome_unknown',
    `Nobody knows whether ${name} ${cut(args, ARGS_UNITS)}, call ${id} of the program, was done: ${cause?.message ?? 'its server stopped or its program ended during it.'}`,
    { body: { call: id, tool: name }, cause },
  );
