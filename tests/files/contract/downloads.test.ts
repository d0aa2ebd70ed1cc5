import { expect, it } from 'vitest';
import { createRuntimes } from '../../../server/files/downloads.runtime.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { each } from '../../../shared/base/queue.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { callContext } from '../../support/session.ts';

it.each([
  ['other.txt', { code: 'download_refused', quotes: 'https://example.com/report' }, []],
  ['other.csv', { code: 'save_refused', quotes: undefined }, ['opened', 'closed']],
])('leaves no file open after a refusal, which names its source: %s', async (name, refusal, wanted) => {
  const file = { id: 1, name: 'report.csv', url: 'https://example.com/report', mime_type: 'text/csv' };
  const sizes = { state: 'completed', received_bytes: 6, total_bytes: 6 } as const;
  const bridge = new FakeBridge({
    'downloads.take': async () => ({ file: { ...file, ...sizes }, path: '/a', danger: 'safe', exists: true }),
  });
  bridge.addBrowser();
  const done: string[] = [];
  const close = () => void done.push('closed');
  const saves = {
    openSaved: async () => {
      done.push('opened');
      return { start: new Uint8Array(), bytes: each([]), close };
    },
    write: () => Promise.reject(new SpillwayError('save_refused', 'No folder.')),
  };
  const after: (() => unknown)[] = [];
  const context = callContext({
    aside: (waiting) => waiting(),
    registerAfterCompletion: (task) => void after.push(() => task({ isSuccess: false })),
  });
  const args = { tab: 'b1:42', action: 'take', id: 1, save_as: name, overwrite: false, timeout_ms: 1_000 };
  const runtimes: object = createRuntimes({ bridge, saves } as never);
  await expect(Reflect.get(runtimes, 'downloads')(args, context)).rejects.toMatchObject(refusal);
  for (const task of after) await task();
  expect(done).toEqual(wanted);
});
