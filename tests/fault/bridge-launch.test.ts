import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from '../../server/bridge/launch.ts';
import { BridgeRig, coded, silentLogger } from '../support/bridge-rig.ts';
import { waitForNoProcess } from '../support/processes.ts';

/** A browser starts as fast as the machine is. */
vi.mock(import('../../shared/limits.ts'), async (original) => {
  const { LIMITS } = await original();
  return { LIMITS: { ...LIMITS, launchTimeoutMs: 300_000 as typeof LIMITS.launchTimeoutMs } };
});

/** A temporary folder of this test alone: whatever is started in it can be found by its name. */
let temporary: string;
let rig: BridgeRig;
const before = process.env['TMPDIR'];
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'spl-'));
  process.env['TMPDIR'] = temporary;
  rig = new BridgeRig();
});
afterEach(async () => {
  await rig.close();
  process.env['TMPDIR'] = before ?? '/tmp';
  await waitForNoProcess(temporary);
  rmSync(temporary, { recursive: true, force: true });
});

const launchFolders = (): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('spillway-browser-'));

describe('a private browser', () => {
  it('is started once for calls that come together, answers, and exits with the bridge', async () => {
    const bridge = rig.bridge({ launch: { headless: true } });
    expect(launchFolders()).toEqual([]);
    await Promise.all([bridge.ready(), bridge.ready(), bridge.ready()]);
    expect(launchFolders()).toHaveLength(1);
    expect(await bridge.request('b1', 'bridge.echo', { value: 'hé😀' })).toEqual({ value: 'hé😀' });
    const { tabs } = await bridge.request('b1', 'tabs.list', {});
    expect(tabs.map((tab) => tab.url)).toEqual(['about:blank']);
    const [folder = ''] = launchFolders();
    expect(statSync(join(temporary, folder)).mode & 0o777).toBe(0o700);
    await bridge.close();
    // The browser's crash handlers end on their own, once the browser is gone.
    await waitForNoProcess(temporary);
    expect(launchFolders()).toEqual([]);
  });

  it('that is no longer needed is not left half started', async () => {
    const controller = new AbortController();
    const launching = launchBrowser({ headless: true, logger: silentLogger, signal: controller.signal });
    const failure = coded(launching.then((launched) => launched.close()));
    controller.abort(new (await import('../../shared/errors.ts')).SpillwayError('cancelled', 'No more.'));
    expect((await failure).code).toBe('cancelled');
    expect(launchFolders()).toEqual([]);
  });
});

describe('a launch that cannot work says why', () => {
  const failure = (settings: object): ReturnType<typeof coded> =>
    coded(rig.bridge({ launch: { headless: true, ...settings } }).ready());

  it('without a build', async () => {
    const error = await failure({ extensionDir: join(temporary, 'absent') });
    expect(error.code).toBe('browser_launch_failed');
    expect(error.message).toContain('absent/manifest.json is missing');
  });

  it('with a browser that lives but makes no progress any more', async () => {
    const browserPath = join(temporary, 'chromium');
    const log = join(temporary, 'log');
    const lines = [
      'for word in "$@"; do case $word in --user-data-dir=*) profile=${word#*=};; esac; done',
      `for n in 1 2 3; do sleep 1; mkdir -p "$profile"; touch "$profile/$n"; echo $n >>'${log}'; done`,
      'exec sleep 60',
    ];
    writeFileSync(browserPath, `#!/bin/sh\n${lines.join('\n')}\n`);
    chmodSync(browserPath, 0o755);
    const bridge = rig.bridge({ launch: { headless: true, browserPath }, connectTimeoutMs: 2_000 });
    const error = await coded(bridge.ready());
    expect(error.message).toMatch(/runs \(pid \d+\).*no file for 2000 ms/);
    expect(error.hint).toContain('--connect-timeout-ms');
    expect(readFileSync(log, 'utf8')).toBe('1\n2\n3\n');
  });

  it('with a browser that ends at once', async () => {
    const browserPath = join(temporary, 'chromium');
    writeFileSync(browserPath, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n');
    chmodSync(browserPath, 0o755);
    const error = await failure({ browserPath });
    expect(error.code).toBe('browser_launch_failed');
    expect(error.message).toContain('cannot open display');
    expect(existsSync(join(temporary, 'run'))).toBe(false);
    expect(launchFolders()).toEqual([]);
  });
});
