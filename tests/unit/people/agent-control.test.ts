import { expect, it } from 'vitest';
import { createActRecord } from '../../../server/people/act-record.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { silentLogger as logger } from '../../support/bridge-rig.ts';

it('the ledger has which agent a person stopped, paused and let on, and where', async () => {
  const lines: object[] = [];
  const ledger = {
    append: (entry: object) => {
      lines.push(entry);
      return Promise.resolve({ chain: 'c', seq: 1, hash: 'h', entry } as never);
    },
    finish: () => Promise.resolve(),
    has: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  const redactor = createRedactor({ enabled: true });
  const record = createActRecord({ ledger, redactor, logger, server: 'server-1' });
  for (const state of ['stopped', 'paused', 'on'] as const)
    await record.control({ name: 'claude-code', session: null, state, where: 'side_panel' });
  expect(lines).toMatchObject([
    { kind: 'agent_stopped', agent: { name: 'claude-code', client_session: 'every', server: 'server-1' } },
    { kind: 'agent_paused', decided: { where: 'side_panel' } },
    { kind: 'agent_let_on' },
  ]);
});
