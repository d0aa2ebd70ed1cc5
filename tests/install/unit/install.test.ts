import { describe, expect, it } from 'vitest';
import { EXTENSION_ID, FIREFOX_ID, HOST_NAME } from '../../../shared/core/bridge/wire.ts';
import { BROWSER_KINDS, browserPlaces } from '../../../server/core/bridge/browsers.ts';
import { install, type InstallReport, type InstallRequest } from '../../../server/install/install.ts';
import type { Machine } from '../../../server/core/bridge/machine.ts';
import { uninstall, type UninstallRequest } from '../../../server/install/uninstall.ts';
import { LINUX, MAC, MemoryFiles, MemoryRegistry, WINDOWS } from './memory-files.ts';

const MANIFEST = `${HOST_NAME}.json`;
function benchOn(machine: Machine) {
  const isWindows = machine.platform === 'win32';
  const separator = isWindows ? '\\' : '/';
  const at = (...parts: string[]): string => [machine.userHome, ...parts].join(separator);
  const files = new MemoryFiles(machine)
    .put(at('src', 'dist', 'host.js'), '// host')
    .put(at('src', 'dist', 'extension', 'manifest.json'), '{"version":"0.1.0"}')
    .put(at('src', 'dist', 'extension', 'worker.js'), '// worker')
    .put(at('src', 'dist', 'extension', 'chunks', 'a.js'), '// chunk');
  const registry = new MemoryRegistry();
  const home = at('.spillway');
  const base = { machine, files, run: registry.run, home };
  return {
    files,
    registry,
    home,
    install: (options: Partial<InstallRequest> = {}) =>
      install({
        ...base,
        node: isWindows ? 'C:\\node.exe' : '/opt/node 20/bin/node',
        distDirectory: at('src', 'dist'),
        bridgeDirectory: at('bridge'),
        browsers: 'all',
        ...options,
      }),
    uninstall: (options: Partial<UninstallRequest> = {}) => uninstall({ ...base, purge: false, ...options }),
  };
}

const actionsOf = (report: InstallReport): Set<string> =>
  new Set([
    report.launcher.action,
    report.extension.action,
    ...report.browsers.flatMap((each) => [...each.manifests, ...each.registry].map(({ action }) => action)),
  ]);

it.each([LINUX, MAC])('on $platform writes a manifest with our extension alone', async (machine) => {
  const bench = benchOn(machine);
  await bench.install();
  for (const { family, manifestDirectories } of BROWSER_KINDS.map((id) => browserPlaces(machine, id)))
    for (const directory of manifestDirectories)
      expect(JSON.parse(bench.files.text(`${directory}/${MANIFEST}`))).toEqual({
        name: 'com.spillway.host',
        description: expect.stringContaining('Spillway'),
        path: `${bench.home}/host/spillway-host`,
        type: 'stdio',
        ...(family === 'firefox'
          ? { allowed_extensions: [FIREFOX_ID] }
          : { allowed_origins: [`chrome-extension://${EXTENSION_ID}/`] }),
      });
  expect(bench.registry.commands).toEqual([]);
});

