import { itDeep } from '../../support/depth.ts';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPdfThread, type PdfBounds, readPdfText } from '../../../server/core/pdf-output.ts';
import { codeOf } from '../../support/code-of.ts';
import { makeEncryptedPdf, makePdf } from '../../support/pdf.ts';

/** The build's PDF thread, with files that try to keep it busy forever. */
const open = (bytes: Uint8Array, bounds: Partial<PdfBounds> = {}, signal = new AbortController().signal) =>
  openPdfThread(Uint8Array.from(bytes), { signal, bounds });

/** One page whose content is this stream, deflated. */
function pageOf(content: Buffer): Buffer {
  const packed = deflateSync(content, { level: 9 });
  const parts = [
    Buffer.from(
      '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n' +
        '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n' +
        `4 0 obj<</Filter/FlateDecode/Length ${packed.length}>>stream\n`,
    ),
    packed,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n'),
  ];
  return Buffer.concat(parts);
}

test('a thread that answers and ends while the server is busy has answered', async () => {
  const opening = codeOf(open(makeEncryptedPdf('Secret sails', { user: 'miller', owner: 'owner' })));
  // The event loop is held until the thread has ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
  expect(await opening).toBe('pdf_encrypted');
});

test('a page that takes too long is given up, and the thread with it', async () => {
  const endless = pageOf(Buffer.from(`BT /F 9 Tf ${'1 0 0 1 9 9 Tm (x) Tj '.repeat(2_000_000)} ET`));
  const pdf = await open(endless);
  const read = async (): Promise<string> => (await open(endless, { stepMs: 700 })).text(1);
  await expect(read()).rejects.toMatchObject({
    code: 'pdf_too_complex',
    message: expect.stringContaining('longer than 700 ms') as string,
  });
  await pdf.close();
});

async function read(bytes: Buffer, pages?: string) {
  const options = { format: 'text', pages, signal: new AbortController().signal, timeMs: 0 } as const;
  const pdf = await readPdfText(
    (async function* () {
      yield Uint8Array.from(bytes);
    })(),
    options,
  );
  let text = '';
  for await (const chunk of pdf.chunks) text += chunk;
  return { text, coverage: pdf.coverage() };
}

test('glyphs without a character are shown and counted', async () => {
  const page = pageOf(Buffer.from(String.raw`BT /F 9 Tf (o\002ce, a\003) Tj ET`)).toString('latin1');
  // In the type of the others, the library takes such a glyph for a space.
  expect(await read(Buffer.from(page.replace('/Type1', '/TrueType'), 'latin1'))).toEqual({
    text: '[Page 1]\n\no\ufffdce, a\ufffd\n\n',
    coverage: [
      'PDF: text of all pages (1).',
      'Glyphs that the PDF maps to no character, shown as \ufffd: 2, on pages 1.',
    ],
  });
});

itDeep('pages that are not reached in time are named, and the ones before them are the answer', async () => {
  const bytes = await makePdf(['one', 'two', 'three'].map((text) => [{ text, y: 700 }]));
  expect(await read(bytes)).toEqual({
    text: '[Page 1]\n\none\n\n',
    coverage: [
      'PDF: text of pages 1 of 3.',
      'The time limit was reached before page 2: pass pages: "2-" to continue from there.',
    ],
  });
  expect(await read(bytes, '3')).toEqual({
    text: '[Page 3]\n\nthree\n\n',
    coverage: ['PDF: text of pages 3 of 3.'],
  });
});
