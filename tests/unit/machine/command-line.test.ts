import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { delimiter, isAbsolute } from 'node:path';

const { argv } = process;
const node = isAbsolute(process.argv0) ? process.argv0 : process.execPath;

beforeEach(() => void vi.resetModules());
afterEach(() => {
  process.argv = argv;
  vi.unstubAllEnvs();
  vi.doUnmock('node:fs');
});

test.each([
  ['a terminal finds it', '/usr/local/bin/spillway', 'spillway'],
  ['npx started it', '/home/me/.npm/_npx/1f/node_modules/.bin/spillway', 'npx spillway'],
  ['a client started its file', '/opt/spillway/dist/index.js', `${node} '/opt/my spillway/index.js'`],
])('commands are those of this installation: %s', async (_, started, program) => {
  vi.stubEnv('PATH', ['/usr/bin', '/usr/local/bin'].join(delimiter));
  process.argv = ['node', started];
  vi.stubEnv('SPILLWAY_SERVER_SCRIPT', '/opt/my spillway/index.js');
  vi.doMock('node:fs', () => ({ existsSync: () => true }));
  const { withOwnCommands } = await import('../../../server/machine/command-line.ts');
  expect(withOwnCommands('Run `spillway doctor`, a command of spillway.')).toBe(
    `Run \`${program} doctor\`, a command of spillway.`,
  );
});
