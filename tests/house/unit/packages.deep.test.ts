import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../support/test-folder.ts';

test('set-up installs what builds where NODE_ENV is production', () => {
  const cwd = testFolder();
  const write = (name: string, value: object): void => writeFileSync(join(cwd, name), JSON.stringify(value));
  cpSync(join(import.meta.dirname, '../../../scripts/lib'), join(cwd, 'scripts/lib'), { recursive: true });
  mkdirSync(join(cwd, 'builder'));
  const root = { devDependencies: { builder: 'file:builder' } };
  const linked = { 'node_modules/builder': { resolved: 'builder', link: true } };
  write('package.json', root);
  write('builder/package.json', { name: 'builder', version: '1.0.0' });
  write('package-lock.json', { lockfileVersion: 3, packages: { '': root, builder: {}, ...linked } });
  const program = "import('./scripts/lib/packages.mjs').then((lib) => lib.ensureDependencies(() => {}))";
  execFileSync(process.execPath, ['-e', program], { cwd, env: { ...process.env, NODE_ENV: 'production' } });
  expect(existsSync(join(cwd, 'node_modules/builder'))).toBe(true);
});
