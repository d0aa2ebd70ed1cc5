import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { ToolName } from '../../../shared/tools/index.ts';
import { VERSION } from '../../../shared/version.ts';
import { waitAtMost } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { createApp, type App, type AppParts } from '../../app.ts';
import { validateArguments } from '../../core/calls/validate.ts';
import type { ClientSession } from '../../core/context.ts';
import { createSession } from '../../core/registry/session.ts';
import type { ToolResult } from '../../core/result.ts';
import type { AppOptions } from '../../options.ts';
import { jsonPieces, notesOf, plainPieces, type Printing } from './answer.ts';
import type { PlannedCall } from './table.ts';
import { ReaderGone, type Terminal } from './terminal.ts';

/** Exit codes of the commands. A signal adds its number to 128, as shells do. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** What a command line asks for. */
export interface CommandRequest {
  readonly calls: readonly PlannedCall[];
  readonly json: boolean;
  readonly app: AppOptions;
}

/** What a command works with. */
export interface CommandSurroundings {
  readonly terminal: Terminal;
  /** Cancels the call; its reason says who. */
  readonly signal: AbortSignal;
  readonly parts?: AppParts;
}

/**
 * Makes the calls of a command one after the other and prints the result of the last one, or of the
 * first that fails. Tabs that the calls opened are closed. Resolves to the exit code.
 * @throws SpillwayError `invalid_argument` before anything is started
 */
export async function runToolCommand(
  { calls, json, app: options }: CommandRequest,
  { terminal, signal, parts }: CommandSurroundings,
): Promise<number> {
  const app = createApp(options, parts);
  try {
    for (const { tool, args } of calls) validateArguments(app.executor.registry.get(tool).manifest, args);
    app.setClients([{ name: 'terminal', version: VERSION }]);
    const caller = new Caller(app, terminal, signal);
    try {
      const { call, result } = await caller.callAll(calls);
      return await print(result, { call, caller, json, terminal });
    } finally {
      await caller.close(calls);
    }
  } catch (thrown) {
    if (thrown instanceof ReaderGone) return EXIT.ok;
    throw thrown;
  } finally {
    await waitAtMost(app.close(), LIMITS.shutdownMs);
  }
}

interface Ended {
  readonly call: PlannedCall;
  readonly result: ToolResult;
}

/** The one client of a command's executor. */
class Caller {
  readonly #app: App;
  readonly #terminal: Terminal;
  readonly #signal: AbortSignal;
  readonly #session: ClientSession;
  readonly #startedAt = Date.now();

  constructor(app: App, terminal: Terminal, signal: AbortSignal) {
    this.#app = app;
    this.#terminal = terminal;
    this.#signal = signal;
    this.#session = createSession(randomUUID(), {
      registry: app.executor.registry,
      name: 'terminal',
    });
  }

  /** The end of the last call, or of the first that failed. */
  async callAll([call, ...rest]: readonly PlannedCall[]): Promise<Ended> {
    if (call === undefined) throw new SpillwayError('internal_error', 'A command makes no call.');
    const result = await this.#execute(call);
    if (rest.length === 0) return { call, result };
    if (result.ok) return this.callAll(rest);
    if (result.error?.code !== call.passes) return { call, result };
    await this.#terminal.note(`${result.error?.message ?? ''}`);
    return this.callAll(rest);
  }

  async #execute({ tool, args, label }: PlannedCall): Promise<ToolResult> {
    const line = this.#terminal.follow(label);
    try {
      return await this.call(tool, args, { signal: this.#signal, progress: line.update });
    } finally {
      line.end();
    }
  }

  call(
    tool: ToolName,
    args: object,
    how: Pick<Parameters<App['executor']['execute']>[0], 'signal' | 'progress'>,
  ): Promise<ToolResult> {
    return this.#app.executor.execute({
      callId: randomUUID(),
      tool,
      args,
      session: this.#session,
      wantsObject: true,
      // Who asks is a person or a script that waits for the end.
      syncWaitMs: Number.POSITIVE_INFINITY,
      ...how,
    });
  }

  /** The bytes of a stored output. */
  async *readStored(handle: string): AsyncGenerator<Uint8Array> {
    let offset: number | null = 0;
    while (offset !== null) {
      const args = {
        output_handle: handle,
        offset,
        limit: LIMITS.outputFetchBytesMax,
        format: 'bytes',
        encoding: 'base64',
      };
      const { structured, error } = await this.call('oc_output_fetch', args, { signal: this.#signal });
      if (error !== undefined) throw new SpillwayError(error.code, error.message, { hint: error.hint });
      const { content, next_offset: next } = structured ?? {};
      if (typeof content === 'string') yield Buffer.from(content, 'base64');
      offset = typeof next === 'number' ? next : null;
    }
  }

  /** The run that a cancelled crawl has left, which can be resumed. */
  async cancelledRun(): Promise<string | null> {
    const { structured } = await this.call(
      'run_list',
      { count: 1 },
      { signal: AbortSignal.timeout(CLEANUP_MS) },
    );
    const [run] = Array.isArray(structured?.['runs']) ? (structured['runs'] as readonly JsonObject[]) : [];
    if (!isObject(run) || run['status'] !== 'cancelled') return null;
    const { run_id: id, started_at: startedAt } = run;
    return typeof id === 'string' && Date.parse(String(startedAt)) >= this.#startedAt - 1_000 ? id : null;
  }

  /** Closes the tabs that the calls opened, also when they were cancelled. */
  async close(calls: readonly PlannedCall[]): Promise<void> {
    const named = new Set(calls.map(({ args }) => args['tab']));
    for (const tab of this.#session.tabs)
      if (!named.has(tab))
        await this.call('tabs', { action: 'close', tab }, { signal: AbortSignal.timeout(CLEANUP_MS) });
  }
}

/** A browser that has gone must not keep a command from ending. */
const CLEANUP_MS = 15_000;

async function print(
  result: ToolResult,
  {
    call,
    caller,
    json,
    terminal,
  }: {
    readonly call: PlannedCall;
    readonly caller: Caller;
    readonly json: boolean;
    readonly terminal: Terminal;
  },
): Promise<number> {
  const mode = call.args['output_mode'];
  const printing: Printing = {
    readStored: (handle) => caller.readStored(handle),
    wantsHandle: mode !== undefined && mode !== 'inline',
    isInteractive: terminal.isInteractive,
  };
  if (json) for await (const piece of jsonPieces(result, printing)) await terminal.write(piece);
  else if (result.ok) for await (const piece of plainPieces(result, printing)) await terminal.write(piece);
  if (!json) for (const note of notesOf(result)) await terminal.note(note);
  const { error } = result;
  if (error === undefined) return EXIT.ok;
  if (!json) await terminal.note(`spillway: ${error.message}\n  ${error.hint} (${error.code})`);
  if (call.tool === 'crawl' && error.code === 'cancelled') {
    const run = await caller.cancelledRun();
    if (run !== null)
      await terminal.note(`The pages so far are kept: spillway crawl --resume ${run} continues.`);
  }
  return error.code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
}
