import { PDFDocument, StandardFonts, type PDFFont } from 'pdf-lib';

/** A line of a page: its text, place and size, in points from the lower left corner. */
export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

/** A PDF of the given pages, each a list of lines in the order in which they are written. */
export async function makePdf(pages: readonly (readonly PdfLine[])[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font: PDFFont = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const { text, x = 72, y, size = 12 } of lines) page.drawText(text, { x, y, size, font });
  }
  return Buffer.from(await document.save());
}
