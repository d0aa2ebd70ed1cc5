import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { packFolder, unpackFolder } from '../../../../server/core/bundled.ts';
import { openPdf } from '../../../../server/libraries/pdf-text/document.ts';
import { selectPages } from '../../../../server/core/pdf-output.ts';
import { codeOf } from '../../../support/code-of.ts';
import { makeEncryptedPdf, makePdf } from '../../../support/pdf.ts';

const CMAPS = resolve(import.meta.dirname, '../../../../node_modules/pdfjs-dist/cmaps');
/** All of them take seconds to pack. */
const TABLES = ['90ms-RKSJ-H.bcmap', 'Adobe-Japan1-UCS2.bcmap'];
const packed = await Promise.all(TABLES.map((ending) => packFolder(CMAPS, ending)));
const tables = new Map(packed.flatMap((folder) => [...unpackFolder(folder)]));
const open = (bytes: Uint8Array) => openPdf(Uint8Array.from(bytes), (name) => tables.get(name));

/** A page that shows characters by their codes in a font, whose objects begin with number 5. */
const pageIn = (codes: string, font: string, info = ''): Buffer => {
  const content = `BT /F 24 Tf 20 200 Td <${codes}> Tj ET`;
  return Buffer.from(
    `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
${font}trailer<</Root 1 0 R${info}>>
`,
    'latin1',
  );
};

/** A page in a Japanese font that is not embedded and names a table of character codes. */
const SHIFT_JIS = pageIn(
  '95978ED4',
  `5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/90ms-RKSJ-H/DescendantFonts[6 0 R]>>endobj
6 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 7 0 R>>endobj
7 0 obj<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>endobj
`,
);

it('a document has the text of its pages, and none on a page without', async () => {
  const pdf = await open(await makePdf([[{ text: 'Sails of canvas', y: 700 }], []]));
  expect(pdf.pages).toBe(2);
  expect(await pdf.text(1)).toBe('Sails of canvas');
  expect(await pdf.text(2)).toBe('');
  await pdf.close();
});

it('a document has text in fonts whose codes are in a table of Adobe', async () => {
  const pdf = await open(SHIFT_JIS);
  expect(await pdf.text(1)).toBe('風車');
  await pdf.close();
});

/** A page of Chromium's whose font maps all glyphs but two to characters. */
const LIGATURE = pageIn(
  '000100E600020003000400050000',
  `5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 8 0 R>>endobj
6 0 obj<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 7 0 R>>endobj
7 0 obj<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>endobj
8 0 obj<</Length 120>>stream
begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0001> <0005> <006F> endbfrange endcmap  
endstream endobj
9 0 obj<</Producer(Skia/PDF m156)>>endobj
`,
  '/Info 9 0 R',
);

it('a glyph that a printed page maps to no character is not taken for a letter', async () => {
  const pdf = await open(LIGATURE);
  expect(await pdf.text(1)).toBe('o\ufffdpqrs\ufffd');
  await pdf.close();
});

it.each(['%PDF-1.7', 'no PDF at all', ''])('a document that is %j is damaged', async (text) => {
  expect(await codeOf(open(Buffer.from(text)))).toBe('pdf_damaged');
});

it('an encrypted document with a password for users is refused', async () => {
  const pdf = makeEncryptedPdf('Secret sails', { user: 'miller', owner: 'owner' });
  expect(await codeOf(open(pdf))).toBe('pdf_encrypted');
});

it('an encrypted document with a password for its owner only can be read', async () => {
  const pdf = await open(makeEncryptedPdf('Sails of canvas', { user: '', owner: 'owner' }));
  expect(await pdf.text(1)).toBe('Sails of canvas');
  await pdf.close();
});

it.each([
  [undefined, [1, 2, 3, 4, 5]],
  ['5, 1', [5, 1]],
  ['4-', [4, 5]],
  ['1-2,2-3', [1, 2, 3]],
])('a selection of pages %s', (selection, pages) => expect(selectPages(selection, 5)).toEqual(pages));

it.each(['6', '0', 'a', '3-2', '-2', '1,,2'])('a selection of pages %s is refused', (selection) => {
  expect(() => selectPages(selection, 5)).toThrow(/pages/);
});
