import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BRIDGE_DIR_VARIABLE,
  ensureSecret,
  openBridgeDirectory,
  readSecret,
} from '../../../../server/core/bridge/directory.ts';
import { claimHome, inspectFolder } from '../../../../server/core/machine/private-folder.ts';
import { expectOwnerOnly, isPosix } from '../../../support/posix.ts';
import { createLaunchFolder } from '../../../../server/core/bridge/launch.ts';
import { createOwnedFolder, removeOwnedFolder } from '../../../../server/core/machine/owned-folder.ts';
import { silentLogger } from '../../../support/bridge-rig.ts';
import { testFolder } from '../../../support/test-folder.ts';

let base: string;
beforeEach(() => void (base = testFolder()));

const uid = process.getuid?.() ?? 0;

describe.runIf(isPosix)('the bridge directory', () => {
  it('is made for this user alone', () => {
    const { directory, refused } = openBridgeDirectory({ [BRIDGE_DIR_VARIABLE]: join(base, 'run') });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(refused).toEqual([]);
  });

  it('is not a folder that is a link, open to others, missing, or a file', () => {
    const open = join(base, 'open');
    mkdirSync(open, { mode: 0o750 });
    const link = join(base, 'link');
    symlinkSync(base, link);
    const file = join(base, 'file');
    writeFileSync(file, '');
    expect(inspectFolder(base)).toBeNull();
    expect(inspectFolder(open)?.reason).toContain('open to other users (mode 750');
    expect(inspectFolder(link)?.reason).toContain('symbolic link');
    expect(inspectFolder(file)?.reason).toContain('is not a folder');
    expect(inspectFolder(join(base, 'absent'))).toMatchObject({ isMissing: true });
  });

  it('is not a folder that others may replace', () => {
    const parent = join(base, 'parent');
    mkdirSync(join(parent, 'run'), { recursive: true, mode: 0o700 });
    chmodSync(parent, 0o777);
    expect(inspectFolder(join(parent, 'run'))?.reason).toContain('Any user may replace');
    chmodSync(parent, 0o1777);
    expect(inspectFolder(join(parent, 'run'))).toBeNull();
  });
});

describe.runIf(isPosix)('a home', () => {
  it('is made for this user alone', () => {
    const home = join(base, 'deep', 'home');
    claimHome(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (home: string) => void, string]>([
    ['is open to others', (home) => mkdirSync(home, { mode: 0o755 }), 'open to other users (mode 755'],
    ['is a link', (home) => symlinkSync(base, home), 'home is a symbolic link'],
    [
      'has a folder that others may read',
      (home) => mkdirSync(join(home, 'ledger'), { recursive: true, mode: 0o750 }),
      'home is open',
    ],
    [
      'has a link in the place of a folder',
      (home) => void (mkdirSync(home, { mode: 0o700 }), symlinkSync(base, join(home, 'ledger'))),
      'ledger is a symbolic link',
    ],
    [
      'has a link further down',
      (home) => {
        mkdirSync(join(home, 'runs'), { recursive: true, mode: 0o700 });
        symlinkSync(base, join(home, 'runs', 'run_ABCDEFGHIJKL'));
      },
      'run_ABCDEFGHIJKL is a symbolic link',
    ],
  ])('is refused where it %s', (_, make, reason) => {
    const home = join(base, 'home');
    make(home);
    expect(() => claimHome(home, 'SPILLWAY_HOME')).toThrow(reason);
    expect(() => claimHome(home, 'SPILLWAY_HOME')).toThrow('SPILLWAY_HOME: ');
  });

  it.runIf(uid === 0)('is refused where it is of another user', () => {
    const home = join(base, 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, 65_534, 65_534);
    expect(() => claimHome(home)).toThrow('belongs to another user (uid 65534)');
  });
});

describe.runIf(isPosix)('the secret', () => {
  it('is made once and kept', () => {
    expect(readSecret(base)).toBeNull();
    const secret = ensureSecret(base);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(ensureSecret(base)).toBe(secret);
    expect(readSecret(base)).toBe(secret);
    expect(statSync(join(base, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(base)).toEqual(['secret']);
  });

  it('is refused when others may read it, when it is a link, or no secret', () => {
    const path = join(base, 'secret');
    ensureSecret(base);
    chmodSync(path, 0o640);
    expect(() => readSecret(base)).toThrow('not a private file');
    rmSync(path);
    writeFileSync(join(base, 'elsewhere'), 'a'.repeat(64), { mode: 0o600 });
    symlinkSync(join(base, 'elsewhere'), path);
    expect(() => readSecret(base)).toThrow('ELOOP');
    rmSync(path);
    for (const content of ['', 'a'.repeat(63), 'A'.repeat(64)]) {
      writeFileSync(path, content, { mode: 0o600 });
      expect(() => readSecret(base)).toThrow('contains no secret');
      expect(ensureSecret(base)).toBe(readSecret(base));
    }
  });
});

describe('the folder of a private browser', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is closed to others, holds all that the launch needs, and goes after its process', async () => {
    const made = createLaunchFolder('/build/host.js', silentLogger);
    expect(dirname(made.folder)).toBe(tmpdir());
    for (const path of [made.folder, made.profile, made.directory]) await expectOwnerOnly(path);
    // As that of a process which has ended.
    writeFileSync(join(made.folder, 'owner.json'), JSON.stringify({ pid: process.pid, start_time: '' }));
    removeOwnedFolder(createOwnedFolder('spillway-browser-', silentLogger));
    expect(existsSync(made.folder)).toBe(false);
  });
});
