import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BRIDGE_DIR_VARIABLE,
  bridgeDirectories,
  ensureSecret,
  inspectDirectory,
  openBridgeDirectory,
  readSecret,
} from '../../../server/bridge/directory.ts';
import { isPosix } from '../../support/posix.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'spillway-dir-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const uid = process.getuid?.() ?? 0;

describe.runIf(isPosix)('the bridge directory', () => {
  it('is the one that the variable names, and no other', () => {
    expect(bridgeDirectories({ [BRIDGE_DIR_VARIABLE]: '/here', XDG_RUNTIME_DIR: '/run/x' })).toEqual([
      '/here',
    ]);
  });

  it('is looked for in every place where a host may have registered', () => {
    expect(bridgeDirectories({ XDG_RUNTIME_DIR: '/run/x' })).toEqual([
      '/run/x/spillway',
      `/run/user/${uid}/spillway`,
      join(homedir(), '.spillway', 'run'),
      `/tmp/spillway-${uid}`,
    ]);
    expect(bridgeDirectories({ XDG_RUNTIME_DIR: `/run/user/${uid}` })).toHaveLength(3);
    expect(bridgeDirectories({ XDG_RUNTIME_DIR: 'relative' })).toHaveLength(3);
  });

  it('is made for this user alone', () => {
    const { directory, refused } = openBridgeDirectory({ [BRIDGE_DIR_VARIABLE]: join(base, 'run') });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(refused).toEqual([]);
  });

  it('leaves room for a socket path', () => {
    const long = join(base, 'x'.repeat(100));
    expect(() => openBridgeDirectory({ [BRIDGE_DIR_VARIABLE]: long })).toThrow('too long for a socket path');
  });

  it('is not a folder that is a link, open to others, missing, or a file', () => {
    const open = join(base, 'open');
    mkdirSync(open, { mode: 0o750 });
    const link = join(base, 'link');
    symlinkSync(base, link);
    const file = join(base, 'file');
    writeFileSync(file, '');
    expect(inspectDirectory(base)).toBeNull();
    expect(inspectDirectory(open)?.reason).toContain('open to other users (mode 750');
    expect(inspectDirectory(link)?.reason).toContain('symbolic link');
    expect(inspectDirectory(file)?.reason).toContain('is not a folder');
    expect(inspectDirectory(join(base, 'absent'))).toMatchObject({ isMissing: true });
  });

  it('is not a folder that others may replace', () => {
    const parent = join(base, 'parent');
    mkdirSync(join(parent, 'run'), { recursive: true, mode: 0o700 });
    chmodSync(parent, 0o777);
    expect(inspectDirectory(join(parent, 'run'))?.reason).toContain('Any user may replace');
    chmodSync(parent, 0o1777);
    expect(inspectDirectory(join(parent, 'run'))).toBeNull();
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
    }
  });
});
