import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resolveToken } from '../../../server/cli/http-token.ts';
import { runVerifyBundle } from '../../../server/evidence/command.ts';
import { readSecrets } from '../../../server/core/secrets.ts';
import { inspectQueue } from '../../../server/queue/index.ts';
import { QueueKey } from '../../../server/queue/key.ts';
import { readUpstreams } from '../../../server/upstreams/index.ts';
import { isPosix } from '../../support/posix.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Each file that a flag names is read at the start, when nothing else can be done: a signal, say. */

const io = { write: () => undefined, isTerminal: false };
const queue = 'redis://127.0.0.1:1';
const queueKey = join(testFolder(), 'key');
writeFileSync(queueKey, 'a1'.repeat(32), { mode: 0o600 });

const FLAGS: Record<string, (path: string) => unknown> = {
  '--http-token-file': (file) => resolveToken({ noToken: false, file }, ''),
  '--secrets': (path) => readSecrets(path),
  '--config': (config) => readUpstreams({ home: testFolder(), config }),
  '--queue-key-file': (queueKeyFile) => QueueKey.read({ queueKeyFile }),
  '--queue-password-file': (queuePasswordFile) =>
    inspectQueue({ queue, queueKeyFile: queueKey, queuePasswordFile }),
  '--public-key': (publicKey) => runVerifyBundle({ file: queueKey, publicKey }, io),
  '--timestamp-ca': (timestampCa) => runVerifyBundle({ file: queueKey, timestampCa }, io),
};

const write = (path: string, text: string | Buffer, mode = 0o600): void => {
  writeFileSync(path, text);
  chmodSync(path, mode);
};
const listen = (path: string): Promise<void> => {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve) => void server.listen(path, resolve));
};
const PLANTS: Record<string, (path: string) => unknown> = {
  'a pipe': (path) => execFileSync('mkfifo', ['-m', '600', path]),
  'a folder': (path) => mkdirSync(path, { mode: 0o700 }),
  'a socket': listen,
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to a terminal': (path) => symlinkSync('/dev/ptmx', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a file below a file': (path) => path,
  'a file of 20 MB': (path) => write(path, Buffer.alloc(2e7, 'a')),
  'a file that is not text': (path) => write(path, Buffer.from([0xff, 0xfe, 0xfd])),
  'a file for all': (path) => write(path, 'x'.repeat(64), 0o666),
};
it.runIf(isPosix).each(Object.entries(FLAGS))(
  '%s refuses all but a text file of the user',
  async (flag, read) => {
    for (const [name, plant] of Object.entries(PLANTS)) {
      const path = join(testFolder(), 'given');
      await plant(path);
      const given = name === 'a file below a file' ? join(queueKey, 'given') : path;
      const refused = { code: 'invalid_argument', message: expect.stringContaining(`${flag}: `) };
      await expect((async () => read(given))(), name).rejects.toMatchObject(refused);
    }
  },
);

it.runIf(isPosix)('a link to a file of the user is followed, as people link what they configure', () => {
  const link = join(testFolder(), 'link');
  symlinkSync(queueKey, link);
  expect(QueueKey.read({ queueKeyFile: link }).name).toBe(QueueKey.read({ queueKeyFile: queueKey }).name);
});
