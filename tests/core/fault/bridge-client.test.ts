import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { ensureSecret, createNonce } from '../../../server/core/bridge/directory.ts';
import { encodeFrame } from '../../../server/core/bridge/frames.ts';
import { ownProcess } from '../../../server/core/machine/process-identity.ts';
import { BridgeRig, coded, silentLogger } from '../../support/bridge-rig.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

/** A rig whose directory may also have hosts that this very process plays. */
class ClientRig extends BridgeRig {
  readonly #servers: Server[] = [];

  pretend(onConnection: (socket: Socket) => void): void {
    const socket = join(this.directory, `pretend${this.#servers.length}.sock`);
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      onConnection(connection);
    });
    server.listen(socket);
    this.#servers.push(server);
    this.register({ socket });
  }

  register(fields: object): void {
    const registration = {
      product: 'spillway',
      version: '9.9.9',
      wire: { min: 1, max: 1 },
      pid: process.pid,
      start_time: ownProcess().startTime,
      socket: join(this.directory, 'nobody.sock'),
      extension_instance: 'pretender-1',
      browser: { name: 'Fake', version: '1', label: null },
      ...fields,
    };
    writeFileSync(join(this.directory, `h${Math.random()}.json`), JSON.stringify(registration));
  }

  failure(timeoutMs: number, directory = this.directory): ReturnType<typeof coded> {
    return coded(this.bridge({ directory }).ready({ timeoutMs }));
  }

  override async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    await super.close();
  }
}

/** Most of these tests wait for a deadline of the product: each has a rig of its own, and they run concurrently. */
const it = test.extend<{ rig: ClientRig }>({
  rig: async ({ task: _task }, use) => {
    const rig = new ClientRig({ isHostHere: true });
    await use(rig);
    await rig.close();
  },
});

const identity = (wire = { min: 1, max: 1 }): object => ({
  product: 'spillway',
  version: '9.9.9',
  wire,
  instance: 'pretender-1',
});

const challenge = (wire?: { min: number; max: number }): Buffer =>
  encodeFrame(JSON.stringify({ type: 'challenge', identity: identity(wire), nonce: createNonce() }));

describe.concurrent('a server that waits for a browser names the hop that fails', () => {
  const places: readonly (readonly [string, RegExp, (rig: ClientRig) => string | void])[] = [
    ['no bridge directory', /There is no bridge directory/, ({ directory }) => join(directory, 'absent')],
    [
      'a bridge directory that is open to others',
      /is open to other users/,
      ({ directory }) => mkdirSync(join(directory, 'open'), { mode: 0o755, recursive: true }),
    ],
    ['no registration', /No native host is registered in/, () => undefined],
    [
      'a broken registration',
      /No native host is registered in/,
      ({ directory }) => writeFileSync(join(directory, 'broken.json'), '{"product":"spill'),
    ],
    [
      'the registration of a host that has died',
      /pid 4194305\) has died/,
      (rig) => rig.register({ pid: 2 ** 22 + 1 }),
    ],
  ];
  it.for(places)('%s', async ([, message, place], { rig, expect }) => {
    const error = await rig.failure(1_000, place(rig) ?? rig.directory);
    expect(error.code).toBe('browser_not_connected');
    expect(error.message).toMatch(message);
  });

  it('a host that does not listen', async ({ rig, expect }) => {
    ensureSecret(rig.directory);
    rig.register({});
    expect((await rig.failure(2_000)).message).toContain('No process is listening');
  });

  const SILENT = [
    ['stops in the middle of the handshake', [challenge()]],
    ['never says hello', []],
  ] as const;
  it.for(sample(SILENT, 2))('a host that %s', async ([, words], { rig, expect }) => {
    ensureSecret(rig.directory);
    rig.pretend((socket) => words.forEach((word) => socket.write(word)));
    const bridge = rig.bridge({ connectTimeoutMs: 1_000 });
    // Longer than a call waits for a first sign: the host is alive, so its own time counts.
    const error = await coded(bridge.ready());
    expect(error.code).toBe('browser_not_connected');
    expect(error.cause).toMatchObject({ code: 'host_no_hello' });
  });

  const answers: readonly (readonly [string, () => Buffer, string])[] = [
    ['broken JSON', () => encodeFrame('{"type":'), 'frame_malformed'],
    [
      'another protocol',
      () => encodeFrame('{"type":"challenge","identity":{"product":"other"}}'),
      'host_refused',
    ],
    ['a wire version of the future', () => challenge({ min: 3, max: 4 }), 'wire_version_mismatch'],
  ];
  it.for(answers)('a host that answers %s', async ([, bytes, code], { rig, expect }) => {
    ensureSecret(rig.directory);
    rig.pretend((socket) => socket.write(bytes()));
    const error = await rig.failure(2_000);
    expect(error.cause).toMatchObject({ code });
    if (code === 'wire_version_mismatch') expect(error.message).toContain('update the server');
  });

  it('a host that does not know the secret', async ({ rig, expect }) => {
    ensureSecret(rig.directory);
    rig.pretend((socket) => {
      socket.write(challenge());
      const welcome = {
        type: 'welcome',
        proof: createNonce(),
        extension: identity(),
        browser: { name: 'Fake', version: '1', label: null },
        wire: 1,
      };
      socket.once('data', () => socket.write(encodeFrame(JSON.stringify(welcome))));
    });
    const error = await rig.failure(2_000);
    expect(error.cause).toMatchObject({ code: 'host_refused' });
    expect(error.message).toContain('does not know the secret');
  });
});

