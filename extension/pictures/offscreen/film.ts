import { GIFEncoder, applyPalette, quantize } from 'gifenc/dist/gifenc.esm.js';
import { fromBase64 } from '../../core/ports/base64.ts';
import type { FilmFacts, FilmStep } from '../../core/offscreen/protocol.ts';
import { webmOf, type Packet } from './webm.ts';

type Step<Is extends FilmStep['is']> = Extract<FilmStep, { readonly is: Is }>;
type Act = Step<'act'>;
type Size = Readonly<Record<'width' | 'height', number>>;
type Context = OffscreenCanvasRenderingContext2D;

/** A longer pause of the page and the agent is shown as this. */
const PAUSE_MS = 1_500;
/** A step is shown at least so long before its effect. */
const ACT_MS = 800;
const CARD_MS = 1_200;
const LAST_MS = 1_200;
/** A WebM counts a cluster's times in 16 bits. */
const KEY_MS = 20_000;
/** Of the letters, by the width of the picture. */
const TEXT_PART = 1 / 44;
const MIN_TEXT = 15;
const COLOURS = {
  mark: '#e0007a',
  halo: '#ffffff',
  cover: '#808080',
  strip: '#17181c',
  text: '#ffffff',
  dim: '#9aa0aa',
};
const FONT = 'system-ui, "Noto Sans", sans-serif';
/** Bytes of a part: a multiple of three. */
const PART_BYTES = 192 * 1024;

