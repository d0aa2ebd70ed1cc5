import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLaunchFolder, removeLaunchFolder } from '../../../server/bridge/launch-folder.ts';
import { silentLogger } from '../../support/bridge-rig.ts';
import { expectOwnerOnly } from '../../support/posix.ts';

describe('the folder of a private browser', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is closed to others and holds all that the launch needs', async () => {
    const made = createLaunchFolder('/build/host.js', silentLogger);
    expect(dirname(made.folder)).toBe(tmpdir());
    for (const path of [made.folder, made.profile, made.directory]) await expectOwnerOnly(path);
    removeLaunchFolder(made.folder);
    expect(existsSync(made.folder)).toBe(false);
  });

  it('that cannot be made is a failed launch that names the place', () => {
    const missing = join(tmpdir(), 'spillway-no-such-folder');
    vi.stubEnv('TMPDIR', missing);
    expect(() => createLaunchFolder('/build/host.js', silentLogger)).toThrow(
      expect.objectContaining({ code: 'browser_launch_failed', message: expect.stringContaining(missing) }),
    );
  });
});
