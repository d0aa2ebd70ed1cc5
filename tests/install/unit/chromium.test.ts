import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { searchChromium } from '../../../server/core/bridge/chromium.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

let base: string;
beforeEach(() => void (base = testFolder()));

function executable(path: string, content = '#!/bin/sh\n'): string {
  const whole = join(base, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  chmodSync(whole, 0o755);
  return whole;
}

const sayVersion = (text: string): string => `#!/bin/sh\necho "${text}"\n`;

describe.runIf(isPosix)('the search for a Chromium', () => {
  it('passes over Chrome that ignores --load-extension, and says so', async () => {
    const newer = executable('google-chrome', sayVersion('Google Chrome 137.0.1'));
    const search = await searchChromium({ browserPath: newer });
    expect(search.found).toBeNull();
    expect(search.passedOver[0]?.reason).toContain('ignores --load-extension');
    const older = executable('old/google-chrome', sayVersion('Google Chrome 136.0.1'));
    expect((await searchChromium({ browserPath: older })).found?.path).toBe(older);
  });

  it('passes over snap and flatpak, also behind a wrapper or a link', async () => {
    const snap = executable('usr/bin/snap');
    const link = join(base, 'usr/bin/chromium');
    symlinkSync(snap, link);
    const places = [
      [link, 'snap'],
      [executable('chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n'), 'snap'],
      [executable('flatpak/exports/bin/org.chromium.Chromium'), 'flatpak'],
      [executable('wrapper/chromium', '#!/bin/sh\nexec flatpak run org.chromium.Chromium\n'), 'flatpak'],
    ] as const;
    for (const [path, sandbox] of places) {
      const search = await searchChromium({ browserPath: path });
      expect(search.found, path).toBeNull();
      expect(search.passedOver[0]?.reason, path).toContain(`a ${sandbox} package`);
    }
  });
});
