import { delimiter, isAbsolute, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { withOwnCommands } from '../../../server/core/machine/command-line.ts';
import { testFolder } from '../../support/test-folder.ts';

const { argv } = process;
afterEach(() => {
  process.argv = argv;
  vi.unstubAllEnvs();
});

const node = isAbsolute(process.argv0) ? process.argv0 : process.execPath;

test.each([
  ['a terminal finds it', '/usr/local/bin/spillway', () => 'spillway'],
  ['npx started it', '/home/me/.npm/_npx/1f/node_modules/.bin/spillway', () => 'npx spillway'],
  ['a client started its file', '/opt/dist/index.js', (script: string) => `${node} '${script}'`],
])('commands are those of this installation: %s', (_, started, programOf) => {
  const script = join(testFolder(), 'my index.js');
  writeFileSync(script, '');
  vi.stubEnv('PATH', ['/usr/bin', '/usr/local/bin'].join(delimiter));
  vi.stubEnv('SPILLWAY_SERVER_SCRIPT', script);
  process.argv = ['node', started];
  expect(withOwnCommands('Run `spillway doctor`, a command of spillway.')).toBe(
    `Run \`${programOf(script)} doctor\`, a command of spillway.`,
  );
});
