import { chmodSync, readFileSync, rmSync, writeFileSync, renameSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { HopReport } from '../../../server/core/hop.ts';
import { type DoctorReport, runHops, type DoctorContext } from '../../../server/doctor/hop.ts';
import { EXTENSION_ORIGIN } from '../../../server/core/bridge/launcher.ts';
import { World } from './world.ts';
import { isPosix } from '../../support/posix.ts';

const ORDER = ['node', 'build', 'home', 'browser', 'extension_id', 'host_manifest', 'host_process'];
ORDER.push('socket', 'handshake', 'versions', 'worker', 'page_read');

let world: World;
beforeEach(async () => void (world = await World.working()));
afterEach(() => world.dispose());

/** The failed hop, after a check that it is the named one and that it and its neighbours are reported. */
function expectBroken(report: DoctorReport, id: string): HopReport {
  expect(report).toMatchObject({ ok: false, failed: id });
  const at = ORDER.indexOf(id);
  expect(report.hops.map((hop) => hop.status)).toEqual(
    ORDER.map((_, index) => (index < at ? 'ok' : index === at ? 'failed' : 'not_reached')),
  );
  const hop = report.hops[at];
  if (hop === undefined) throw new Error(`No hop ${id}.`);
  expect(hop.evidence.length).toBeGreaterThan(0);
  expect(hop.fix).toMatch(/\S/);
  return hop;
}

const seen = (hop: HopReport | undefined): string => (hop?.evidence ?? []).join('\n');

it.runIf(isPosix)('a chain that holds is proved hop by hop, in order, and leaves no tab behind', async () => {
  await world.listen();
  const report = await world.diagnose();
  expect(report.hops.map((hop) => [hop.id, hop.status, hop.evidence])).toEqual(
    ORDER.map((id) => [id, 'ok', expect.anything()]),
  );
  expect(report).toMatchObject({ ok: true, failed: null });
  expect(report.hops.flatMap((hop) => hop.warnings)).toEqual([]);
  expect(world.opened).toHaveLength(1);
  expect(world.closed).toEqual([1]);
});

const EXTENSION = 'extension/manifest.json';
const inDist = (name: string): string => join(world.dist, name);
const remove = (name: string) => (): void => rmSync(inDist(name));
const write = (name: string, text: string) => (): void => world.put(inDist(name), text);
const setProfile = (reasons: unknown, path?: string, state?: number) => (): void => {
  const folder = path ?? join(world.home, 'extension');
  const settings = { [EXTENSION_ID]: { path: folder, disable_reasons: reasons, state } };
  const preferences = join(world.userHome, '.config/chromium/Default/Preferences');
  world.put(preferences, JSON.stringify({ extensions: { settings } }));
};
const setBrowser = (script: string) => (): void =>
  world.put(join(world.root, 'bin', 'chromium'), script, 0o755);
const host = (script: string) => (): void => writeFileSync(world.host, script);
const listen = (options: Parameters<World['listen']>[0]) => () => world.listen(options);

async function goneProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

function noBrowserInWsl(): void {
  noBrowser();
  Object.assign(world.machine.env, { WSL_DISTRO_NAME: 'Ubuntu' });
}

function noBrowser(): void {
  rmSync(join(world.root, 'bin', 'chromium'));
  rmSync(join(world.userHome, '.config/chromium/Local State'));
}
function otherProduct(): void {
  const theirs = { name: 'com.spillway.host', path: '/opt/other/host', allowed_origins: [EXTENSION_ORIGIN] };
  writeFileSync(world.manifest, JSON.stringify(theirs));
}
async function openDirectory(): Promise<void> {
  await world.listen();
  chmodSync(world.bridgeDirectory, 0o755);
}
async function otherSecret(): Promise<void> {
  await world.listen({ secret: 'f'.repeat(64) });
  writeFileSync(join(world.bridgeDirectory, 'secret'), '0'.repeat(64), { mode: 0o600 });
}

type Changes = Partial<DoctorContext>;
type Fault = () => void | Changes | Promise<void | Changes>;
const impatient = (fault: () => void | Promise<void>) => async (): Promise<Changes> => {
  await fault();
  return { connectTimeoutMs: 3_000 };
};
const oneSilent = impatient(async () => {
  await world.listen();
  await world.listen({ instance: 'other-profile', onConnection: (socket) => socket.resume() });
});

/** The real files, one of them unreadable: the superuser, who may run this test, can read everything. */
const unreadable = (path: () => string) => (): Changes => ({
  files: { ...world.files, read: async (at) => (at === path() ? null : world.files.read(at)) },
});
const homeFails = (code: string) => (): Changes => ({
  files: {
    ...world.files,
    write: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code })),
  },
});
function withoutHome(): Changes {
  rmSync(world.home, { recursive: true });
  return homeFails('EACCES')();
}
const policy = (rules: object): void =>
  world.put(join(world.root, 'policies', 'of-the-company.json'), JSON.stringify(rules));
