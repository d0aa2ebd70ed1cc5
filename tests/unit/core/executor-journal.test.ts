import { createTestMeter } from '../../support/metered.ts';
import { sha256 } from '../../../server/machine/digest.ts';
import { keptNothing } from '../../support/kept-nothing.ts';
import { unwatched } from '../../support/unwatched.ts';
import { createSession, testRegistry } from '../../support/session.ts';
import { expect, it } from 'vitest';
import { systemClock } from '../../../server/core/clock.ts';
import { Executor } from '../../../server/core/calls/executor.ts';
import type { ExecutorServices } from '../../../server/core/calls/performer.ts';
import { openGate } from '../../../server/core/calls/gate.ts';
import type { JournalEntry } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { silentLogger } from '../../support/bridge-rig.ts';

const unused = (): never => {
  throw new Error('No tool runs here.');
};

it('journals no beginning of a secret that the cut of a long argument went through', async () => {
  const redactor = createRedactor({ enabled: true });
  const entries: JournalEntry[] = [];
  const services: ExecutorServices = {
    policy: { deliver: unused },
    redactor,
    journal: {
      record: (entry) => void entries.push(redactor.value(entry)),
    },
    feed: unwatched,
    clock: systemClock,
    logger: silentLogger,
    gate: openGate,
    digest: sha256,
    server: 'server-one',
    people: { asksClients: false, home: 'a'.repeat(64), decision: unused, withdraw: unused },
    kept: keptNothing,
    runs: { start: unused, wait: unused, get: unused },
    acts: { begin: unused, end: () => null },
    runtime: unused,
  };
  const executor = new Executor({
    registry: testRegistry(),
    services: async () => services,
    redactor: services.redactor,
    outputModeDefault: 'inline',
    contentBoundaries: false,
    syncWaitMs: 1_000,
    meter: createTestMeter(),
  });
  const secret = `ghp_${'aB3dE6gH9'.repeat(4)}`;
  const url = `https://example.com/${'x'.repeat(150)}/${secret}`;
  await executor.execute({
    callId: 'call',
    tool: 'nothing',
    args: { url },
    session: createSession('session'),
    signal: new AbortController().signal,
  });
  const text = JSON.stringify(entries);
  expect(text).toContain('https://example.com/xxx');
  expect(text).not.toContain(secret.slice(0, 8));
});
