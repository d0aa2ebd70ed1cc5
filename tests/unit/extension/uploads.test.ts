import { expect, it } from 'vitest';
import { Uploads } from '../../../extension/background/act/files.ts';
import type { ActAsk } from '../../../extension/page/act/protocol.ts';
import { StagedFiles } from '../../../extension/page/act/set-files.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { codeOf, codeThrown } from '../../support/code-of.ts';

const never = new AbortController().signal;
const file = 'f1';

it('a file that begins again replaces itself, and leaves nothing without bytes', () => {
  const uploads = new Uploads(never);
  const [full, other] = [
    { file, offset: 0, data: 'A'.repeat(Math.floor(LIMITS.uploadBytes / 3) * 4) },
    { file: 'f2', offset: 0, data: 'AAAA' },
  ];
  expect(uploads.take(full)).toEqual(uploads.take(full));
  expect(codeThrown(() => uploads.take(other))).toBe('upload_refused');
  expect(uploads.take({ file, offset: 0, data: '' })).toEqual({ received: 0 });
  expect(uploads.take(other)).toEqual({ received: 3 });
});

it('a page keeps no part of a file whose act ended before it was given', async () => {
  const [uploads, staged, cancel] = [new Uploads(never), new StagedFiles(), new AbortController()];
  uploads.take({ file, offset: 0, data: 'AAAA' });
  const ask = (asked: ActAsk, signal: AbortSignal): Promise<never> => {
    if (asked.do === 'stage' && !signal.aborted) staged.add(asked.file, asked.data);
    cancel.abort(new Error('cancelled'));
    return Promise.reject(cancel.signal.reason);
  };
  const known = { file, name: 'cv', mime: '' };
  const giving = uploads.give({ page: { ask }, facts: { held: 1 } }, ['/cv'], {
    files: [{ ...known, path: '/cv', refused: null }],
    signal: cancel.signal,
  });
  expect(await codeOf(giving)).toContain('cancelled');
  expect(staged.take(known).size).toBe(0);
});