const withPolicies = (rules: object) => (): Changes => {
  policy(rules);
  const list: DoctorContext['files']['list'] = async (folder) =>
    folder.endsWith('/managed') ? ['of-the-company.json'] : world.files.list(folder);
  const read: DoctorContext['files']['read'] = async (path) =>
    path.endsWith('/of-the-company.json')
      ? world.files.read(join(world.root, 'policies', 'of-the-company.json'))
      : world.files.read(path);
  return { files: { ...world.files, list, read } };
};
const manifestWith = (fields: object) => (): void => {
  const manifest = JSON.parse(readFileSync(world.manifest, 'utf8'));
  writeFileSync(world.manifest, JSON.stringify({ ...manifest, ...fields }));
};
const takenBack =
  (describes: NonNullable<World['bridgeBehaviour']['describes']>) => async (): Promise<void> => {
    await world.listen();
    world.bridgeBehaviour = { describes };
  };
const inHome = (name: string): string => join(world.home, name);
const store = (bytes: number) => (): void =>
  world.put(join(world.home, 'output', 'one', 'content'), 'x'.repeat(bytes));
function movePackage(): Changes {
  const distDirectory = join(world.root, 'moved');
  renameSync(world.dist, distDirectory);
  return { distDirectory };
}

const GONE = /does not exist/;

describe.runIf(isPosix)('each hop broken in turn is the one that is named', () => {
  it('node: too old', async () => {
    const report = await world.diagnose({ node: { version: 'v20.18.3', path: '/usr/bin/node' } });
    expect(seen(expectBroken(report, 'node'))).toContain('v20.18.3 at /usr/bin/node');
  });

  /** The hop, its fault, the expected code, fix and evidence, how to cause the fault, and forbidden texts. */
  it.each<[string, string, RegExp, Fault, RegExp?]>([
    ['build', 'no server', /index\.js/, remove('index.js')],
    ['build', 'an extension of another version', /0\.0\.9/, write(EXTENSION, '{"version":"0.0.9"}')],
    ['browser', 'none', /Chromium/, noBrowser],
    ['browser', 'none in WSL', /cmd\.exe \/c npx.*This is WSL/s, noBrowserInWsl],
    [
      'browser',
      'a snap',
      /\.deb.*installed as a snap/s,
      setBrowser('#!/bin/sh\nexec /snap/bin/chromium "$@"\n'),
    ],
    ['extension_id', 'no key', RegExp(EXTENSION_ID), write(EXTENSION, '{"version":"0.1.0"}')],
    ['extension_id', 'a missing folder', /\/gone\/extension/, setProfile([], '/gone/extension')],
    ['host_manifest', 'none', /index.js install --browser chromium/, () => rmSync(world.manifest)],
    ['host_manifest', 'of another product', /\/opt\/other\/host/, otherProduct],
    ['host_manifest', 'no launcher', /spillway-host/, () => rmSync(world.launcher)],
    [
      'host_manifest',
      'no right',
      /chmod 700 \S+spillway-host.*spillway-host is not executable/s,
      () => chmodSync(world.launcher, 0o600),
    ],
    ['host_manifest', 'no Node', /bin\/node/, () => rmSync(world.node)],
    ['host_process', 'fails', /host_no_hello.*no such thing/s, host('echo no such thing >&2; exit 1')],
    ['host_process', 'is cat', /sent nothing within 3000 ms/, impatient(host('exec cat'))],
    [
      'host_process',
      'was never started',
      /browser_not_connected.*\.spillway\/extension.*Chromium does not run/s,
      () => 0,
    ],
    ['host_process', 'is switched off', /Switch Spillway on/, setProfile(1)],
    ['host_process', 'lacks developer mode', /Switch "Developer mode" on/, setProfile([16_777_216])],
    [
      'host_process',
      'has exited',
      /pid \d+, which has exited/,
      async () => world.listen({ pid: await goneProcess() }),
    ],
    ['host_process', 'that others can read', /chmod 700.*\/run/s, openDirectory],
    ['socket', 'refuses', /ECONNREFUSED|ENOTSOCK/, async () => world.kill(await world.listen())],
    ['handshake', 'another secret', /host_refused/, otherSecret],
    ['handshake', 'one of two hosts is silent', /host_no_hello.*of Chromium "unnamed othe"/s, oneSilent],
    ['versions', 'a later wire', /mismatch.*update the server/s, listen({ wire: { min: 8, max: 9 } })],
    ['worker', 'debugging cancelled', /Allow debugging again/, takenBack({ debugging_cancelled: true })],
    ['worker', 'sites taken back', /allow it on all sites/, takenBack({ has_site_access: false })],
    ['home', 'a full store', /store_full.*--output-max-bytes/s, store(1_000)],
    ['home', 'a full disk', /store_full.*Free space/s, homeFails('ENOSPC')],
    ['home', 'read-only', /store_write_failed.*SPILLWAY_HOME/s, homeFails('EROFS')],
    ['home', 'one that cannot be made', /chmod 700.*takes no file/s, withoutHome],
    ['home', 'a damaged database', /store_corrupt/, () => world.put(inHome('home.db'), 'x'.repeat(200))],
    ['host_manifest', 'of another type', /is not a host manifest/, manifestWith({ type: 'pipe' })],
    ['home', 'no right to write', /store_write_failed.*chmod 700/s, homeFails('EACCES')],
    ['home', 'open to others', /chmod 700 \S+\.spillway`/, () => chmodSync(world.home, 0o755)],
    ['home', 'open within', /chmod 700 \S+extension`/, () => chmodSync(inHome('extension'), 0o755)],
    ['build', 'a copy lacks a file', /lacks page\.js/, () => rmSync(inHome('extension/page.js'))],
    ['host_manifest', 'the package moved away', /dist\/index\.js, which does not exist/, movePackage],
    ['host_manifest', 'ours, astray', /install.*\/gone, which/s, manifestWith({ path: '/gone' }), /another/],
    ['host_manifest', 'unreadable', /chmod 600 \S+\.json/, unreadable(() => world.manifest), /no manifest/],
    ['host_manifest', 'no launcher to read', /chmod 700 \S+-host/, unreadable(() => world.launcher), GONE],
    ['host_manifest', 'a mere file as Node', /chmod \+x \S+node/, () => chmodSync(world.node, 0o644), GONE],
    [
      'host_manifest',
      'blocked',
      /ator.*InstallBlocklist/s,
      withPolicies({ ExtensionInstallBlocklist: ['*'] }),
    ],
    [
      'host_manifest',
      'no developers',
      /ator.*ModeSett/s,
      withPolicies({ ExtensionDeveloperModeSettings: 1 }),
    ],
    [
      'host_process',
      'off in older browsers',
      /Switch Spillway on/,
      setProfile(0, undefined, 0),
      /reload button/,
    ],
    [
      'socket',
      'a dead host of an extension that is off',
      /Switch Spillway on/,
      async () => {
        setProfile(1)();
        await world.kill(await world.listen());
      },
      /reload button/,
    ],
    [
      'handshake',
      'a secret that others can read',
      /chmod 600/,
      async () => {
        await world.listen();
        chmodSync(join(world.bridgeDirectory, 'secret'), 0o644);
      },
      /reload button/,
    ],
  ])('%s: %s', async (id, _what, said, breakIt, unsaid = /^$/) => {
    const hop = expectBroken(await world.diagnose((await breakIt()) ?? {}), id);
    const text = [hop.code, hop.fix, seen(hop)].join('\n');
    expect(text).toMatch(said);
    expect(text).not.toMatch(unsaid);
  });

  it('host_manifest: ours, but of another extension; install repairs it', async () => {
    const manifest = JSON.parse(readFileSync(world.manifest, 'utf8'));
    const other = 'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/';
    writeFileSync(world.manifest, JSON.stringify({ ...manifest, allowed_origins: [other] }));
    const hop = expectBroken(await world.diagnose(), 'host_manifest');
    expect(seen(hop)).toContain(`lets in ${other} instead of ${EXTENSION_ORIGIN}`);
    expect(hop.fix).toContain('which repairs it');
    await world.install();
    expect(JSON.parse(readFileSync(world.manifest, 'utf8'))).toEqual(manifest);
  });

  it('page_read: a page that differs, or cannot be read; the tab is closed each time', async () => {
    await world.listen();
    world.bridgeBehaviour.read = async () => 'an advertisement';
    expect(seen(expectBroken(await world.diagnose(), 'page_read'))).toContain('16 characters');
    world.bridgeBehaviour.read = async () => {
      throw new SpillwayError('page_forbidden', 'Tab b1:1 may not be read.');
    };
    expect(expectBroken(await world.diagnose(), 'page_read').code).toBe('page_forbidden');
    expect(world.closed).toEqual([1, 2]);
  });
});

