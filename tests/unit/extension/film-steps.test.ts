import { expect, it, vi } from 'vitest';
import { serveJobs } from '../../../extension/offscreen/jobs.ts';
import { deferred } from '../../../shared/async.ts';
import { installBrowser } from '../../support/browser-api.ts';

const encoder = vi.hoisted(() => ({ taken: [] as string[], isFree: Promise.resolve() }));
vi.mock('../../../extension/offscreen/film.ts', () => ({
  Film: class {
    async take({ is, data = is }: { is: string; data?: string }): Promise<void> {
      encoder.taken.push(data);
      await encoder.isFree;
    }
  },
}));

it('leaves out pictures that a slow encoder cannot take, but no act, nor the last picture before it', async () => {
  const free = deferred<void>();
  encoder.isFree = free.promise;
  let receive: (message: object) => void = () => undefined;
  const onMessage = { addListener: (listener: typeof receive) => void (receive = listener) };
  installBrowser({
    runtime: { connect: () => ({ onMessage, onDisconnect: { addListener: () => undefined } }) },
  });
  serveJobs();
  const take = (step: object): void => receive({ type: 'film', id: 1, step: { at: 1, ...step } });
  const view = { width: 1, height: 1 };
  const draw = (names: string): void => {
    for (const data of names) take({ is: 'picture', data, view, covers: [] });
  };
  take({ is: 'begin', format: 'webm', width: 320, mostBytes: 1 });
  await expect.poll(() => encoder.taken).toEqual(['begin']);
  draw('abcdef');
  take({ is: 'act', text: 'Grind', box: null, point: null });
  draw('gh');
  free.resolve();
  await expect.poll(() => encoder.taken).toEqual(['begin', 'a', 'b', 'f', 'act', 'h']);
});