describe('install', () => {
  it('writes a launcher for its owner alone, and a copy of the whole extension', async () => {
    const bench = benchOn(LINUX);
    const report = await bench.install();
    expect(await bench.files.mode(report.launcher.path)).toBe(0o700);
    expect(bench.files.text(report.launcher.path)).toContain(
      "exec '/opt/node 20/bin/node' '/home/ada/.spillway/host/host.mjs'",
    );
    expect(bench.files.text('/home/ada/.spillway/host/host.mjs')).toBe('// host');
    expect(report.extension).toMatchObject({ path: '/home/ada/.spillway/extension', version: '0.1.0' });
    expect(bench.files.text('/home/ada/.spillway/extension/chunks/a.js')).toBe('// chunk');
  });

  it.each([LINUX, MAC, WINDOWS])('changes nothing the second time on $platform', async (machine) => {
    const bench = benchOn(machine);
    expect(actionsOf(await bench.install())).toContain('written');
    const before = bench.files.snapshot();
    expect(actionsOf(await bench.install())).toEqual(new Set(['unchanged']));
    expect(bench.files.snapshot()).toEqual(before);
  });

  it('takes over a new build and drops files that it no longer has', async () => {
    const bench = benchOn(LINUX);
    await bench.install();
    bench.files.put('/home/ada/src/dist/extension/worker.js', '// newer');
    await bench.files.removeFile('/home/ada/src/dist/extension/chunks/a.js');
    expect((await bench.install()).extension.action).toBe('updated');
    expect(bench.files.text('/home/ada/.spillway/extension/worker.js')).toBe('// newer');
    expect(await bench.files.mode('/home/ada/.spillway/extension/chunks/a.js')).toBeNull();
  });

  it('serves the browsers that are found when none is named', async () => {
    const bench = benchOn(LINUX);
    bench.files.put('/usr/bin/chromium', '\x7fELF', 0o755).put('/home/ada/.config/vivaldi/Local State');
    const report = await bench.install({ browsers: 'found' });
    expect(report.browsers.map(({ browser, status }) => [browser, status])).toEqual([
      ['chromium', 'ready'],
      ['vivaldi', 'ready'],
    ]);
    expect(await bench.files.list('/home/ada/.config/microsoft-edge')).toBeNull();
  });

  it('leaves the manifest of another product under our name, and says whose it is', async () => {
    const bench = benchOn(LINUX);
    const path = `/home/ada/.config/chromium/NativeMessagingHosts/${MANIFEST}`;
    const foreign = JSON.stringify({ name: HOST_NAME, path: '/opt/other/host', allowed_origins: [] });
    bench.files.put(path, foreign);
    const report = await bench.install({ browsers: ['chromium'] });
    expect(report.browsers[0]).toMatchObject({ status: 'conflict', note: expect.stringContaining(path) });
    expect(bench.files.text(path)).toBe(foreign);
    const { left } = await bench.uninstall();
    expect(left).toEqual([{ path, reason: 'belongs to another product (starts /opt/other/host)' }]);
    expect(bench.files.text(path)).toBe(foreign);
  });

  it.each(['host.js', 'extension/manifest.json'])(
    'refuses a build without %s and writes nothing',
    async (missing) => {
      const bench = benchOn(LINUX);
      await bench.files.removeFile(`/home/ada/src/dist/${missing}`);
      const before = bench.files.snapshot();
      const message = expect.stringContaining(missing);
      await expect(bench.install()).rejects.toMatchObject({ code: 'invalid_argument', message });
      expect(bench.files.snapshot()).toEqual(before);
    },
  );
});

const manifest = 'C:\\Users\\Ada\\.spillway\\host\\com.spillway.host.json';
it('on Windows points the registry key of each browser to one manifest', async () => {
  const bench = benchOn(WINDOWS);
  const report = await bench.install({ browsers: ['chrome', 'edge'] });
  expect(JSON.parse(bench.files.text(manifest)).path).toBe(
    'C:\\Users\\Ada\\.spillway\\host\\spillway-host.cmd',
  );
  const adding = bench.registry.commands.filter(({ args }) => args[0] === 'add');
  const file = 'C:\\Windows\\System32\\reg.exe';
  const expected = ['Google\\Chrome', 'Microsoft\\Edge'].map((vendor) => {
    const key = `HKCU\\SOFTWARE\\${vendor}\\NativeMessagingHosts\\com.spillway.host`;
    return { file, args: ['add', key, '/ve', '/t', 'REG_SZ', '/d', manifest, '/f'] };
  });
  expect(adding).toEqual(expected);
  expect(report.browsers.map((each) => each.status)).toEqual(['ready', 'ready']);
});

