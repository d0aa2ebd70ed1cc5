import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BoundedMap } from '../../shared/base/maps.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { onAbort } from '../../shared/base/async.ts';
import type { JsonValue } from '../../shared/base/json.ts';
import { JsonRecord, toJson } from '../../shared/base/json-schema.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { CallTool, ClientSession } from '../core/context.ts';
import { createSession } from '../core/registry/session.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { ResumedBy, RunDecision, Runs, RunScope, RunView } from '../core/runs.ts';
import type { Clock, Logger } from '../core/services.ts';
import { callerOfRun, decisionFrom } from './caller.ts';
import {
  continueElsewhere,
  keepAnswer,
  parseParked,
  readySince,
  describeUnseen,
  type Parked,
  type ProgramAnswer,
  type Question,
} from './waiting.ts';

const PROGRAMS: ReadonlySet<string> = new Set(['script', 'workflow', 'recipe_run']);
const CALLERS_MAX = 1_000;
const LOOK_MS = 1_000;
const OTHERS_FIRST_MS = 3_000;

interface ParkingParts {
  readonly runs: Runs;
  readonly registry: ToolRegistry;
  readonly callTool: CallTool;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Caller = Pick<RunScope, 'call' | 'session'>;

const Shown = z.object({
  answered_by: z.string().optional(),
  where: z.string().optional(),
  answer: z.union([z.boolean(), z.string(), JsonRecord]).optional(),
  declined: z.boolean().optional(),
  reason: z.string().optional(),
});

/** For a program that no call continues: browsers are asked whether its agent may go on. */
const scopeOf = ({ run_id: runId, tool }: RunView, { id: session, name }: ClientSession): CallScope => ({
  caller: { session, name },
  call: {
    ...{ call_id: runId, tool, title: tool, args: null, is_editable: false },
    args_hash: createHash('sha256').update(runId).digest('hex'),
  },
});

/** Continues parked programs of the home when their time or answer has come, and shows people their questions. */
export class Parking {
  /** The sessions that last executed programs of this server. */
  readonly #callers = new BoundedMap<string, Caller>(CALLERS_MAX);
  /** Questions that this server shows to a person, by run and call. */
  readonly #shown = new Map<string, AbortController>();
  readonly #closed = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isVisiting = false;

  constructor(private readonly parts: ParkingParts) {}

  /** Begins to look for programs that can be continued. The timer does not keep the process alive. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#continueParked(), LOOK_MS).unref();
  }

  /** Handles the error of a program that waits; any other passes. */
  park(thrown: unknown, { runId, call, session }: RunScope): SpillwayError {
    const error = toSpillwayError(thrown);
    // A person may resume a run that ends in any way.
    this.#callers.set(runId, { call, session });
    if (error.code !== 'workflow_waits') return error;
    this.start();
    return continueElsewhere(error, session?.name);
  }

  /** @throws SpillwayError as {@link keepAnswer} */
  async answer(runId: string, answer: ProgramAnswer): Promise<RunView> {
    const { runs, clock } = this.parts;
    await keepAnswer(runs, runId, answer, clock.now());
    await this.#continueParked();
    return runs.get(runId);
  }

  /** A person resumes a run. @throws SpillwayError as {@link Runs.resume} */
  async resume(runId: string, outcome?: RunDecision['do'], result: JsonValue = null): Promise<RunView> {
    const { runs } = this.parts;
    const view = await runs.get(runId);
    // Other runs need no session.
    if (!PROGRAMS.has(view.tool)) return runs.resume(runId);
    return this.#resume(view, { decision: decisionFrom(outcome, result) });
  }

