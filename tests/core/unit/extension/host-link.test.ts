import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  HostLink,
  type LinkState,
  type NativePort,
  reconnectDelayMs,
  faultOfLastError,
} from '../../../../extension/core/link/host-link.ts';
import type { WorkerHello } from '../../../../shared/core/bridge/hello.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { commandOf } from '../../../../extension/ui/words/en/link.ts';

const hello: WorkerHello = {
  type: 'hello',
  role: 'extension',
  identity: { product: 'spillway', version: '1', wire: { min: 1, max: 1 }, instance: 'profile-1' },
  browser: { name: 'Chromium', version: '156', label: null },
};
const hostHello = {
  type: 'hello',
  role: 'host',
  identity: { product: 'spillway', version: '2', wire: { min: 1, max: 1 }, instance: 'host-0001' },
  pid: 7,
};

class FakePort implements NativePort {
  readonly sent: { channel: number; message: Record<string, unknown> }[] = [];
  isDisconnected = false;
  sayRaw: (message: unknown) => void = () => {};
  #end: () => void = () => {};
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => (this.sayRaw = listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => (this.#end = listener) };

  postMessage(message: object): void {
    if (this.isDisconnected) throw new Error('Attempting to use a disconnected port object');
    this.sent.push(message as FakePort['sent'][number]);
  }

  /** The link's own disconnect raises no event, as in the browser. */
  disconnect(): void {
    this.isDisconnected = true;
  }

  say(message: object, channel = 0): void {
    this.sayRaw({ channel, message });
  }

  die(): void {
    this.isDisconnected = true;
    this.#end();
  }
}

let ports: FakePort[];
let states: LinkState[];
let events: unknown[];
let lastError: string | undefined;

function makeLink(): HostLink {
  return new HostLink({
    connect: () => {
      const next = new FakePort();
      ports.push(next);
      return next;
    },
    hello: () => Promise.resolve(hello),
    lastError: () => lastError,
    onState: (state) => states.push(state),
    onOpen: ({ channel }) => {
      if (channel === 9) throw new Error('No room.');
      events.push(['open', channel]);
    },
    onClose: (message) => events.push(['close', message.channel]),
    onMessage: (channel, message) => events.push([channel, message]),
    onDown: (fault) => events.push(['down', fault.kind]),
  });
}

const port = (index: number): FakePort => ports[index] ?? expect.fail(`There is no port ${index}.`);
const settle = () => vi.advanceTimersByTimeAsync(0);
const lastState = (): LinkState | undefined => states.at(-1);

async function connected(): Promise<HostLink> {
  const link = makeLink();
  for (let count = 0; count < 3; count += 1) link.wake();
  await settle();
  port(0).say(hostHello);
  return link;
}

beforeEach(() => {
  vi.useFakeTimers();
  [ports, states, events, lastError] = [[], [], [], undefined];
});

describe('HostLink', () => {
  it('says hello at once, and is connected when the host does', async () => {
    const link = await connected();
    link.wake();
    await settle();
    expect(ports).toHaveLength(1);
    expect(port(0).sent[0]).toEqual({ channel: 0, message: hello });
    expect(link.state).toMatchObject({ kind: 'connected', host: { pid: 7 } });
    expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'connected']);
  });

  it('names a host that says nothing soon, and gives it up at the deadline', async () => {
    makeLink().wake();
    await settle();
    expect(lastState()).toEqual({ kind: 'connecting', fault: null });
    await vi.advanceTimersByTimeAsync(LIMITS.helloTimeoutMs - 1);
    expect(lastState()).toMatchObject({ kind: 'connecting', fault: { kind: 'host_no_hello' } });
    expect(port(0).isDisconnected).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(lastState()).toMatchObject({ kind: 'failed', fault: { kind: 'host_no_hello' } });
    expect(port(0).isDisconnected).toBe(true);
  });

  const identity = (more: object) => ({ ...hostHello, identity: { ...hostHello.identity, ...more } });
  const refusal = (code: string) => ({ type: 'refused', code, message: 'No.' });
  it.each([
    ['a product that is another', identity({ product: 'other' }), 'host_garbled'],
    ['a wire that is newer', identity({ wire: { min: 3, max: 4 } }), 'wire_version_mismatch'],
    ['a mismatch that the host saw', refusal('wire_version_mismatch'), 'wire_version_mismatch'],
    ['a channel before hello', { type: 'close', channel: 1, reason: '' }, 'host_garbled'],
  ])('answers %s with a fault', async (_name, message, kind) => {
    makeLink().wake();
    await settle();
    port(0).say(message);
    expect(lastState()).toMatchObject({ kind: 'failed', fault: { kind } });
    expect(events).toEqual([['down', kind]]);
  });

  it('closes a channel that it cannot open', async () => {
    await connected();
    const server = { ...hostHello.identity, pid: 8 };
    port(0).say({ type: 'open', channel: 9, wire: 1, server });
    expect(port(0).sent.at(-1)).toEqual({
      channel: 0,
      message: { type: 'close', channel: 9, reason: 'No room.' },
    });
  });

  it('reconnects with longer and longer waits, and with the first again after a good while', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    lastError = 'Native host has exited.';
    const link = await connected();
    for (const [index, waitMs] of [250, 500, 1_000].entries()) {
      port(index).die();
      expect(link.state).toMatchObject({ kind: 'failed', retryAt: Date.now() + waitMs });
      await vi.advanceTimersByTimeAsync(waitMs);
    }
    port(3).say(hostHello);
    await vi.advanceTimersByTimeAsync(2_000);
    port(3).die();
    expect(lastState()).toMatchObject({ kind: 'failed', retryAt: Date.now() + 250 });
  });

  it('answers the heartbeat of its host, and notices one that no longer answers its own', async () => {
    await connected();
    port(0).say({ type: 'ping', id: 99 });
    expect(port(0).sent.at(-1)).toEqual({ channel: 0, message: { type: 'pong', id: 99 } });
    const pings = () => port(0).sent.filter(({ message }) => message['type'] === 'ping').length;
    expect(pings()).toBe(1);
    port(0).say({ type: 'pong', id: 1 });
    await vi.advanceTimersByTimeAsync(LIMITS.heartbeatIntervalMs);
    expect(pings()).toBe(2);
    await vi.advanceTimersByTimeAsync(LIMITS.heartbeatIntervalMs);
    expect(lastState()).toMatchObject({ kind: 'failed', fault: { kind: 'host_silent' } });
  });
});

it.each([
  [1, 250, 250],
  [3, 500, 1_000],
  [8, 15_000, 30_000],
])('after %i failures waits %i to %i ms', (failures, least, most) => {
  expect(reconnectDelayMs(failures, () => 0)).toBe(least);
  expect(reconnectDelayMs(failures, () => 1)).toBe(most);
});

it.each([
  ['Specified native messaging host not found.', 'host_not_found', 'npx -y spillway@latest install'],
  ['Access to the specified native messaging host is forbidden.', 'host_forbidden', 'spillway install'],
  ['Native host has exited.', 'host_exited', 'spillway doctor'],
  [undefined, 'host_exited', 'spillway doctor'],
  ['Something that Chrome says one day.', 'unknown', 'spillway doctor'],
])('%s: %s', (lastError, kind, command) => {
  const fault = faultOfLastError(lastError);
  expect(fault.kind).toBe(kind);
  expect(commandOf(fault.kind, 'spillway')).toBe(command);
});
