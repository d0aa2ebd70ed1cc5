import { expect, it } from 'vitest';
import type { Answer } from '../../../extension/ports/feed.ts';
import { readAll } from '../../../extension/panel/view/export.ts';

const PLACE = { home: 'home', handle: 'oh_ABCDEFGH2345' };
const TEXT = 'Tea, 茶 and coffee.';

/** Returns `TEXT` in pages of four bytes. */
class FakeStore {
  readonly page = ({
    offset = 0,
  }: {
    readonly offset?: number | undefined;
  }): Promise<Answer<'outputs.page'>> => {
    const bytes = Buffer.from(TEXT);
    const end = Math.min(offset + 4, bytes.length);
    return Promise.resolve({
      unit: 'bytes',
      base64: bytes.subarray(offset, end).toString('base64'),
      offset,
      next_offset: end < bytes.length ? end : null,
      total: bytes.length,
      mime_type: 'text/plain',
    });
  };
}

const reading = (more: { readonly signal?: AbortSignal } = {}) => {
  const progress: string[] = [];
  const onProgress = (done: number, total: number): void => void progress.push(`${done}/${total}`);
  return { progress, options: { signal: new AbortController().signal, onProgress, ...more } };
};

it('gives every byte, and says how far it is', async () => {
  const { progress, options } = reading();
  const blob = await readAll(new FakeStore(), PLACE, options);
  expect(await blob.text()).toBe(TEXT);
  expect(blob.type).toBe('text/plain');
  expect(progress).toEqual(['4/20', '8/20', '12/20', '16/20', '20/20']);
});

it('ends when it is cancelled, also while a page is on its way', async () => {
  const held = new AbortController();
  const page = (): Promise<Answer<'outputs.page'>> => {
    held.abort();
    return new Promise(() => undefined);
  };
  await expect(readAll({ page }, PLACE, reading({ signal: held.signal }).options)).rejects.toMatchObject({
    name: 'AbortError',
  });
});
