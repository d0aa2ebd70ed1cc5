import { expect, it, vi } from 'vitest';
import { FileChoosers } from '../../../extension/background/act/choosers.ts';
import { giveFiles, Uploads } from '../../../extension/background/act/files.ts';
import type { ActAsk } from '../../../extension/page/act/protocol.ts';
import { StagedFiles } from '../../../extension/page/act/set-files.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { codeOf, codeThrown } from '../../support/code-of.ts';

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

it.each([
  [['cv.pdf'], 'cv.pdf: it is not an absolute path.'],
  [[], 'has no file'],
])('a page that is given %j %s', async (paths, said) => {
  const page = { ask: vi.fn(), change: vi.fn().mockResolvedValue({ names: [] }) };
  const options = { files: [], acting: { gate: { hasBegun: false } as never }, signal: never };
  const giving = new Uploads(never).give({ page, facts: { held: 1 } }, paths, options).catch(String);
  expect(await giving).toContain(said);
});

it('a page keeps no part of a file whose act ended before it was given', async () => {
  const [uploads, staged, cancel] = [new Uploads(never), new StagedFiles(), new AbortController()];
  const ask = (asked: ActAsk, signal: AbortSignal): Promise<never> => {
    if (asked.do === 'stage' && !signal.aborted) staged.add(asked.file, asked.data);
    cancel.abort(new Error('cancelled'));
    return Promise.reject(cancel.signal.reason);
  };
  uploads.take(part('f1', 'AAAA'));
  const cv = { path: '/cv', file: 'f1', name: 'cv', mime: '', refused: null };
  const options = { files: [cv], acting: { gate: { hasBegun: false } as never }, signal: cancel.signal };
  const giving = uploads.give({ page: { ask, change: ask }, facts: { held: 1 } }, ['/cv'], options);
  expect(await codeOf(giving)).toContain('cancelled');
  expect(staged.take(cv).size).toBe(0);
});

it('a file chooser is waited for as long as its page loads something', async () => {
  vi.useFakeTimers();
  const listeners: ((event: object) => void)[] = [];
  const choosers = new FileChoosers({ onEvent: (hear: never) => void listeners.push(hear) } as never);
  const held = {
    page: { ask: async () => ({ way: 'press' }), step: async () => ({ notes: [] }) },
    facts: { kind: 'button', line: 'Choose' },
  };
  const traffic = { pending: ['https://a.test/'] };
  const acting = { attached: null, choosers, traffic, use: {}, shower: {}, signal: never };
  const giving = giveFiles(acting as never, held as never, ['/cv']).catch(String);
  await vi.advanceTimersByTimeAsync(3_000);
  listeners[0]?.({ method: 'Page.fileChooserOpened', sessionId: null, params: { frameId: 'f' } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await giving).toContain('only a person can answer');
});
