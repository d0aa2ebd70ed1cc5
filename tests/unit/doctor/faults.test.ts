import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import type { DoctorContext } from '../../../server/doctor/hop.ts';
import { isPosix } from '../../support/posix.ts';
import { World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await World.working();
});
afterEach(() => world.dispose());

type Changes = Partial<DoctorContext>;
type Fault = () => void | Changes | Promise<void | Changes>;

/** Files as they are, but one of them cannot be read: the superuser, who may run this, can read all. */
const unreadable = (path: () => string) => (): Changes => ({
  files: { ...world.files, read: async (at) => (at === path() ? null : world.files.read(at)) },
});
const homeFails = (code: string) => (): Changes => ({
  files: {
    ...world.files,
    write: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code })),
  },
});
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
function disable(setting: object = { disable_reasons: [1] }): void {
  const extension = { path: join(world.home, 'extension'), ...setting };
  const preferences = { extensions: { settings: { [EXTENSION_ID]: extension } } };
  world.put(join(world.userHome, '.config/chromium/Default/Preferences'), JSON.stringify(preferences));
}
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

/** The hop, what is broken, what code, fix and evidence have, what they lack, and how it is broken. */
it.runIf(isPosix).each<[string, string, RegExp, RegExp | null, Fault]>([
  [
    'worker',
    'debugging cancelled',
    /debugger_cancelled.*Allow debugging again/s,
    null,
    takenBack({ debugging_cancelled: true }),
  ],
  [
    'worker',
    'sites taken back',
    /page_forbidden.*allow it on all sites/s,
    null,
    takenBack({ has_site_access: false }),
  ],
  ['home', 'a full store', /store_full.*--output-max-bytes/s, null, store(1_000)],
  ['home', 'a full disk', /store_full.*Free space/s, null, homeFails('ENOSPC')],
  ['home', 'no right to write', /store_write_failed.*chmod 700/s, null, homeFails('EACCES')],
  ['home', 'open to others', /chmod 700 \S+\.spillway`/, null, () => chmodSync(world.home, 0o755)],
  [
    'home',
    'a folder open to others',
    /chmod 700 \S+extension`/,
    null,
    () => chmodSync(inHome('extension'), 0o755),
  ],
  [
    'build',
    'a copy that lacks a file',
    /lacks page\.js/,
    null,
    () => rmSync(join(world.home, 'extension/page.js')),
  ],
  ['host_manifest', 'the package moved away', /dist\/index\.js, which does not exist/, null, movePackage],
  [
    'host_manifest',
    'ours, with a wrong path',
    /index.js install.*\/gone\/elsewhere, which does not exist/s,
    /another product/,
    manifestWith({ path: '/gone/elsewhere' }),
  ],
  [
    'host_manifest',
    'that cannot be read',
    /chmod 600 \S+\.json/,
    /has no manifest/,
    unreadable(() => world.manifest),
  ],
  [
    'host_manifest',
    'a launcher without the right',
    /chmod 700 \S+spillway-host/,
    null,
    () => chmodSync(world.launcher, 0o600),
  ],
  [
    'host_manifest',
    'a launcher that cannot be read',
    /chmod 700 \S+spillway-host/,
    /does not exist/,
    unreadable(() => world.launcher),
  ],
  [
    'host_manifest',
    'a Node without the right',
    /chmod \+x \S+bin\/node/,
    /does not exist/,
    () => chmodSync(world.node, 0o644),
  ],
  [
    'host_manifest',
    'a policy against extensions',
    /administrator.*ExtensionInstallBlocklist/s,
    null,
    withPolicies({ ExtensionInstallBlocklist: ['*'] }),
  ],
  [
    'host_manifest',
    'a policy against developer mode',
    /administrator.*ExtensionDeveloperModeSettings/s,
    null,
    withPolicies({ ExtensionDeveloperModeSettings: 1 }),
  ],
  [
    'host_process',
    'off, as older browsers write it',
    /Switch Spillway on/,
    /reload button/,
    () => disable({ state: 0 }),
  ],
  [
    'socket',
    'a dead host of an extension that is off',
    /Switch Spillway on/,
    /reload button/,
    async () => {
      disable();
      await world.kill(await world.listen());
    },
  ],
  [
    'handshake',
    'a secret that others can read',
    /chmod 600/,
    /reload button/,
    async () => {
      await world.listen();
      chmodSync(join(world.bridgeDirectory, 'secret'), 0o644);
    },
  ],
  [
    'versions',
    'a later wire, of an extension that is off',
    /wire_version_mismatch.*Switch Spillway on/s,
    /reload button/,
    async () => {
      disable();
      await world.listen({ wire: { min: 8, max: 9 } });
    },
  ],
])('%s: %s', async (id, _what, said, unsaid, breakIt) => {
  const changes = (await breakIt()) ?? {};
  const report = await world.diagnose(changes);
  expect(report.failed).toBe(id);
  const hop = report.hops.find((each) => each.id === id);
  const text = [hop?.code, hop?.fix, ...(hop?.evidence ?? [])].join('\n');
  expect(text).toMatch(said);
  if (unsaid !== null) expect(text).not.toMatch(unsaid);
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
