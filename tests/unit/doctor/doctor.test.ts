import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXTENSION_ID, PRODUCT } from '../../../shared/bridge/wire.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { type DoctorReport, type HopReport, runHops } from '../../../server/doctor/hop.ts';
import { EXTENSION_ORIGIN } from '../../../server/bridge/install/manifest.ts';
import { noteRefusal } from '../../../server/bridge/refusals.ts';
import { World } from './world.ts';
import { isPosix } from '../../support/posix.ts';

const ORDER = [
  'node',
  'build',
  'browser',
  'extension_id',
  'host_manifest',
  'host_process',
  'socket',
  'handshake',
  'versions',
  'worker',
  'page_read',
];

let world: World;
beforeEach(async () => {
  world = await World.working();
});
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

describe.runIf(isPosix)('a chain that holds', () => {
  it('is proved hop by hop, in order, and leaves no tab behind', async () => {
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
});

describe.runIf(isPosix)('each hop broken in turn is the one that is named', () => {
  it('node: too old', async () => {
    const report = await world.diagnose({ node: { version: 'v20.18.3', path: '/usr/bin/node' } });
    expect(seen(expectBroken(report, 'node'))).toContain('v20.18.3 at /usr/bin/node');
  });

  it.each(['index.js', 'host.js', 'extension/manifest.json', 'extension/worker.js'])(
    'build: no %s',
    async (name) => {
      rmSync(join(world.dist, name));
      expect(seen(expectBroken(await world.diagnose(), 'build'))).toContain(name);
    },
  );

  it('build: an extension of another version', async () => {
    world.put(join(world.dist, 'extension/manifest.json'), '{"version":"0.0.9"}');
    expect(seen(expectBroken(await world.diagnose(), 'build'))).toContain('0.0.9');
  });

  it('browser: none', async () => {
    rmSync(join(world.root, 'bin', 'chromium'));
    rmSync(join(world.userHome, '.config/chromium/Local State'));
    expect(seen(expectBroken(await world.diagnose(), 'browser'))).toContain('Chromium');
  });

  it('browser: a snap', async () => {
    world.put(join(world.root, 'bin', 'chromium'), '#!/bin/sh\nexec /snap/bin/chromium "$@"\n', 0o755);
    const hop = expectBroken(await world.diagnose(), 'browser');
    expect(seen(hop)).toContain('installed as a snap');
    expect(hop.fix).toContain('.deb');
  });

  it('extension id: a build without the key', async () => {
    world.put(join(world.dist, 'extension/manifest.json'), '{"version":"0.1.0"}');
    expect(seen(expectBroken(await world.diagnose(), 'extension_id'))).toContain(EXTENSION_ID);
  });

  it('extension id: a profile that loads it from a missing folder', async () => {
    const settings = { [EXTENSION_ID]: { path: '/gone/extension', disable_reasons: [] } };
    world.put(
      join(world.userHome, '.config/chromium/Default/Preferences'),
      JSON.stringify({ extensions: { settings } }),
    );
    const hop = expectBroken(await world.diagnose(), 'extension_id');
    expect(seen(hop)).toContain('/gone/extension');
  });

  it('host manifest: none', async () => {
    rmSync(world.manifest);
    const hop = expectBroken(await world.diagnose(), 'host_manifest');
    expect(hop.fix).toContain('spillway install --browser chromium');
  });

  it('host manifest: of another product', async () => {
    writeFileSync(
      world.manifest,
      JSON.stringify({
        name: 'com.spillway.host',
        path: '/opt/other/host',
        allowed_origins: [EXTENSION_ORIGIN],
      }),
    );
    expect(seen(expectBroken(await world.diagnose(), 'host_manifest'))).toContain('/opt/other/host');
  });

  it('host manifest: ours, but of another extension; install repairs it', async () => {
    const manifest = JSON.parse(readFileSync(world.manifest, 'utf8'));
    const other = 'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/';
    writeFileSync(world.manifest, JSON.stringify({ ...manifest, allowed_origins: [other] }));
    const hop = expectBroken(await world.diagnose(), 'host_manifest');
    expect(seen(hop)).toContain(`lets in ${other} instead of ${EXTENSION_ORIGIN}`);
    expect(hop.fix).toContain('which repairs it');
    await world.install();
    expect(JSON.parse(readFileSync(world.manifest, 'utf8'))).toEqual(manifest);
  });

  it('host manifest: broken', async () => {
    writeFileSync(world.manifest, '{ "name": ');
    expect(seen(expectBroken(await world.diagnose(), 'host_manifest'))).toContain(world.manifest);
  });

  it('host manifest: launcher gone', async () => {
    rmSync(world.launcher);
    expect(seen(expectBroken(await world.diagnose(), 'host_manifest'))).toContain(world.launcher);
  });

  it('host manifest: launcher not executable', async () => {
    chmodSync(world.launcher, 0o600);
    const hop = expectBroken(await world.diagnose(), 'host_manifest');
    expect(seen(hop)).toContain(`${world.launcher} is not executable`);
  });

  it('host manifest: the launcher leads to a missing Node', async () => {
    rmSync(world.node);
    expect(seen(expectBroken(await world.diagnose(), 'host_manifest'))).toContain(world.node);
  });

  it('host manifest: holds when the package has moved', async () => {
    await world.listen();
    const moved = join(world.root, 'moved');
    cpSync(world.dist, moved, { recursive: true });
    rmSync(world.dist, { recursive: true });
    expect((await world.diagnose({ distDirectory: moved })).ok).toBe(true);
  });

  it('host manifest: the launcher leads to a missing host', async () => {
    rmSync(world.host);
    const hop = expectBroken(await world.diagnose(), 'host_manifest');
    expect(seen(hop)).toContain(world.host);
  });

  it.each([
    ['ends at once', 'process.exit(3)', 'ended with code 3'],
    ['fails with a message', 'throw new Error("no such thing")', 'no such thing'],
    ['never says hello, like cat', 'process.stdin.pipe(process.stdout)', 'sent nothing within 3000 ms'],
    ['writes a stray line', 'console.log("hello"); process.stdin.resume()', 'wrote an invalid frame'],
  ])('host process: a host that %s', async (_name, script, expected) => {
    writeFileSync(world.host, script);
    const hop = expectBroken(await world.diagnose(), 'host_process');
    expect(seen(hop)).toContain(expected);
    expect(hop.code).toBe('host_no_hello');
  });

  it('host process: no browser has started one; the fix says how to load the extension', async () => {
    const hop = expectBroken(await world.diagnose(), 'host_process');
    expect(hop.code).toBe('browser_not_connected');
    expect(hop.fix).toContain(join(world.home, 'extension'));
    expect(seen(hop)).toContain('Chromium does not run.');
  });

  it('host process: the browser runs, but without the extension', async () => {
    symlinkSync(`this-machine-${process.pid}`, join(world.userHome, '.config/chromium/SingletonLock'));
    const hop = expectBroken(await world.diagnose(), 'host_process');
    expect(seen(hop)).toContain(`Chromium runs (pid ${process.pid})`);
  });

  it('host process: the extension is switched off in its profile', async () => {
    const settings = { [EXTENSION_ID]: { path: join(world.home, 'extension'), disable_reasons: 1 } };
    world.put(
      join(world.userHome, '.config/chromium/Default/Preferences'),
      JSON.stringify({ extensions: { settings } }),
    );
    expect(expectBroken(await world.diagnose(), 'host_process').fix).toContain('Switch Spillway on');
  });

  it('host process: a registration whose process has exited', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    await world.listen({ pid: child.pid ?? 0 });
    expect(seen(expectBroken(await world.diagnose(), 'host_process'))).toContain(
      `pid ${child.pid}, which has exited`,
    );
  });

  it('host process: a registration whose pid is now another program', async () => {
    await world.kill(await world.listen({ pid: 1 }));
    expect(seen(expectBroken(await world.diagnose(), 'host_process'))).toContain('now another program');
  });

  it('host process: a bridge directory that others can read', async () => {
    await world.listen();
    chmodSync(world.bridgeDirectory, 0o755);
    const hop = expectBroken(await world.diagnose(), 'host_process');
    expect(seen(hop)).toContain(world.bridgeDirectory);
    expect(hop.fix).toContain('chmod 700');
  });

  it('socket: refuses', async () => {
    await world.kill(await world.listen());
    expect(seen(expectBroken(await world.diagnose(), 'socket'))).toMatch(/ECONNREFUSED|ENOTSOCK/);
  });

  it('handshake: a host with another secret', async () => {
    await world.listen({ secret: 'f'.repeat(64) });
    writeFileSync(join(world.bridgeDirectory, 'secret'), '0'.repeat(64), { mode: 0o600 });
    expect(expectBroken(await world.diagnose(), 'handshake').code).toBe('host_refused');
  });

  it('handshake: a host that never says hello', async () => {
    await world.listen({ onConnection: (socket) => socket.resume() });
    const hop = expectBroken(await world.diagnose(), 'handshake');
    expect(hop.code).toBe('host_no_hello');
    expect(hop.duration_ms).toBeLessThan(5_000);
  });

  it('handshake: one of two hosts is silent', async () => {
    await world.listen();
    await world.listen({ onConnection: (socket) => socket.resume() });
    expect(expectBroken(await world.diagnose(), 'handshake').code).toBe('host_no_hello');
  });

  it('handshake: another program on the socket', async () => {
    await world.listen({ onConnection: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') });
    expect(expectBroken(await world.diagnose(), 'handshake').code).toMatch(/frame_too_large|frame_malformed/);
  });

  it('versions: a host that speaks a later wire only', async () => {
    await world.listen({ wire: { min: 8, max: 9 } });
    const hop = expectBroken(await world.diagnose(), 'versions');
    expect(hop.code).toBe('wire_version_mismatch');
    expect(seen(hop)).toContain('update the server');
  });

  it('versions: a host that refused the extension, and ended', async () => {
    const identity = {
      product: PRODUCT,
      version: '9.0.0',
      wire: { min: 8, max: 9 },
      instance: 'of-the-test',
    } as const;
    const browser = { name: 'Chromium', version: '156', label: null };
    const message = 'The extension speaks wire versions 8 to 9, the native host 1: update the native host.';
    noteRefusal(world.bridgeDirectory, { type: 'hello', role: 'extension', identity, browser }, message);
    const hop = expectBroken(await world.diagnose(), 'versions');
    expect(hop).toMatchObject({ code: 'wire_version_mismatch', evidence: [message] });
    await world.listen();
    expect((await world.diagnose()).ok).toBe(true);
  });

  it('waits for a host that lost its folder to register again', async () => {
    symlinkSync(`this-machine-${process.pid}`, join(world.userHome, '.config/chromium/SingletonLock'));
    rmSync(world.bridgeDirectory, { recursive: true });
    // The doctor looks at the browser's lock once it has found no folder.
    const linkTarget = async (path: string): Promise<string | null> => {
      mkdirSync(world.bridgeDirectory, { mode: 0o700 });
      await world.listen();
      return world.files.linkTarget(path);
    };
    const report = await world.diagnose({ files: { ...world.files, linkTarget } });
    expect(report.ok).toBe(true);
    expect(seen(report.hops.find(({ id }) => id === 'host_process'))).toContain('has registered again');
  });

  it('worker: silent', async () => {
    await world.listen();
    world.bridgeBehaviour.echo = async () => {
      throw new SpillwayError('timeout', 'bridge.echo went 3000 ms without an answer.');
    };
    const hop = expectBroken(await world.diagnose(), 'worker');
    expect(hop.code).toBe('timeout');
    expect(world.opened).toEqual([]);
  });

  it('page read: a page that differs from what was served; the tab is still closed', async () => {
    await world.listen();
    world.bridgeBehaviour.read = async () => 'an advertisement';
    expect(seen(expectBroken(await world.diagnose(), 'page_read'))).toContain('16 characters');
    expect(world.closed).toEqual([1]);
  });

  it('page read: a reading that fails; the tab is still closed', async () => {
    await world.listen();
    world.bridgeBehaviour.read = async () => {
      throw new SpillwayError('page_forbidden', 'Tab b1:1 may not be read.');
    };
    expect(expectBroken(await world.diagnose(), 'page_read').code).toBe('page_forbidden');
    expect(world.closed).toEqual([1]);
  });
});

describe.runIf(isPosix)('what does not break the chain is a warning', () => {
  it('another product that lets our extension in under its own name', async () => {
    await world.listen();
    const theirs = join(world.userHome, '.config/chromium/NativeMessagingHosts/org.other.json');
    world.put(
      theirs,
      JSON.stringify({ name: 'org.other', path: '/opt/other/host', allowed_origins: [EXTENSION_ORIGIN] }),
    );
    const report = await world.diagnose();
    expect(report.ok).toBe(true);
    expect(report.hops.flatMap((hop) => hop.warnings)).toEqual([expect.stringContaining(theirs)]);
  });

  it('a stale registration next to a live one', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    await world.listen({ pid: child.pid ?? 0 });
    await world.listen();
    const report = await world.diagnose();
    expect(report.ok).toBe(true);
    expect(report.hops.flatMap((hop) => hop.warnings)).toEqual([expect.stringContaining('which has exited')]);
  });
});

describe.runIf(isPosix)('runHops', () => {
  it('gives up a hop that never ends, and aborts its signal', async () => {
    let aborted: unknown = null;
    const hang = {
      id: 'hang',
      title: 'Hang',
      timeoutMs: 20,
      run: (_context: null, signal: AbortSignal) => {
        signal.addEventListener('abort', () => (aborted = signal.reason));
        return new Promise<never>(() => {});
      },
    };
    const [report] = await runHops([hang], null);
    expect(report).toMatchObject({ status: 'failed', code: 'timeout', evidence: ['no answer within 20 ms'] });
    expect(aborted).toMatchObject({ name: 'TimeoutError' });
  });
});