describe.concurrent('browsers', () => {
  it('that connected before the server are all known when it is ready, and name their questions', async ({
    rig,
    expect,
  }) => {
    const question = new SpillwayError('approval_required', 'A person decides.', { questionId: 'q1' });
    const handlers = {
      'server.policy': () => Promise.resolve({}),
      'bridge.echo': () => Promise.reject(question),
    };
    for (let count = 0; count < 3; count += 1) await rig.worker({ handlers });
    const bridge = await rig.readyBridge({ sites: { allowed_sites: null, denied_sites: [] } });
    await expect.poll(() => bridge.browsers().map(({ id }) => id)).toEqual(['b1', 'b2', 'b3']);
    for (const id of ['b1', 'b2', 'b3'] as const)
      expect((await coded(bridge.request(id, 'bridge.echo', { value: '' }))).questionId).toBe(`${id}:q1`);
  });

  it('keep their id when they come back, and each arrival and departure is reported, also when a listener fails', async ({
    rig,
    expect,
  }) => {
    const changes: string[] = [];
    const bridge = rig.bridge();
    bridge.onChange(() => {
      throw new Error('the journal is gone');
    });
    bridge.onChange((event, browser) => changes.push(`${event} ${browser.id} ${browser.reconnects}`));
    const first = await rig.worker({ instance: 'profile-one' });
    await bridge.ready();
    first.hangUp();
    await expect.poll(() => changes, { timeout: 50_000 }).toContain('disconnected b1 0');
    await rig.worker({ instance: 'profile-two' });
    await bridge.ready();
    await rig.worker({ instance: 'profile-one' });
    // A call to a reconnecting browser waits for it.
    expect(await bridge.request('b1', 'bridge.echo', { value: 'back' })).toEqual({ value: 'back' });
    expect(changes).toEqual(['connected b1 0', 'disconnected b1 0', 'connected b2 0', 'connected b1 1']);
  });

  it('with a copy of a connected profile are refused, and leave it alone', async ({ rig, expect }) => {
    const seen = vi.fn();
    await rig.worker({ instance: 'profile-copied' });
    const bridge = await rig.readyBridge({ logger: { ...silentLogger, warn: seen } });
    const changes = vi.fn();
    bridge.onChange(changes);
    await rig.worker({ instance: 'profile-copied' });
    await expect.poll(() => seen.mock.calls, { timeout: 50_000 }).toHaveLength(1);
    expect(await bridge.request('b1', 'bridge.echo', { value: 'a' })).toEqual({ value: 'a' });
    expect(changes).not.toHaveBeenCalled();
  });

  it('serve several servers at once', async ({ rig, expect }) => {
    const worker = await rig.worker();
    const bridges = Array.from({ length: 5 }, () => rig.bridge());
    const answers = bridges.map(async (bridge, index) => {
      await bridge.ready();
      return (await bridge.request('b1', 'bridge.echo', { value: String(index) })).value;
    });
    expect(await Promise.all(answers)).toEqual(['0', '1', '2', '3', '4']);
    expect(worker.channels.size).toBe(5);
  });

  it('hear which clients a server serves, also when they connect later', async ({ rig, expect }) => {
    const heard: string[][] = [];
    const bridge = rig.bridge();
    bridge.setClients([{ name: 'An Agent', version: '1'.repeat(65) }]);
    const worker = await rig.worker({
      handlers: {
        'server.clients': ({ clients }) => {
          heard.push(clients.map((client) => client.name));
          return Promise.resolve({});
        },
      },
    });
    await bridge.ready();
    await worker.until(() => heard.length === 1, 'first clients');
    bridge.setClients([]);
    await worker.until(() => heard.length === 2, 'second clients');
    expect(heard).toEqual([['An Agent'], []]);
  });
});