it.runIf(isPosix)('runHops gives up a hop that never ends, and aborts its signal', async () => {
  const signals: AbortSignal[] = [];
  const run = (_context: null, signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const [report] = await runHops([{ id: 'hang', title: 'Hang', timeoutMs: 20, run }], null);
  expect(report).toMatchObject({ status: 'failed', code: 'timeout', evidence: ['no answer within 20 ms'] });
  expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
});

it.runIf(isPosix)('warns of a store that is nearly full', async () => {
  store(950)();
  await world.listen();
  const report = await world.diagnose();
  expect(report.ok).toBe(true);
  expect(report.hops.flatMap(({ warnings }) => warnings)).toEqual([expect.stringContaining('nearly full')]);
});

it.runIf(isPosix)('names the policies that restrict the debugger, and fails for none', async () => {
  const changes = withPolicies({
    ExtensionSettings: { '*': { runtime_blocked_hosts: ['*://*.bank.example'] } },
    DisableScreenshots: true,
  })();
  await world.listen();
  const report = await world.diagnose(changes);
  expect(report.ok).toBe(true);
  expect(report.hops.flatMap(({ warnings }) => warnings)).toEqual([
    expect.stringMatching(/ExtensionSettings .*of-the-company.*bank\.example.*debugger_restricted/),
    expect.stringMatching(/DisableScreenshots .*debugger_restricted/),
  ]);
});
