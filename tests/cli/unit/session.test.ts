import { existsSync, symlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isForSession, ownBuild, parseSessionPlace, readNote } from '../../../server/cli/session/note.ts';
import { serveSession } from '../../../server/cli/session/server.ts';
import { appOptions } from '../../support/app-options.ts';
import { testFolder } from '../../support/test-folder.ts';

it('a session of commands ends when nobody has used it for a while, and leaves nothing', async () => {
  const home = testFolder();
  const place = parseSessionPlace(['--home', home, '--session', 'mine'], '/');
  let wasThere = false;
  await serveSession(
    { place, build: 'b', settings: { ...appOptions(home), logLevel: 'error' } },
    () => void (wasThere = existsSync(place.notePath)),
    1,
  );
  expect([place.name, wasThere, existsSync(place.notePath)]).toEqual(['mine', true, false]);
});

it('a session of commands takes a signal that comes together with its command', async () => {
  const [home, folder] = [testFolder(), process.cwd()];
  vi.stubEnv('SPILLWAY_BRIDGE_DIR', join(home, 'none'));
  const place = parseSessionPlace(['--home', home], '/');
  const ask = (...orders: readonly object[]): Socket => {
    const { socket: path = '', token } = readNote(place.notePath) ?? {};
    const socket = connect(path);
    socket.write(orders.map((order) => `${JSON.stringify({ token, ...order })}\n`).join(''));
    return socket;
  };
  const shown = { isTTY: false, columns: null };
  const read = { words: ['read'], folder, input: null, stdout: shown, stderr: shown };
  const answer = new Promise<string>((resolve) => {
    const settings = { ...appOptions(home), logLevel: 'error' } as const;
    const served = serveSession({ place, build: 'b', settings }, () =>
      resolve(text(ask(read, { signal: 2 }))),
    );
    onTestFinished(async () => {
      const stopping = ask({ stop: true });
      await served;
      stopping.destroy();
      process.chdir(folder);
      vi.unstubAllEnvs();
    });
  });
  expect(await answer).toContain('{"exit":130}');
});

it('a session is that of its name, else of the working folder', () => {
  const pathOf = (words: readonly string[], folder: string): string =>
    parseSessionPlace(['--home', '/h', ...words], folder).notePath;
  expect(pathOf(['read', '--session', 'a'], '/x')).toBe(pathOf(['--session=a'], '/y'));
  expect(pathOf(['read'], '/x')).not.toBe(pathOf(['read'], '/y'));
  expect(pathOf(['read', '--session', '/x'], '/y')).not.toBe(pathOf(['read'], '/x'));
});

it('a program started by a link is the same build', () => {
  const link = join(testFolder(), 'link');
  symlinkSync(import.meta.dirname, link, 'junction');
  expect(ownBuild(join(link, basename(import.meta.filename)))).toBe(ownBuild(import.meta.filename));
});

it.each([
  [['read'], true],
  [['--home', '/h', '--launch', 'output-query', 'oh_1'], true],
  [['interact', 'click e3'], true],
  [[], false],
  [['--mode', 'apps'], false],
  [['--tools', 'read'], false],
  [['--tools', 'read', 'read'], true],
  [['--http', '8080'], false],
  [['__session'], false],
  [['doctor', '--json'], false],
  [['run', 'answer', 'run_1', 'read'], false],
  [['navigate', '--help'], false],
])('%j is for a session: %s', (words, expected) => expect(isForSession(words)).toBe(expected));
