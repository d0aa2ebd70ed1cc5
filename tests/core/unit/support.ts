import { createFlows } from '../../../server/flows/index.ts';
import type { Flows } from '../../../server/core/flows.ts';
import { LiveMeter } from '../../../server/activity/meter.ts';
import { unwatched } from '../../support/unwatched.ts';
import { sha256 } from '../../../server/core/machine/files.ts';
import { systemClock, type JournalEntry, type Logger } from '../../../server/core/services.ts';
import type { DeliverOptions } from '../../../server/core/output/index.ts';
import type { People } from '../../../server/core/people.ts';
import type { ToolCall } from '../../../server/core/calls/call.ts';
import { Executor } from '../../../server/core/calls/executor.ts';
import { openGate, type ExecutorServices, type Gate } from '../../../server/core/calls/prepare.ts';
import type { ToolProvider, ToolRuntime } from '../../../server/core/registry/definition.ts';
import { ToolRegistry } from '../../../server/core/registry/registry.ts';
import { loadMode } from '../../../server/core/modes/loader.ts';
import { createOutputPolicy } from '../../../server/core/output/policy.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import type { OutputMode } from '../../../shared/core/descriptor.ts';
import { createSession } from '../../support/session.ts';
import { testManifest, type Work } from '../../support/test-tool.ts';

const unused = (): never => {
  throw new Error('Nothing is stored or read here.');
};

/** An executor with one tool, `test_tool`, over services in memory; logs and journal are recorded. */
export function testExecutor(
  work: Work,
  options: {
    readonly gate?: Gate;
    readonly people?: People;
    readonly kept?: ExecutorServices['kept'];
    readonly flows?: Flows;
    readonly syncWaitMs?: number;
    readonly providers?: readonly ToolProvider[];
    readonly loading?: Promise<void>;
    readonly spills?: boolean;
    readonly servicesFailure?: Error;
    readonly outputModeDefault?: OutputMode;
    readonly onDeliver?: (options: DeliverOptions) => void;
  } = {},
) {
  const nobody: People = { asksClients: false, home: 'a'.repeat(64), decision: unused, withdraw: unused };
  const journal: JournalEntry[] = [];
  const logged: string[] = [];
  const line = (_facts: object, message: string): void => void logged.push(message);
  const logger: Logger = { debug: line, info: line, warn: line, error: line };
  const runtime = work as ToolRuntime;
  const policy = createOutputPolicy({ create: unused, open: unused });
  const redactor = createRedactor({ enabled: true });
  const services: ExecutorServices = {
    policy: {
      deliver: (produced, how) => {
        options.onDeliver?.(how);
        return policy.deliver(produced, how);
      },
    },
    redactor,
    journal: { record: (entry) => void journal.push(redactor.value(entry)) },
    feed: unwatched,
    clock: systemClock,
    logger,
    gate: options.gate ?? openGate,
    digest: sha256,
    server: 'server-one',
    people: options.people ?? nobody,
    kept: options.kept ?? keptNothing,
    leaves: async () => undefined,
    flows: options.flows ?? createFlows({ mode: 'ask' }),
    acts: { begin: unused, end: () => null },
    runtime: async () => {
      await options.loading;
      return runtime;
    },
  };
  const registry = new ToolRegistry({
    manifests: [testManifest('test_tool', { spills: options.spills ?? false })],
    outputModeDefault: options.outputModeDefault ?? 'inline',
    mode: loadMode('default'),
    providers: options.providers ?? [],
    logger,
  });
  const executor = new Executor({
    registry,
    services: async () => {
      if (options.servicesFailure !== undefined) throw options.servicesFailure;
      return services;
    },
    redactor: services.redactor,
    outputModeDefault: options.outputModeDefault ?? 'inline',
    contentBoundaries: false,
    syncWaitMs: options.syncWaitMs ?? 1_000,
    ownCommands: (text) => text,
    meter: new LiveMeter(null),
  });
  let made = 0;
  const call = (changes: Partial<ToolCall> = {}): ToolCall => ({
    callId: `call-${(made += 1)}`,
    tool: 'test_tool',
    args: {},
    session: createSession('session'),
    signal: new AbortController().signal,
    ...changes,
  });
  return { executor, call, journal, logged };
}

export const keptNothing: ExecutorServices['kept'] = {
  keep: () => Promise.resolve(),
  take: () => Promise.resolve(),
  forget: () => undefined,
  leave: () => undefined,
  adopt: () => Promise.resolve(null),
};