/** Makes a file of pictures. */
interface Encoder {
  readonly sizeBytes: number;
  /** Resolves when it is not much behind. @param ms when it appears */
  add(canvas: OffscreenCanvas, ms: number): Promise<void>;
  end(durationMs: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** A video of a tab, made while its steps arrive: pictures with the acts drawn in, below them the act in words. */
export class Film {
  #format: 'webm' | 'gif' = 'webm';
  #width = 0;
  #maxBytes = 0;
  #page: Context | null = null;
  #screen: Context | null = null;
  #encoder: Encoder | null = null;
  /** Pixels of the picture for one of the view. */
  #scale = 1;
  #act: Act | null = null;
  #acts = 0;
  #isActShown = false;
  #at = 0;
  #ms = 0;
  #notBefore = 0;
  #frames = 0;
  #isFull = false;
  #file: Uint8Array<ArrayBuffer> = new Uint8Array();
  #sent = 0;

  /** @throws Error of the encoder */
  async take(step: FilmStep): Promise<void> {
    if (step.is === 'begin') {
      ({ format: this.#format, width: this.#width, at: this.#at, maxBytes: this.#maxBytes } = step);
      return;
    }
    if (step.is === 'picture') await this.#picture(step);
    else if (step.is === 'act') await this.#showAct(step);
    else if (step.is === 'card') await this.#card(step);
    else await this.#end();
  }

  /** The next part of the file, after its end. */
  next(): { readonly bytes: Uint8Array; readonly facts: FilmFacts | null } {
    const part = this.#file.subarray(this.#sent, this.#sent + PART_BYTES);
    this.#sent += part.length;
    const sizeBytes = this.#file.length;
    if (this.#sent < sizeBytes) return { bytes: part, facts: null };
    const { width = 0, height = 0 } = this.#screen?.canvas ?? {};
    const shown = { frames: this.#frames, videoMs: this.#ms, isFull: this.#isFull };
    return { bytes: part, facts: { width, height, sizeBytes, ...shown } };
  }

  close(): void {
    this.#encoder?.close();
    this.#encoder = null;
  }

  async #picture({ at, data, view, covers }: Step<'picture'>): Promise<void> {
    const bitmap = await createImageBitmap(new Blob([fromBase64(data)]));
    const { width, height } = bitmap;
    const context = this.#layOut(bitmap);
    const page = context.canvas;
    const scale = Math.min(page.width / width, page.height / height);
    context.drawImage(bitmap, 0, 0, width * scale, height * scale);
    bitmap.close();
    this.#scale = (width * scale) / view.width;
    context.fillStyle = COLOURS.cover;
    for (const box of covers) {
      // Letters may reach beyond their field, and a picture's edges blur.
      const { x, y, width: wide, height: high } = scaleBox(box, this.#scale);
      context.fillRect(Math.floor(x), Math.floor(y), Math.ceil(wide) + 1, Math.ceil(high) + 1);
    }
    // A picture from before the act leaves its marks.
    if (this.#act !== null && at > this.#act.at) this.#isActShown = false;
    await this.#emit(at);
  }

  async #showAct(act: Act): Promise<void> {
    [this.#act, this.#isActShown] = [act, true];
    this.#acts += 1;
    if (this.#page === null) return;
    await this.#emit(act.at);
    this.#notBefore = this.#ms + ACT_MS;
  }

  async #card({ at, text }: Step<'card'>): Promise<void> {
    const context = this.#layOut({ width: 16, height: 10 });
    const { width, height } = context.canvas;
    context.fillStyle = COLOURS.text;
    context.font = `600 ${Math.round(width / 26)}px ${FONT}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, width / 2, height / 2, width * 0.9);
    this.#isActShown = false;
    await this.#emit(at);
    this.#notBefore = this.#ms + CARD_MS;
  }

  async #end(): Promise<void> {
    if (this.#encoder === null) throw new Error('The tab gave no picture.');
    this.#ms = Math.max(this.#ms, this.#notBefore) + LAST_MS;
    this.#file = await this.#encoder.end(this.#ms);
  }

  /** An empty page. The first picture decides on the size; others are fitted in. */
  #layOut({ width, height }: Size): Context {
    if (this.#page === null) {
      const wide = even(Math.min(this.#width, Math.max(width, 320)));
      const high = even((wide * height) / width);
      const size = { width: wide, height: high + even(textHeight(wide) * 2) };
      this.#page = contextOf(new OffscreenCanvas(wide, high));
      this.#screen = contextOf(new OffscreenCanvas(size.width, size.height));
      this.#encoder = this.#format === 'gif' ? new GifEncoder(size) : new WebmEncoder(size);
    }
    const page = this.#page;
    page.fillStyle = COLOURS.strip;
    page.fillRect(0, 0, page.canvas.width, page.canvas.height);
    return page;
  }

  /** Adds what is seen at a time to the video. */
  async #emit(at: number): Promise<void> {
    const [page, screen, encoder] = [this.#page, this.#screen, this.#encoder];
    if (page === null || screen === null || encoder === null || this.#isFull) return;
    const passed = Math.min(Math.max(0, at - this.#at), PAUSE_MS);
    this.#at = Math.max(this.#at, at);
    const isFirst = this.#frames === 0;
    this.#ms = isFirst ? 0 : Math.max(this.#ms + Math.max(Math.round(passed), 20), this.#notBefore);
    const { canvas } = page;
    screen.drawImage(canvas, 0, 0);
    if (this.#act !== null && this.#isActShown) drawMarks(screen, this.#act, this.#scale, canvas.height);
    this.#drawStrip(screen, canvas.height);
    await encoder.add(screen.canvas, this.#ms);
    this.#frames += 1;
    this.#isFull = encoder.sizeBytes > this.#maxBytes;
  }

  #drawStrip(context: Context, top: number): void {
    const { width, height } = context.canvas;
    const letters = textHeight(width);
    const middle = (top + height) / 2;
    context.fillStyle = COLOURS.strip;
    context.fillRect(0, top, width, height - top);
    if (this.#act === null) return;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.font = `${letters}px ${FONT}`;
    context.fillStyle = COLOURS.dim;
    const number = String(this.#acts);
    context.fillText(number, letters, middle);
    const from = letters + context.measureText(number).width + letters * 0.7;
    context.font = `600 ${letters}px ${FONT}`;
    context.fillStyle = COLOURS.text;
    context.fillText(fitting(context, this.#act.text, width - from - letters), from, middle);
  }
}

const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));
const textHeight = (width: number): number => Math.max(MIN_TEXT, Math.round(width * TEXT_PART));

/** A box of the view in the picture, and a little around it. */
const scaleBox = ({ x, y, width, height }: NonNullable<Act['box']>, scale: number) => ({
  x: x * scale - AROUND,
  y: y * scale - AROUND,
  width: width * scale + 2 * AROUND,
  height: height * scale + 2 * AROUND,
});

const AROUND = 3;

function contextOf(canvas: OffscreenCanvas): Context {
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error('The browser did not provide a canvas.');
  return context;
}

/** A text that is too long ends with dots. */
function fitting(context: Context, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const chars = [...text];
  while (chars.length > 0 && context.measureText(`${chars.join('')}…`).width > width) chars.pop();
  return `${chars.join('')}…`;
}

/** Outlines the element, and points at where the act goes. */
function drawMarks(context: Context, { box, point }: Act, scale: number, height: number): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, context.canvas.width, height);
  context.clip();
  if (box !== null) {
    const { x, y, width, height: high } = scaleBox(box, scale);
    for (const [colour, line] of [
      [COLOURS.halo, 5],
      [COLOURS.mark, 2.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = line;
      context.strokeRect(x, y, width, high);
    }
  }
  if (point !== null) drawPointer(context, { x: point.x * scale, y: point.y * scale });
  context.restore();
}

/** The tip is at the origin. */
const POINTER = 'M0 0 L0 17 L4 13.2 L6.8 19.4 L9.6 18.1 L6.9 12.1 L12.4 12 Z';

function drawPointer(context: Context, { x, y }: { x: number; y: number }): void {
  const size = Math.max(1, context.canvas.width / 900);
  context.fillStyle = `${COLOURS.mark}40`;
  context.beginPath();
  context.arc(x, y, 13 * size, 0, 2 * Math.PI);
  context.fill();
  context.translate(x, y);
  context.scale(size, size);
  const path = new Path2D(POINTER);
  context.lineJoin = 'round';
  context.lineWidth = 2.5;
  context.strokeStyle = COLOURS.halo;
  context.stroke(path);
  context.fillStyle = '#000000';
  context.fill(path);
}

/** Profile 0, level 5, 8 bits: pictures up to 8 megapixels. VP8 takes three to ten times the time, more on busy cores. */
const VP9 = 'vp09.00.50.08';
const BITS_PER_PIXEL = 6;
const MICROSECONDS = 1_000;
/** Pictures that the encoder keeps. */
const MAX_QUEUED = 2;

class WebmEncoder implements Encoder {
  readonly #encoder: VideoEncoder;
  readonly #packets: Packet[] = [];
  #failure: DOMException | null = null;
  #keyAt = -Infinity;
  #wake = (): void => undefined;
  #last: { readonly canvas: OffscreenCanvas; readonly ms: number } | null = null;
  sizeBytes = 0;

  constructor(private readonly size: Size) {
    const { width, height } = size;
    this.#encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.sizeBytes += bytes.length;
        this.#packets.push({ bytes, ms: chunk.timestamp / MICROSECONDS, isKey: chunk.type === 'key' });
      },
      error: (error) => {
        this.#failure = error;
        this.#wake();
      },
    });
    this.#encoder.ondequeue = () => this.#wake();
    const bitrate = Math.round(width * height * BITS_PER_PIXEL);
    this.#encoder.configure({ codec: VP9, width, height, bitrate, latencyMode: 'quality' });
  }

  async add(canvas: OffscreenCanvas, ms: number): Promise<void> {
    while (this.#failure === null && this.#encoder.encodeQueueSize > MAX_QUEUED)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure !== null) throw this.#failure;
    this.#last = { canvas, ms };
    const frame = new VideoFrame(canvas, { timestamp: ms * MICROSECONDS });
    const keyFrame = ms - this.#keyAt >= KEY_MS;
    if (keyFrame) this.#keyAt = ms;
    this.#encoder.encode(frame, { keyFrame });
    frame.close();
  }

  async end(durationMs: number): Promise<Uint8Array<ArrayBuffer>> {
    // Some players end at the last frame's time.
    if (this.#last !== null) await this.add(this.#last.canvas, durationMs - 1);
    await this.#encoder.flush();
    if (this.#failure !== null) throw this.#failure;
    return webmOf(this.#packets, { ...this.size, durationMs });
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}

const COLOUR_COUNT = 255;

/** Unchanged pixels are transparent: they take next to no bytes. */
class GifEncoder implements Encoder {
  readonly #gif = GIFEncoder();
  #before: Uint32Array | null = null;
  #pending: { readonly data: Uint8ClampedArray; readonly ms: number } | null = null;

  constructor(private readonly size: Size) {}

  get sizeBytes(): number {
    return this.#gif.bytesView().length;
  }

  add(canvas: OffscreenCanvas, ms: number): Promise<void> {
    this.#write(ms);
    const { width, height } = this.size;
    this.#pending = { data: contextOf(canvas).getImageData(0, 0, width, height).data, ms };
    return Promise.resolve();
  }

  end(durationMs: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#write(durationMs);
    this.#gif.finish();
    return Promise.resolve(this.#gif.bytes());
  }

  close(): void {
    this.#pending = null;
  }

  /** A frame of a GIF says how long it is shown. */
  #write(untilMs: number): void {
    if (this.#pending === null) return;
    const { data, ms } = this.#pending;
    const { width, height } = this.size;
    const palette = quantize(data, COLOUR_COUNT);
    const index = applyPalette(data, palette);
    const now = new Uint32Array(data.buffer);
    const before = this.#before;
    if (before !== null)
      for (let at = 0; at < index.length; at += 1) if (now[at] === before[at]) index[at] = COLOUR_COUNT;
    while (palette.length <= COLOUR_COUNT) palette.push([0, 0, 0]);
    const transparent = before !== null;
    const how = { palette, delay: untilMs - ms, transparent, transparentIndex: COLOUR_COUNT, dispose: 1 };
    this.#gif.writeFrame(index, width, height, how);
    this.#before = now;
  }
}
