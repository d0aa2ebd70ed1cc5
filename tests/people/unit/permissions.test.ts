import { beforeEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../server/core/calls/call.ts';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { createSession } from '../../support/session.ts';
import { testExecutor } from '../../core/unit/support.ts';

let checks = 0;
let performed = 0;
beforeEach(() => {
  checks = 0;
  performed = 0;
});
const counting: Gate = {
  check: async () => {
    checks += 1;
    return { allow: true };
  },
};
it('the gate gets who calls: name, version and session of the agent, and the server', async () => {
  const given: unknown[] = [];
  const gate: Gate = {
    check: async ({ session: { name, version, id }, server }) => {
      given.push({ name, version, id, server });
      return { allow: true };
    },
  };
  const { executor, call } = testExecutor(async () => produceJson(1), { gate });
  const session = Object.assign(createSession('session'), { name: 'codex', version: '0.61.0' });
  await executor.execute(call({ session }));
  expect(given).toEqual([{ name: 'codex', version: '0.61.0', id: 'session', server: 'server-one' }]);
});

const start = () => testExecutor(async () => produceJson((performed += 1)), { gate: counting });

describe('what the gate allows to a call that is asked about', () => {
  it('holds for its execution, however often it is asked about, and for one alone', async () => {
    const { executor, call } = start();
    const given = call({ args: { value: 'a' } });
    expect([await executor.questions.ask(given), await executor.questions.ask(given)]).toEqual([null, null]);
    expect((await executor.execute({ ...given, args: { value: 'a' } })).ok).toBe(true);
    expect({ checks, performed }).toEqual({ checks: 1, performed: 1 });
    await executor.execute(given);
    expect({ checks, performed }).toEqual({ checks: 2, performed: 2 });
  });

  it.each<[string, Partial<ToolCall>]>([
    ['another id', { callId: 'another' }],
    ['other arguments', { args: { value: 'b' } }],
    ['another session', { session: createSession('another') }],
  ])('holds for no call with %s', async (_name, changes) => {
    const { executor, call } = start();
    const given = call({ args: { value: 'a' } });
    await executor.questions.ask(given);
    await executor.execute({ ...given, ...changes });
    expect(checks).toBe(2);
    // The other call has already removed it under its own id.
    await executor.execute(given);
    expect(checks).toBe('args' in changes ? 3 : 2);
  });

  it('does not hold for arguments that were changed in place, and ends with its session', async () => {
    const { executor, call } = start();
    const args = { value: 'a' };
    const gone = new AbortController();
    const session = createSession('session', gone.signal);
    const [changed, late] = [call({ args }), call({ session })];
    for (const given of [changed, late]) await executor.questions.ask(given);
    args.value = 'b';
    await executor.execute(changed);
    expect(checks).toBe(3);
    gone.abort();
    await executor.execute(late);
    expect(checks).toBe(4);
  });
});
