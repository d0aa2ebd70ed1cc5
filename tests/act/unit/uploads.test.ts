import { expect, it, vi } from 'vitest';
import { FileChoosers } from '../../../extension/act/worker/choosers.ts';
import { Uploads } from '../../../extension/act/worker/files.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { codeThrown } from '../../support/code-of.ts';

const never = new AbortController().signal;
const part = (file: string, data: string) => ({ file, offset: 0, data });

it('a file that begins again replaces itself, and leaves nothing without bytes', () => {
  const uploads = new Uploads(never);
  const full = part('f1', 'A'.repeat(Math.floor(LIMITS.uploadBytes / 3) * 4));
  expect(uploads.take(full)).toEqual(uploads.take(full));
  expect(codeThrown(() => uploads.take(part('f2', 'AAAA')))).toBe('upload_refused');
  expect(uploads.take(part('f1', ''))).toEqual({ received: 0 });
  expect(uploads.take(part('f2', 'AAAA'))).toEqual({ received: 3 });
});

it('a file comes in its parts, and only by a path of the call that is not refused', () => {
  const uploads = new Uploads(never);
  uploads.take(part('f1', 'AAAA'));
  uploads.take({ ...part('f1', 'BBBB'), offset: 3 });
  const cv = { path: '/cv', file: 'f1', name: 'cv', mime: 'text/plain', refused: null };
  const parts = [0, 1, 2].map((at) => uploads.partOf([cv], '/cv', at).data);
  expect(parts).toEqual(['AAAA', 'BBBB', null]);
  const refused = { ...cv, path: '/key', refused: 'it is a key' };
  for (const path of ['cv.pdf', '/key'])
    expect(codeThrown(() => uploads.partOf([cv, refused], path, 0))).toBe('upload_refused');
});

it('a file chooser is waited for as long as its page loads something', async () => {
  vi.useFakeTimers();
  const listeners: ((event: object) => void)[] = [];
  const choosers = new FileChoosers({ onEvent: (hear: never) => void listeners.push(hear) } as never);
  const traffic = { pending: ['https://a.test/'] };
  const giving = choosers.fieldOf('button Choose', { traffic, signal: never } as never).catch(String);
  await vi.advanceTimersByTimeAsync(3_000);
  listeners[0]?.({ method: 'Page.fileChooserOpened', sessionId: null, params: { frameId: 'f' } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await giving).toContain('only a person can answer');
});
