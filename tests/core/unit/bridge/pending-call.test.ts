import { beforeEach, expect, it, vi } from 'vitest';
import { BrowserLink, PendingCall } from '../../../../server/core/bridge/browser-link.ts';
import type { HostConnection } from '../../../../server/core/bridge/frames.ts';
import { StreamReceiver } from '../../../../server/core/bridge/stream-receiver.ts';
import { JsonRpc } from '../../../../shared/core/bridge/json-rpc.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';

const IDLE_MS = 2_000;
beforeEach(() => void vi.useFakeTimers());

function begin() {
  const receiver: StreamReceiver = new StreamReceiver({
    windowBytes: 1_000,
    grant: () => undefined,
    onTaken: () => call.touch(),
  });
  const call = new PendingCall('bridge.flood', { idleTimeoutMs: IDLE_MS }, receiver);
  const onGivenUp = vi.fn();
  call.onGivenUp = onGivenUp;
  receiver.accept({ stream: 1, seq: 0, data: 'unread' });
  const codeOf = (): unknown => (onGivenUp.mock.calls[0]?.[0] as { code: string } | undefined)?.code;
  return { receiver, codeOf };
}

it('a stream gives up on a reader that stops, and says so to the sender', async () => {
  const { codeOf } = begin();
  await vi.advanceTimersByTimeAsync(1.5 * IDLE_MS);
  expect(codeOf()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(codeOf()).toBe('slow_consumer');
});

it('a stream does not count the time that its reader takes as silence, and counts what follows', async () => {
  const { receiver, codeOf } = begin();
  await vi.advanceTimersByTimeAsync(1.5 * IDLE_MS);
  await receiver.read().next();
  await vi.advanceTimersByTimeAsync(IDLE_MS - 10);
  expect(codeOf()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(20);
  expect(codeOf()).toBe('timeout');
});

it('calls that time out together ask once for a sign of life, which has a whole interval', async () => {
  const [send, nothing] = [vi.fn<(message: object) => void>(), () => undefined];
  const connection = { send, close: nothing, listen: nothing } as unknown as HostConnection;
  const createRpc = (say: (message: object) => void) => new JsonRpc(say, () => Promise.resolve({}));
  const link = new BrowserLink({ id: 'b1', connection, createRpc, onClose: nothing });
  await vi.advanceTimersByTimeAsync(LIMITS.heartbeatIntervalMs - IDLE_MS - 1);
  for (let at = 0; at < 3; at += 1)
    link.request('tabs.list', {}, { idleTimeoutMs: IDLE_MS }).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(LIMITS.heartbeatIntervalMs);
  expect(send).toHaveBeenCalledWith(expect.objectContaining({ method: 'bridge.echo' }));
  expect(link.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
  expect(link.isClosed).toBe(true);
});
