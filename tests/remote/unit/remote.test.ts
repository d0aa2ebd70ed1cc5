import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { runRemote } from '../../../server/remote/command.ts';
import { readSecret } from '../../../server/core/bridge/directory.ts';
import { BridgeRig, coded } from '../../support/bridge-rig.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

/**
 * Stands in for ssh and the other machine, which has another home folder: commands run in a local shell, and a forwarded
 * socket is a symbolic link. Files say how it fails; the one named `pid` has the process that a test ends in place of the network.
 */
const SSH = `#!/bin/sh
echo "$*" >> "$FAKE_SSH/arguments"
case "$*" in
  -V) cat "$FAKE_SSH/version" >&2; exit 0;;
  *'-O forward'*)
    [ -e "$FAKE_SSH/no-forward" ] && { echo 'mux_client_forward: forwarding request failed' >&2; exit 255; }
    for word; do case "$word" in *.sock:*) ln -s "\${word#*:}" "\${word%%:*}";; esac; done;;
  *)
    [ -e "$FAKE_SSH/no-host" ] && { echo 'ssh: Could not resolve hostname devbox' >&2; exit 255; }
    echo $$ > "$FAKE_SSH/pid"; HOME="$FAKE_SSH/home"; export HOME
    exec sh;;
esac
`;

let fake: string;
let rig: BridgeRig;

beforeEach(() => {
  fake = testFolder();
  mkdirSync(join(fake, 'home'));
  writeFileSync(join(fake, 'ssh'), SSH);
  chmodSync(join(fake, 'ssh'), 0o755);
  writeFileSync(join(fake, 'version'), 'OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19\n');
  rig = new BridgeRig({ isHostHere: true });
  vi.stubEnv('PATH', `${fake}:${process.env['PATH'] ?? ''}`);
  vi.stubEnv('FAKE_SSH', fake);
  vi.stubEnv('SPILLWAY_BRIDGE_DIR', rig.directory);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rig.close();
});

function start(host = 'ada@devbox') {
  let printed = '';
  const stop = new AbortController();
  const io = { write: (text: string) => void (printed += text), isTerminal: false };
  const exit = runRemote({ host }, io, stop.signal);
  exit.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await exit.catch(() => undefined);
  });
  const there = async (): Promise<string> => {
    await vi.waitFor(() => expect(printed).toContain('Connected to'), PATIENCE);
    return /SPILLWAY_BRIDGE_DIR=(\S+)/.exec(printed)?.[1] ?? '';
  };
  return { exit, stop, printed: () => printed, there };
}

const isConnected = (bridge: ReturnType<BridgeRig['bridge']>) => () =>
  bridge.browsers().some((one) => one.connected);

it('lets a server of the other machine use the browser, with a secret of its own, and names the machine', async () => {
  const names: unknown[] = [];
  const worker = await rig.worker({
    handlers: {
      'server.clients': ({ clients }) => {
        names.push(...clients);
        return Promise.resolve({});
      },
    },
  });
  const remote = start();
  const directory = await remote.there();
  expect(directory.startsWith(join(fake, 'home', '.spillway', 'remote'))).toBe(true);
  const modes = [
    directory,
    join(directory, '..'),
    ...readdirSync(directory).map((name) => join(directory, name)),
  ]
    .filter((path) => !path.endsWith('.sock'))
    .map((path) => [statSync(path).isDirectory(), statSync(path).mode & 0o777]);
  expect(modes).toEqual([
    [true, 0o700],
    [true, 0o700],
    [false, 0o600],
    [false, 0o600],
  ]);
  const secret = readSecret(directory);
  expect(secret).not.toBe(readSecret(rig.directory));
  const ssh = readFileSync(join(fake, 'arguments'), 'utf8');
  expect(ssh).not.toContain(secret);
  // The person's own configuration opens no port here or there.
  expect(ssh).toMatch(/ClearAllForwardings=yes[^]*^-F \/dev\/null -S \S+ -O forward /m);
  const bridge = rig.bridge({ directory });
  bridge.setClients([{ name: 'Claude Code', version: '1' }]);
  await bridge.ready();
  await expect.poll(() => names, PATIENCE).toEqual([{ name: 'Claude Code on ada@devbox', version: '1' }]);
  expect([...worker.channels.values()]).toHaveLength(1);

  // The network drops: the next connection has another secret, and the same server uses it.
  process.kill(Number(readFileSync(join(fake, 'pid'), 'utf8')), 'SIGKILL');
  await vi.waitFor(() => expect(remote.printed()).toContain('again.\n'), PATIENCE);
  await expect.poll(() => remote.printed(), PATIENCE).toContain('Connected to ada@devbox again.');
  expect(readSecret(directory)).not.toBe(secret);
  await expect.poll(isConnected(bridge), PATIENCE).toBe(true);

  remote.stop.abort();
  expect(await remote.exit).toBe(0);
  await expect.poll(() => readdirSync(directory), PATIENCE).toEqual([]);
  await expect.poll(isConnected(bridge), PATIENCE).toBe(false);
});

it('refuses a server that does not know the secret of the connection', async () => {
  await rig.worker();
  const directory = await start().there();
  writeFileSync(join(directory, 'secret'), readSecret(rig.directory) ?? '');
  const { message } = await coded(rig.bridge({ directory }).ready({ timeoutMs: 2_000 }));
  expect(message).toContain('The server does not know the secret of this connection.');
});

it.each([
  ['no browser runs', [], 'browser_not_connected', 'No browser with Spillway runs.'],
  [
    'the host does not exist',
    ['no-host'],
    'remote_failed',
    'could not connect to devbox: ssh: Could not resolve hostname devbox',
  ],
  [
    'the host forwards no sockets',
    ['no-forward'],
    'remote_failed',
    'devbox does not forward a socket: mux_client_forward',
  ],
  ['ssh is too old', ['old'], 'remote_failed', 'ssh is OpenSSH_6.6.1p1, which forwards no sockets.'],
  ['ssh is missing', ['none'], 'remote_failed', 'The program ssh was not found.'],
] as const)('says so if %s', async (_what, faults, code, why) => {
  if (faults.length > 0) await rig.worker();
  for (const fault of faults) writeFileSync(join(fake, fault), '');
  if (faults.some((fault) => fault === 'old'))
    writeFileSync(join(fake, 'version'), 'OpenSSH_6.6.1p1, OpenSSL\n');
  if (faults.some((fault) => fault === 'none')) vi.stubEnv('PATH', join(fake, 'home'));
  const failed = await coded(start('devbox').exit);
  expect(failed.code).toBe(code);
  expect(failed.message).toContain(why);
});

it.each(['-oProxyCommand=id', 'a b', 'x;id', ''])('takes no host such as %j', async (host) =>
  expect((await coded(start(host).exit)).code).toBe('invalid_argument'),
);
