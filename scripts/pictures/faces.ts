import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright';
import { launchBrowser } from '../../tests/support/widget-hosts/open.ts';
import {
  galleryPieces,
  openGallery,
  type GalleryPiece,
  type Surface,
} from '../../tests/support/face-page/gallery.ts';

/*
 * Makes the pictures of the faces: `tsx scripts/pictures/faces.ts [FOLDER]`. Without a folder, those of docs/images/faces. One
 * sheet for each kind of face, theme and language.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images/faces'));

const SHEETS: Readonly<Record<string, { readonly surfaces: readonly Surface[]; readonly width: number }>> = {
  lines: { surfaces: ['Inspector'], width: 860 },
  results: { surfaces: ['Render'], width: 1_240 },
  waiting: { surfaces: ['Placeholder', 'Streaming'], width: 860 },
  questions: { surfaces: ['Intervention'], width: 1_240 },
  portals: { surfaces: ['Portal'], width: 860 },
};

/** WebP of a picture: a page has an encoder. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const data: string = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.5 });
    const out = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (const byte of out) text += String.fromCharCode(byte);
    return btoa(text);
  })()`);
  return Buffer.from(data, 'base64');
}

const isOn = ({ surface, isShown }: GalleryPiece, surfaces: readonly Surface[]): boolean =>
  isShown === true && surfaces.includes(surface);

await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
const gallery = await openGallery(browser);
const encoder = await browser.newPage();
const pieces = galleryPieces();
let sizeBytes = 0;
try {
  const { page } = gallery;
  await page.addStyleTag({
    content:
      '.piece { max-height: 360px; overflow: hidden } .piece[data-piece*="Portal"] { grid-column: 1 / -1 }',
  });
  for (const [name, { surfaces, width }] of Object.entries(SHEETS))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const language of ['en', 'zh-CN'] as const) {
        await page.setViewportSize({ width, height: 400 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await gallery.show({ pieces: pieces.filter((piece) => isOn(piece, surfaces)), language });
        // A picture shows what a person would open.
        await page.evaluate(
          "for (const closed of document.querySelectorAll('.f-closed')) closed.open = true",
        );
        const webp = await toWebp(encoder, await page.screenshot({ fullPage: true }));
        const file = `${name}-${colorScheme}-${language === 'en' ? 'en' : 'zh'}.webp`;
        await writeFile(join(folder, file), webp);
        sizeBytes += webp.length;
        console.log(`${file}  ${webp.length}`);
      }
} finally {
  await browser.close();
}
console.log(`${sizeBytes} bytes in all.`);
