import { expect, it } from 'vitest';
import { fileName, readAll } from '../../../extension/outputs/panel/export.ts';
import { MIME } from '../../../shared/base/mime.ts';

const PLACE = { home: 'home', handle: 'oh_ABCDEFGH2345' };
const TEXT = 'Tea, 茶 and coffee.';

/** Returns `TEXT` in pages of four bytes. */
const read: Parameters<typeof readAll>[0] = async ({ offset = 0 }) => {
  const bytes = Buffer.from(TEXT);
  const end = Math.min(offset + 4, bytes.length);
  return {
    unit: 'bytes',
    base64: bytes.subarray(offset, end).toString('base64'),
    next_offset: end < bytes.length ? end : null,
    ...{ offset, total: bytes.length, mime_type: 'text/plain' },
  };
};

it('gives every byte, and says how far it is', async () => {
  const progress: string[] = [];
  const onProgress = (done: number, total: number): void => void progress.push(`${done}/${total}`);
  const blob = await readAll(read, PLACE, { signal: new AbortController().signal, onProgress });
  expect(await blob.text()).toBe(TEXT);
  expect(blob.type).toBe('text/plain');
  expect(progress).toEqual(['4/20', '8/20', '12/20', '16/20', '20/20']);
});

it('ends when it is cancelled, also while a page is on its way', async () => {
  const held = new AbortController();
  const page = () => {
    held.abort();
    return new Promise<never>(() => undefined);
  };
  const reading = readAll(page, PLACE, { signal: held.signal, onProgress: () => undefined });
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

it('names a file of each stored type by its usual ending', () => {
  const endings = Object.values(MIME).map((type) => fileName('fetch', 'oh_1', type).split('.').at(-1));
  expect(endings.join(' ')).toBe(
    'json gz wacz md txt html txt bin sh ts png jpg webp pdf zip tar 7z epub docx xlsx pptx doc xls ppt odt ods odp ' +
      'rtf parquet sqlite wasm gif svg avif bmp tiff ico mp3 wav ogg m4a mp4 webm woff2 xml rss atom csv tsv ics vcf ' +
      'css js yaml ndjson',
  );
  expect(fileName('my tool', 'oh_1', 'application/ld+json; charset=utf-8')).toBe('my-tool-oh_1.json');
});