describe('uninstall', () => {
  it.each([LINUX, MAC, WINDOWS])('leaves nothing of install behind on $platform', async (machine) => {
    const bench = benchOn(machine);
    const before = bench.files.snapshot();
    await bench.install({ browsers: ['chromium'] });
    await bench.install({ browsers: 'all' });
    expect((await bench.uninstall()).left).toEqual([]);
    expect(bench.files.snapshot()).toEqual(before);
    expect([...bench.registry.values]).toEqual([]);
  });

  it('removes what an interrupted installation wrote', async () => {
    const bench = benchOn(LINUX);
    const before = bench.files.snapshot();
    const { write } = bench.files;
    bench.files.write = async (path, content, mode) => {
      if (path.endsWith('a.js')) throw new Error('disk full');
      await write.call(bench.files, path, content, mode);
    };
    await expect(bench.install()).rejects.toThrow('disk full');
    expect(bench.files.snapshot()).not.toEqual(before);
    await bench.uninstall();
    expect(bench.files.snapshot()).toEqual(before);
  });

  it('names what servers have stored, and purges it when asked to, and nothing else', async () => {
    const bench = benchOn(LINUX);
    await bench.install();
    const data = `${bench.home}/output`;
    bench.files.put(`${data}/blobs/x`, 'a handle').put(`${data}/index`, '');
    expect((await bench.uninstall()).data).toEqual([
      { path: data, files: 2, bytes: 8, what: 'stored answers' },
    ]);
    expect(bench.files.text(`${data}/blobs/x`)).toBe('a handle');
    await bench.install();
    for (const folder of 'runs journal ledger ledger-heads tmp run pending sign-ins recipes token queue'.split(
      ' ',
    ))
      bench.files.put(`${bench.home}/${folder}/x`);
    for (const end of ['', '-shm', '-wal']) bench.files.put(`${bench.home}/home.db${end}`, '');
    bench.files.put(`${bench.home}/upstreams.json`, '{}').put(`${bench.home}/notes/mine.txt`, 'mine');
    const { removed, left } = await bench.uninstall({ purge: true });
    expect(removed).toContain(data);
    expect(left).toEqual([{ path: `${bench.home}/notes`, reason: 'Spillway did not write it' }]);
    expect(bench.files.text(`${bench.home}/notes/mine.txt`)).toBe('mine');
    expect(await bench.files.list(bench.home)).toEqual(['notes']);
  });

  it('keeps the extension while a browser loads it, and removes it once no browser does', async () => {
    const bench = benchOn(LINUX);
    await bench.install();
    const extension = { path: `${bench.home}/extension` };
    const preferences = JSON.stringify({ extensions: { settings: { [EXTENSION_ID]: extension } } });
    bench.files.put('/home/ada/.config/chromium/Default/Preferences', preferences);
    const { left } = await bench.uninstall();
    expect(left).toEqual([
      { ...extension, reason: expect.stringContaining('Remove Spillway in chrome://ext') },
    ]);
    expect(bench.files.text(`${extension.path}/manifest.json`)).toContain('version');
    bench.files.put('/home/ada/.config/chromium/Default/Preferences', '{}');
    expect((await bench.uninstall()).left).toEqual([]);
    expect(await bench.files.list(bench.home)).toBeNull();
  });

  it('keeps what others put into the same folders', async () => {
    const bench = benchOn(LINUX);
    await bench.install();
    const theirs = '/home/ada/.config/chromium/NativeMessagingHosts/org.other.json';
    bench.files.put(theirs, '{}');
    await bench.uninstall();
    expect(bench.files.text(theirs)).toBe('{}');
    expect(await bench.files.list('/home/ada/.spillway/host')).toBeNull();
  });

  it('leaves what another home installed', async () => {
    const bench = benchOn(LINUX);
    await bench.install({ browsers: ['chromium'] });
    const { left, removed } = await bench.uninstall({ home: '/home/ada/other' });
    expect(removed).toEqual([]);
    expect(left.map((each) => each.reason)).toEqual([
      'belongs to the Spillway that starts /home/ada/.spillway/host/spillway-host',
    ]);
  });
});
