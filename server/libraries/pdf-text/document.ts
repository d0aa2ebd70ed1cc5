import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { z } from 'zod';
import { isErrorCode, SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { isObject } from '../../../shared/base/json.ts';
import { layOut, type TextPiece } from './layout.ts';

/** The text of a page, counted from 1. */
export const Order = z.strictObject({ page: z.int().min(1) });
export type Order = z.infer<typeof Order>;

/** The file is open, or one answer per order. */
export const Answer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), pages: z.int(), text: z.string() }),
  z.object({ type: z.literal('failed'), code: z.string().refine(isErrorCode), message: z.string() }),
]);
export type Answer = z.infer<typeof Answer>;

/** Stands for a glyph without a character. */
export const UNMAPPED = '\ufffd';
/** The library gives such a glyph its code, which is often that of a control character. */
const NO_CHARACTER = /(?!\s)[\p{Cc}\p{Cn}]/gu;

/** The library draws with it, which reading never does, but it has to exist when the library loads. */
class NoMatrix {}

async function loadLibrary() {
  Object.assign(globalThis, { DOMMatrix: NoMatrix, ImageData: NoMatrix, Path2D: NoMatrix });
  // The library finds its other half here, and starts no worker.
  const worker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  Object.assign(globalThis, { pdfjsWorker: worker });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

let library: ReturnType<typeof loadLibrary> | undefined;

/** An open PDF. */
export interface PdfDocument {
  readonly pages: number;
  /** The text of a page, from 1; empty for a page of pictures. A glyph that the file maps to no character is {@link UNMAPPED}. */
  text(page: number): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens a PDF. The file determines the time and memory it takes: bound it from outside.
 * @param readCMap a character code table by its file name, such as `90ms-RKSJ-H.bcmap`
 * @throws SpillwayError `pdf_encrypted`, `pdf_damaged`
 */
export async function openPdf(
  data: Uint8Array,
  readCMap: (name: string) => Uint8Array | undefined,
): Promise<PdfDocument> {
  const { getDocument, OPS, VerbosityLevel } = await (library ??= loadLibrary());
  const task = getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    // Pictures are never decoded.
    maxImageSize: 0,
    cMapUrl: 'cmaps/',
    BinaryDataFactory: dataFactory(readCMap),
  });
  try {
    const document = await task.promise;
    const { info } = await document.getMetadata();
    const isPrinted = 'Producer' in info && String(info.Producer).startsWith('Skia/PDF');
    const unmapped = (page: PDFPageProxy) => (isPrinted ? findUnmapped(page, OPS) : NONE);
    return {
      pages: document.numPages,
      text: (page) => readPdfPage(document, page, unmapped),
      close: () => task.destroy(),
    };
  } catch (thrown) {
    await task.destroy();
    if (thrown instanceof Error && thrown.name === 'PasswordException')
      throw new SpillwayError('pdf_encrypted', 'The PDF is encrypted with a password.', { cause: thrown });
    throw new SpillwayError('pdf_damaged', `The PDF cannot be read: ${messageOf(thrown)}.`, {
      cause: thrown,
    });
  }
}

/** The library's source of character code tables; it draws nothing, so it needs no fonts. */
function dataFactory(readCMap: (name: string) => Uint8Array | undefined) {
  return class {
    fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const data = kind === 'cMapUrl' ? readCMap(filename) : undefined;
      // A copy: the library may transfer data across its own boundary.
      return data === undefined
        ? Promise.reject(new Error(`There is no ${filename}.`))
        : Promise.resolve(Uint8Array.from(data));
    }
  };
}

/** Characters by font. */
type Unmapped = ReadonlyMap<string, ReadonlySet<unknown>>;
const NONE: Unmapped = new Map();

/**
 * In PDFs that Chromium prints, some ligatures have no character. The library then takes the glyph's number for one, which
 * can be any letter. Few other glyphs of such a font have the same number as their character.
 */
async function findUnmapped(page: PDFPageProxy, ops: Readonly<Record<'setFont' | 'showText', number>>) {
  const { fnArray, argsArray }: { fnArray: number[]; argsArray: (readonly unknown[] | null)[] } =
    await page.getOperatorList();
  /** By font: each glyph's character, and whether that is its number. */
  const fonts = new Map<string, Map<unknown, boolean>>();
  let glyphs = new Map<unknown, boolean>();
  fnArray.forEach((operator, index) => {
    const operand = argsArray[index]?.[0];
    if (operator === ops.setFont)
      fonts.set(String(operand), (glyphs = fonts.get(String(operand)) ?? new Map<unknown, boolean>()));
    if (operator !== ops.showText || !Array.isArray(operand)) return;
    for (const { unicode, originalCharCode: code } of operand.filter(isObject))
      glyphs.set(unicode, unicode === String.fromCharCode(Number(code)));
  });
  return new Map([...fonts].map(([font, found]) => [font, numbersIn(found)]));
}

function numbersIn(glyphs: ReadonlyMap<unknown, boolean>): ReadonlySet<unknown> {
  const numbers = [...glyphs].filter(([, isNumber]) => isNumber).map(([character]) => character);
  return new Set(numbers.length * 2 < glyphs.size ? numbers : []);
}

async function readPdfPage(
  document: PDFDocumentProxy,
  number: number,
  findUnmapped: (page: PDFPageProxy) => Unmapped | Promise<Unmapped>,
): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const unmapped = await findUnmapped(page);
    const text = layOut(
      items.flatMap((item) => ('str' in item ? pieceOf(item, unmapped.get(item.fontName)) : [])),
    );
    const fields = (await page.getAnnotations()).flatMap(fieldLine);
    page.cleanup();
    return [text, ...fields]
      .filter((part) => part !== '')
      .join('\n')
      .toWellFormed();
  } catch (thrown) {
    throw new SpillwayError(
      'pdf_damaged',
      `Page ${number} of the PDF cannot be read: ${messageOf(thrown)}.`,
      { cause: thrown },
    );
  }
}

/** An item of the library. The matrix places its baseline, and its first row is the direction of the text. */
function pieceOf(
  item: { readonly str: string; readonly transform: readonly unknown[]; readonly width: number },
  unmapped: ReadonlySet<unknown> = new Set(),
) {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform.map(Number);
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  const angle = Math.atan2(b, a);
  // Rotated text is laid out as if the page were rotated.
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const mapped = [...item.str].map((each) => (unmapped.has(each) ? UNMAPPED : each)).join('');
  const piece: TextPiece = {
    text: mapped.replaceAll(NO_CHARACTER, UNMAPPED),
    x: x * cos + y * sin,
    y: y * cos - x * sin,
    width: item.width,
    size,
  };
  return [piece];
}

function fieldLine(annotation: unknown): string[] {
  if (!isObject(annotation)) return [];
  const { subtype, fieldName, fieldValue } = annotation;
  if (subtype !== 'Widget' || typeof fieldName !== 'string') return [];
  const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue;
  return typeof value === 'string' && value !== '' && value !== 'Off' ? [`${fieldName}: ${value}`] : [];
}
