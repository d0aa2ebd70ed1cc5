import { expect, it, vi } from 'vitest';
import { createPeople } from '../../../server/people/people.ts';
import { DecisionRecord } from '../../../server/people/decision-record.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import type { Ledger } from '../../../server/core/ledger.ts';
import type { QuestionOutcome } from '../../../shared/policy/question-methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { codeIn } from '../../support/code-of.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';
import { PATIENCE } from '../../support/patience.ts';

const receipt = { chain: 'c', seq: 1, hash: 'h' };
const NO: QuestionOutcome = { decision: { approve: false, where: 'window' }, end: null };

/** A server that waits for a person, a browser that may be away, and a ledger that may be full. */
function rig() {
  const withdrawn: string[] = [];
  const state = { isAway: false, isFull: false, staysOpen: false };
  const away = (): void => {
    if (state.isAway) throw new SpillwayError('browser_disconnected', 'Browser b1 is not connected.');
  };
  const wait = vi.fn(async (): Promise<QuestionOutcome> => NO);
  const bridge = new FakeBridge({
    'question.wait': async () => {
      away();
      return wait();
    },
    'bridge.echo': async ({ value }) => {
      away();
      return { value };
    },
    'question.cancel': async ({ id }) => {
      away();
      withdrawn.push(id);
      return { was_open: true };
    },
  });
  bridge.addBrowser();
  const ledger: Ledger = {
    append: async (entry) => {
      if (state.isFull) throw new SpillwayError('ledger_unavailable', 'The disk is full.');
      return { ...receipt, entry };
    },
    finish: async () => undefined,
    has: async () => false,
    close: async () => undefined,
  };
  const redactor = createRedactor({ enabled: true, secrets: [] });
  const people = createPeople({
    bridge,
    ledger,
    redactor,
    logger,
    mode: 'panel',
    home: 'a'.repeat(64),
    record: new DecisionRecord({ ledger, redactor, server: 'server-1' }),
    kept: { staysOpen: () => state.staysOpen },
    clock: { monotonic: () => 0 },
    server: 'server-1',
  });
  const call = { call_id: 'c1', tool: 'interact', title: 'Interact', args: {}, is_editable: true };
  const scope = { caller: { session: 's1', name: 'codex' }, call: { ...call, args_hash: 'a'.repeat(64) } };
  const decide = () =>
    people.decision({ id: 'b1:q_1', scope }, new AbortController().signal).then(() => 'decided', codeIn);
  return { bridge, withdrawn, state, wait, decide };
}

it('a question that the ledger could not take, or for whose answer nobody waits, is withdrawn', async () => {
  const full = rig();
  full.state.isFull = true;
  expect(await full.decide()).toBe('ledger_unavailable');
  expect(full.withdrawn).toEqual(['q_1']);
  const late = rig();
  late.wait.mockRejectedValueOnce(new SpillwayError('timeout', 'The browser was silent.'));
  expect(await late.decide()).toBe('timeout');
  expect(late.withdrawn).toEqual(['q_1']);
});

it('a question of a browser that stayed away is withdrawn once, when it is back', async () => {
  const { bridge, state, decide, withdrawn } = rig();
  state.isAway = true;
  expect(await decide()).toBe('browser_disconnected');
  bridge.change(browserState({ connected: false }));
  expect(withdrawn).toEqual([]);
  state.isAway = false;
  bridge.change(browserState({ id: 'b2' }), browserState());
  await vi.waitFor(() => expect(withdrawn).toEqual(['q_1']), PATIENCE);
  bridge.change(browserState());
  expect(await decide()).toBe('decided');
  expect(withdrawn).toEqual(['q_1']);
});

it('a question that is left to the next server is not withdrawn', async () => {
  const { state, wait, decide, withdrawn } = rig();
  state.staysOpen = true;
  wait.mockRejectedValueOnce(new SpillwayError('cancelled', 'The server is shutting down.'));
  expect(await decide()).toBe('cancelled');
  expect(withdrawn).toEqual([]);
});
