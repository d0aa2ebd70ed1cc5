import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { PDFDocument, StandardFonts, type PDFFont } from 'pdf-lib';

/** A line of a page: its text, place and size, in points from the lower left corner. */
export interface PdfLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

export async function makePdf(pages: readonly (readonly PdfLine[])[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font: PDFFont = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const { text, x = 72, y, size = 12 } of lines) page.drawText(text, { x, y, size, font });
  }
  return Buffer.from(await document.save());
}

/** Passwords of an encrypted PDF. With an empty user password anybody can open it. */
export type PdfPasswords = { readonly user: string; readonly owner: string };

/** A PDF of one line of text, encrypted with AES-256 (version 5, revision 5): pdf-lib writes none. */
export function makeEncryptedPdf(text: string, passwords: PdfPasswords): Buffer {
  const key = randomBytes(32);
  const content = encryptAes(key, randomBytes(16), Buffer.from(`BT /F 12 Tf 72 720 Td (${text}) Tj ET`));
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    Buffer.concat([
      Buffer.from(`<</Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    encryptionDictionary(key, passwords),
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets = objects.map((object, at) => {
    const offset = parts.reduce((sum, { length }) => sum + length, 0);
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const id = hex(randomBytes(16));
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n` +
        `<</Size ${objects.length + 1}/Root 1 0 R/Encrypt ${objects.length} 0 R/ID[${id}${id}]>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Holds the file's key twice, wrapped with a key derived from each of the passwords. */
function encryptionDictionary(key: Buffer, { user, owner }: PdfPasswords): string {
  const wrap = (password: string, bound: Buffer): { readonly check: Buffer; readonly wrapped: Buffer } => {
    const [checkSalt, keySalt] = [randomBytes(8), randomBytes(8)];
    const digest = (salt: Buffer): Buffer =>
      createHash('sha256').update(password).update(salt).update(bound).digest();
    return {
      check: Buffer.concat([digest(checkSalt), checkSalt, keySalt]),
      wrapped: encryptAes(digest(keySalt), Buffer.alloc(16), key, false).subarray(16),
    };
  };
  const forUser = wrap(user, Buffer.alloc(0));
  const forOwner = wrap(owner, forUser.check);
  const permissions = Buffer.concat([
    Buffer.from([0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from('Tadb'),
    randomBytes(4),
  ]);
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return (
    '<</Filter/Standard/V 5/R 5/Length 256/P -4/CF<</StdCF<</CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>/StmF/StdCF/StrF/StdCF' +
    `/U${hex(forUser.check)}/UE${hex(forUser.wrapped)}/O${hex(forOwner.check)}/OE${hex(forOwner.wrapped)}` +
    `/Perms${hex(Buffer.concat([cipher.update(permissions), cipher.final()]))}>>`
  );
}

function encryptAes(key: Buffer, iv: Buffer, data: Buffer, isPadded = true): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(isPadded);
  return Buffer.concat([iv, cipher.update(data), cipher.final()]);
}

const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
