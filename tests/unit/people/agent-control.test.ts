import { expect, it } from 'vitest';
import { createActRecord } from '../../../server/people/act-record.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { silentLogger as logger } from '../../support/bridge-rig.ts';

it('the ledger has which agent, run and output a person has changed, and where', async () => {
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
  await record.lift({ name: 'claude-code', session: 's1', where: 'side_panel' });
  await record.changed({ kind: 'run_cancelled', subject: 'run_ABCDEFGH2345', tool: 'crawl' });
  await record.changed({ kind: 'output_deleted', subject: 'oh_ABCDEFGHIJKL' });
  expect(lines).toMatchObject([
    { kind: 'agent_stopped', agent: { name: 'claude-code', client_session: 'every', server: 'server-1' } },
    { kind: 'agent_paused', decided: { where: 'side_panel' } },
    { kind: 'agent_let_on' },
    { kind: 'budget_lifted', agent: { client_session: 's1' }, decided: { where: 'side_panel' } },
    { kind: 'run_cancelled', subject: 'run_ABCDEFGH2345', tool: 'crawl', decided: { where: 'side_panel' } },
    { kind: 'output_deleted', subject: 'oh_ABCDEFGHIJKL', agent: { client_session: 'none' } },
  ]);
});