  async #continueParked(): Promise<void> {
    if (this.#isVisiting || this.#closed.signal.aborted) return;
    this.#isVisiting = true;
    try {
      const parked = await this.parts.runs.listParked();
      const asked = new Set<string>();
      for (const view of parked) for (const key of await this.#visit(view)) asked.add(key);
      for (const [key, shown] of this.#shown) {
        if (asked.has(key)) continue;
        this.#shown.delete(key);
        shown.abort(new SpillwayError('cancelled', 'The question is no longer open.'));
      }
    } catch (thrown) {
      this.parts.logger.debug({ err: thrown }, 'parked programs were not looked for');
    } finally {
      this.#isVisiting = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closed.abort(new SpillwayError('cancelled', 'The server has stopped.'));
  }

  /** Continues a run, or shows its questions. Returns the open ones. */
  async #visit(view: RunView): Promise<readonly string[]> {
    const { runs, clock, logger } = this.parts;
    const parked = parseParked(view);
    if (parked === null || !view.has_arguments) return [];
    const runId: string = view.run_id;
    const isOwn = this.#callers.get(runId)?.session?.signal.aborted === false;
    const since = readySince(parked, await runs.state(runId));
    if (since + (isOwn ? 0 : OTHERS_FIRST_MS) > clock.now()) return isOwn ? this.#show(runId, parked) : [];
    try {
      await this.#resume(view, { isParked: true });
    } catch (thrown) {
      // Another server was faster, or has the missing part.
      logger.debug(
        { run_id: runId, code: toSpillwayError(thrown).code },
        'a parked program was not continued',
      );
    }
    return [];
  }

  /** In its own session, or in one that is created for it and ends with it. */
  async #resume(view: RunView, how: Pick<ResumedBy, 'isParked' | 'decision'>): Promise<RunView> {
    const { registry, runs } = this.parts;
    const runId: string = view.run_id;
    const { signal } = this.#closed;
    const known = this.#callers.get(runId);
    if (known?.session?.signal.aborted === false)
      return runs.resume(runId, { call: known.call, session: known.session, signal, ...how });
    const gone = new AbortController();
    const stopListening = onAbort(signal, () => gone.abort(signal.reason));
    const name = parseParked(view)?.agent ?? 'program';
    const session = createSession(randomUUID(), { registry, name, signal: gone.signal });
    const call = scopeOf(view, session);
    const forget = (): void => {
      stopListening();
      this.#callers.delete(runId);
      gone.abort();
    };
    try {
      const resumed = await runs.resume(runId, { call, session, signal, ...how });
      this.#callers.set(runId, { call, session });
      const end = { timeoutMs: Infinity, signal: new AbortController().signal, progress: () => undefined };
      runs.wait(runId, end).then(forget, forget);
      return resumed;
    } catch (thrown) {
      forget();
      throw thrown;
    }
  }

  #show(runId: string, { waiting }: Parked): readonly string[] {
    return waiting.map((each) => {
      const key = `${runId}.${each.id}`;
      if ('question' in each && !this.#shown.has(key)) void this.#ask(key, runId, each);
      return key;
    });
  }

  async #ask(key: string, runId: string, { id, question }: Question): Promise<void> {
    const { callTool, logger, clock } = this.parts;
    const caller = this.#callers.get(runId);
    const shown = new AbortController();
    this.#shown.set(key, shown);
    const signal = caller?.session?.signal;
    const stop = onAbort(signal, () => shown.abort(signal?.reason));
    try {
      const { structured, ok, error } = await callTool({
        callId: `${key}.${clock.now().toString(36)}`,
        tool: 'request_human_input',
        args: toJson(question),
        recipe: 'script',
        context: callerOfRun({
          call: caller?.call ?? null,
          session: caller?.session ?? null,
          signal: shown.signal,
          runId,
        }),
        onAsk: () => undefined,
      });
      // The side panel and the terminal still show it.
      if (error?.code === 'human_unreachable') await this.parts.runs.noteUnseen(runId, describeUnseen(runId));
      if (!ok || structured === undefined || shown.signal.aborted) return;
      const { answered_by: by, ...input } = Shown.parse(structured);
      await this.answer(runId, { call: id, input: { by, ...input } });
    } catch (thrown) {
      logger.debug({ run_id: runId, err: thrown }, 'the question of a program was not answered here');
    } finally {
      stop();
    }
  }
}
