import { gather } from '../../../shared/base/queue.ts';
import { createCanvas, decodePicture } from '../../core/tabs/visible-tab.ts';
import type { Area, Picture } from './capture.ts';

/** A larger picture is not kept, nor compared: it would take 16 MiB of memory twice. */
const KEPT_PX = 4 * 1024 * 1024;
const PICTURES_MAX = 8;
/** Of 255: a lossy format draws a pixel a little differently each time. */
const SLACK = 8;

export interface PictureChange {
  /** Of the pixels; null if the sizes differ. */
  readonly percent: number | null;
  /** Around the pixels that differ, in the document. */
  readonly area: Area | null;
}

/** The last pictures that sessions were sent, in base64, by session, tab and area: in memory alone. */
export class SentPictures {
  readonly #kept = new Map<string, string>();

  /** Compares a picture with the last one. Undefined for the first one, and for one that is too large to be kept. */
  async compare(key: string, { size, pieces }: Picture): Promise<PictureChange | undefined> {
    const last = this.#kept.get(key);
    if (last === undefined || !Array.isArray(pieces)) return undefined;
    const now = pieces.join('');
    return now === last ? NOTHING : differenceOf(last, now, size);
  }

  keep(key: string, { pieces }: Picture): void {
    this.#kept.delete(key);
    if (Array.isArray(pieces)) this.#kept.set(key, pieces.join(''));
    for (const oldest of this.#kept.keys()) if (this.#kept.size > PICTURES_MAX) this.#kept.delete(oldest);
  }
}

/** Its pieces in an array, unless it is too large to be kept. */
export async function holdPieces({ size, pieces }: Picture): Promise<Picture> {
  return { size, pieces: size.width * size.height <= KEPT_PX ? await gather(pieces) : pieces };
}

const NOTHING: PictureChange = { percent: 0, area: null };

async function pixelsOf(base64: string): Promise<ImageData> {
  const bitmap = await decodePicture(base64);
  const [canvas, context] = createCanvas(bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function differenceOf(
  last: string,
  now: string,
  { shown, scale }: Picture['size'],
): Promise<PictureChange> {
  const [before, after] = await Promise.all([pixelsOf(last), pixelsOf(now)]);
  const { width, height, data } = after;
  if (before.width !== width || before.height !== height) return { percent: null, area: null };
  const [old, pixels] = [before, after].map((picture) => new Uint32Array(picture.data.buffer));
  const differs = (at: number): boolean =>
    [0, 1, 2].some(
      (part) => Math.abs((data[4 * at + part] ?? 0) - (before.data[4 * at + part] ?? 0)) > SLACK,
    );
  let changed = 0;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < width * height; at += 1) {
    if (old?.[at] === pixels?.[at] || !differs(at)) continue;
    changed += 1;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x + 1),
      Math.max(bottom, y + 1),
    ];
  }
  if (changed === 0) return NOTHING;
  const area = {
    x: shown.x + left / scale,
    y: shown.y + top / scale,
    width: (right - left) / scale,
    height: (bottom - top) / scale,
  };
  return { percent: (100 * changed) / (width * height), area };
}
