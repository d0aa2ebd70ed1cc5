import { beforeEach, expect, it } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { connectNewEra } from '../../support/new-era-client.ts';
import { takenIds } from '../../support/taken-ids.ts';
import { testTools, untilAborted, type Work } from '../../support/test-tool.ts';

const reasons: string[] = [];
const callIds: string[] = [];
const wait: Work = async (_, { signal, callId }) => {
  callIds.push(callId);
  return untilAborted(signal).catch((reason: unknown) => {
    reasons.push(reason instanceof Error ? reason.message : String(reason));
    throw reason;
  });
};

let server: MemoryServer;
beforeEach(async () => {
  reasons.length = 0;
  callIds.length = 0;
  server = await startMemoryServer({}, testTools({ test_wait: wait }));
});

const journalled = async (): Promise<unknown> =>
  (await server.call('oc_journal', { action: 'recent', tool: 'test_wait' })).json();

it('an active call is cancelled by its request, and the journal names the client', async () => {
  const cancel = new AbortController();
  const end = server.call('test_wait', {}, cancel.signal);
  await expect.poll(() => callIds).toHaveLength(1);
  cancel.abort();
  await expect(end).rejects.toThrow();
  const message = 'The call was cancelled by the client.';
  await expect.poll(() => reasons).toEqual([message]);
  await expect.poll(journalled).toMatchObject([{ ok: false, code: 'cancelled', message }]);
  expect(callIds).toHaveLength(1);
  expect(await takenIds(server.executor, callIds)).toEqual([]);
});

it.each([
  ['2025-11-25', () => server.connect()],
  ['2026-07-28', () => connectNewEra(server)],
])('%s: the end of a connection cancels its active calls, and no others', async (_era, connect) => {
  const [first, second] = [await connect(), await connect()];
  for (const [at, client] of [first, second].entries())
    client.callTool({ name: 'test_wait', arguments: { value: `${at}` } }).catch(() => undefined);
  await expect.poll(() => callIds).toHaveLength(2);
  await first.close();
  const message = 'The call was cancelled by the end of the connection.';
  await expect.poll(() => reasons).toEqual([message]);
  await expect.poll(() => takenIds(server.executor, callIds)).toHaveLength(1);
  await second.close();
  await expect.poll(() => takenIds(server.executor, callIds)).toEqual([]);
  expect(await journalled()).toMatchObject([
    { args: { value: '0' }, message },
    { args: { value: '1' }, message },
  ]);
});
