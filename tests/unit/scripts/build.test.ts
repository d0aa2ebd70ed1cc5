import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { SOURCES } from '../../../scripts/lib/build.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
/** These run programs and compare files; what is built does not depend on them. */
const WITHOUT_EFFECT = ['fingerprint', 'run', 'steps'].map((name) => `scripts/lib/${name}.mjs`);

it.each(['vite.config.ts', 'scripts/lib/build.mjs'])(
  'a change of any import of %s makes a build stale',
  (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export)\b[^'\n]*'(\.[^']+)'/gm)].map(([, from = '']) =>
      posix.join(posix.dirname(path), from),
    );
    expect(imports.length).toBeGreaterThan(0);
    const missing = imports.filter(
      (file) =>
        !WITHOUT_EFFECT.includes(file) &&
        !SOURCES.some((source: string) => file === source || file.startsWith(`${source}/`)),
    );
    expect(missing).toEqual([]);
  },
);
