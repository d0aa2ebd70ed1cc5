import { randomUUID } from 'node:crypto';
import { SpillwayError } from '../../shared/base/errors.ts';
import { createSession } from '../core/registry/session.ts';
import type { RunWorker } from '../core/runs.ts';
import { RUN_WORKERS } from '../core/runtimes.generated.ts';
import { addHost, WORKFLOW_RUNS, type WorkflowHost } from './workflow-host.ts';
import { VERSION } from '../../shared/base/version.ts';
import { createApp, type App, type AppParts } from '../core/app.ts';
import { buildCancelled } from '../core/calls/call.ts';
import type { ToolSelector } from '../core/registry/selector.ts';
import { atCaller, nameOptions, parseOptions, type SpillwayOptions } from './options.ts';
import { openSession } from './session.ts';
import type { SpillwaySession } from './types.ts';

/** Executes runs of workflows that were started or resumed with this Spillway. */
const executes = (defined: WorkflowHost['defined']): RunWorker => ({
  run: async (args, scope) => {
    const name = String(args['name']);
    const execute = defined.get(name);
    if (execute !== undefined) return execute(args['input'], scope);
    throw new SpillwayError('run_not_resumable', `This Spillway has no workflow ${name}.`, {
      hint: 'Resume it with resumeWorkflow, in a process that defines it.',
    });
  },
});

/** Options of a session. */
export interface NewSessionOptions {
  /** Tools and categories that it lists. Default: those of this Spillway. */
  readonly tools?: readonly string[] | undefined;
  /** Chooses tools in `find_tools` and `select`. Default: this Spillway's. */
  readonly toolSelector?: ToolSelector | undefined;
}

/**
 * Spillway inside this process: the server's executor without a wire. It is itself a session, for callers
 * that need only one.
 */
export interface Spillway extends Omit<SpillwaySession, 'close'>, AsyncDisposable {
  /**
   * Another client, with its own current tab, list and handles.
   * @throws SpillwayError `invalid_argument` for a selector that matches nothing
   */
  session(options?: NewSessionOptions): SpillwaySession;
  /** Cancels active calls, ends connections and a launched browser, waits for the journal. */
  close(): Promise<void>;
}

/**
 * Creates a Spillway. Nothing is started, read or written before the first call; it never prints, and handles
 * no process signals. Call `close`, or use `await using`.
 * @throws SpillwayError `invalid_argument` for a wrong option
 */
export function createSpillway(options: SpillwayOptions = {}): Spillway {
  try {
    return assembleSpillway(options);
  } catch (thrown) {
    throw atCaller(thrown, createSpillway);
  }
}

/** The same with parts from outside. */
export const assembleSpillway = (options: SpillwayOptions, parts: AppParts = {}): Spillway =>
  assembleWithUpstreams(options, parts).spillway;

/** The same with the upstreams behind it. */
export function assembleWithUpstreams(
  options: SpillwayOptions,
  parts: AppParts,
): { readonly spillway: Spillway; readonly upstreams: App['upstreams'] } {
  const { app: appOptions, name, gate, throwOnError } = parseOptions(options);
  const defined: WorkflowHost['defined'] = new Map();
  const app = createApp(appOptions, {
    gate,
    nameSettings: nameOptions,
    ...parts,
    workers: { ...RUN_WORKERS, ...parts.workers, [WORKFLOW_RUNS]: () => Promise.resolve(executes(defined)) },
  });
  app.setClients([{ name, version: VERSION }]);
  const gone = new AbortController();
  const shared = { executor: app.executor, name, throwOnError, signal: gone.signal };
  const session = ({ tools, toolSelector = options.toolSelector }: NewSessionOptions = {}): SpillwaySession =>
    openSession({ ...shared, selectors: tools, toolSelector });
  const sessionOfCaller: typeof session = (chosen) => {
    try {
      return session(chosen);
    } catch (thrown) {
      throw atCaller(thrown, sessionOfCaller);
    }
  };
  const own = session();
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    app.leave();
    gone.abort(buildCancelled('the end of this Spillway'));
    return (closing ??= app.close());
  };
  const spillway = { ...own, session: sessionOfCaller, close, [Symbol.asyncDispose]: close };
  const { registry } = app.executor;
  addHost(spillway, {
    runs: async () => (await app.services()).runs,
    callTool: app.callTool,
    registry,
    defined,
    session: createSession(randomUUID(), { registry, signal: gone.signal, name }),
  });
  return { spillway, upstreams: app.upstreams };
}
