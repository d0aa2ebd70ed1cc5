import type { ImageFormat } from '../../../shared/tools/screenshot/methods.ts';

/** Bytes that become one piece of base64: a multiple of three, few enough for one call's arguments. */
const PIECE_BYTES = 3 * 8_192;

/** The bytes of base64, as a picture. */
export async function decodePicture(base64: string): Promise<ImageBitmap> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return createImageBitmap(new Blob([bytes]));
}

/** An empty picture to draw on. */
export function createCanvas(
  width: number,
  height: number,
): [OffscreenCanvas, OffscreenCanvasRenderingContext2D] {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('The browser did not provide a canvas.');
  context.imageSmoothingQuality = 'high';
  return [canvas, context];
}

/** A picture in base64. Its pieces can be joined. */
export async function* encodePicture(
  canvas: OffscreenCanvas,
  format: ImageFormat,
  quality: number,
): AsyncGenerator<string> {
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: quality / 100 });
  for (let at = 0; at < blob.size; at += PIECE_BYTES * 32) {
    const bytes = new Uint8Array(await blob.slice(at, at + PIECE_BYTES * 32).arrayBuffer());
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      yield btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES)));
  }
}
