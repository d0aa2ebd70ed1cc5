import { beforeEach, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { takenIds } from '../support/taken-ids.ts';
import { testTools, untilAborted, type Work } from '../support/test-tool.ts';

const reasons: string[] = [];
let under = 0;
const callIds: string[] = [];
const wait: Work = async (_, { signal, callId }) => {
  under += 1;
  callIds.push(callId);
  return untilAborted(signal).catch((reason: unknown) => {
    reasons.push(reason instanceof Error ? reason.message : String(reason));
    throw reason;
  });
};

let server: MemoryServer;
beforeEach(async () => {
  reasons.length = 0;
  under = 0;
  callIds.length = 0;
  server = await startMemoryServer({}, testTools({ test_wait: wait }));
});

const journalled = async (): Promise<unknown> =>
  (await server.call('oc_journal', { action: 'recent', tool: 'test_wait' })).json();

it('an active call is cancelled by its request, and the journal names the client', async () => {
  const cancel = new AbortController();
  const end = server.call('test_wait', {}, cancel.signal);
  await expect.poll(() => under).toBe(1);
  cancel.abort();
  await expect(end).rejects.toThrow();
  await expect.poll(() => reasons).toEqual(['The call was cancelled by the client.']);
  await expect
    .poll(journalled)
    .toMatchObject([{ ok: false, code: 'cancelled', message: 'The call was cancelled by the client.' }]);
  expect(callIds).toHaveLength(1);
  expect(await takenIds(server.executor, callIds)).toEqual([]);
});

it('an active call is cancelled by the end of its connection, and those of other connections continue', async () => {
  const [first, second] = [await server.connect(), await server.connect()];
  for (const client of [first, second])
    callTool(client, 'test_wait', { value: client === first ? 'first' : 'second' }).catch(() => undefined);
  await expect.poll(() => under).toBe(2);
  await first.close();
  await expect.poll(() => reasons).toEqual(['The call was cancelled by the end of the connection.']);
  await expect.poll(() => takenIds(server.executor, callIds)).toHaveLength(1);
  await second.close();
  await expect.poll(() => takenIds(server.executor, callIds)).toEqual([]);
  expect(await journalled()).toMatchObject([
    { args: { value: 'first' }, message: 'The call was cancelled by the end of the connection.' },
    { args: { value: 'second' }, message: 'The call was cancelled by the end of the connection.' },
  ]);
});
