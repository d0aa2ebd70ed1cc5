import { isObject, type JsonObject } from '../../shared/json.ts';
import { estimateTokens } from '../../shared/tokens.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';

/*
 * What a picture costs, by the rule that providers publish for models of o200k: it is made to fit into a square, then
 * its shorter side is reduced, and each tile costs the same.
 */
const SQUARE_PIXELS = 2_048;
const SHORTER_PIXELS = 768;
const TILE_PIXELS = 512;
const TILE_TOKENS = 170;
const BASE_TOKENS = 85;
/** A picture whose size cannot be read counts as one of four tiles. */
const UNKNOWN_TOKENS = BASE_TOKENS + 4 * TILE_TOKENS;
/** A JPEG may have its profile and a thumbnail before its size. */
const HEAD_UNITS = 128 * 1024;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tokens of a picture of that size. */
function tokensOfSize({ width, height }: Size): number {
  const fit = Math.min(1, SQUARE_PIXELS / Math.max(width, height));
  const reduce = Math.min(1, SHORTER_PIXELS / (Math.min(width, height) * fit));
  const tiles = (side: number): number =>
    Math.max(1, Math.ceil(Math.round(side * fit * reduce) / TILE_PIXELS));
  return BASE_TOKENS + TILE_TOKENS * tiles(width) * tiles(height);
}

/** Tokens of a picture in base64. */
export function tokensOfPicture(base64: string): number {
  const bytes = Buffer.from(base64.slice(0, HEAD_UNITS), 'base64');
  const size = sizeOfPng(bytes) ?? sizeOfGif(bytes) ?? sizeOfWebp(bytes) ?? sizeOfJpeg(bytes);
  return size === null || size.width === 0 || size.height === 0 ? UNKNOWN_TOKENS : tokensOfSize(size);
}

const startsWith = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.length >= at + text.length && bytes.toString('latin1', at, at + text.length) === text;

function sizeOfPng(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 1, 'PNG') || bytes.length < 24) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function sizeOfGif(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 0, 'GIF8') || bytes.length < 10) return null;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function sizeOfWebp(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP') || bytes.length < 30) return null;
  if (startsWith(bytes, 12, 'VP8X'))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** In the first segment that starts a frame: SOF0 to SOF15, but for three that are tables. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

export interface Measure {
  readonly texts: readonly string[];
  readonly pictureTokens: number;
  /** Text in UTF-8, anything else in base64. */
  readonly bytes: number;
}

/** A longer text is estimated by as many parts of it, spread evenly. */
const SAMPLES = 8;
const SAMPLE_UNITS = 2_048;

/** Tokens of a text of any length. */
export function tokensOfText(text: string): number {
  const sampled = SAMPLES * SAMPLE_UNITS;
  if (text.length <= sampled) return Math.ceil(estimateTokens(text));
  let sum = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor((sample * text.length) / SAMPLES);
    sum += estimateTokens(text.slice(from, from + SAMPLE_UNITS));
  }
  return Math.ceil((sum * text.length) / sampled);
}

class Parts {
  readonly texts: string[] = [];
  pictureTokens = 0;
  bytes = 0;

  text(text: string): void {
    this.texts.push(text);
    this.bytes += Buffer.byteLength(text);
  }

  picture(base64: string): void {
    this.pictureTokens += tokensOfPicture(base64);
    this.bytes += base64.length;
  }

  /** Files reach no model as they are: they cost bytes alone. */
  file(base64: string): void {
    this.bytes += base64.length;
  }

  block(block: ContentBlock): void {
    if (block.type === 'text') this.text(block.text);
    else if (block.type === 'image') this.picture(block.data);
    else if (block.type === 'blob') this.file(block.data);
    else this.foreign(block.block);
  }

  /** A block of MCP, or of a provider's own form. */
  foreign(block: JsonObject): void {
    const { type, text, data, source, resource } = block;
    if (typeof text === 'string') return this.text(text);
    const base64 = typeof data === 'string' ? data : isObject(source) ? source['data'] : undefined;
    if (typeof base64 === 'string') return type === 'image' ? this.picture(base64) : this.file(base64);
    if (isObject(resource) && typeof resource['text'] === 'string') return this.text(resource['text']);
    if (isObject(resource) && typeof resource['blob'] === 'string') return this.file(resource['blob']);
    this.text(JSON.stringify(block));
  }
}

/** The blocks of an answer of a caller's own tool, where it has any. */
function ownBlocks(own: unknown): readonly JsonObject[] | null {
  const list: unknown = isObject(own) ? own['content'] : own;
  if (!Array.isArray(list)) return null;
  const blocks = list.filter((block) => isObject(block) && typeof block['type'] === 'string');
  return blocks.length > 0 && blocks.length === list.length ? blocks : null;
}

/** Takes an answer apart. What is sent as an object too is counted once. */
export function measure({ content, own }: Pick<ToolResult, 'content' | 'own'>): Measure {
  const parts = new Parts();
  const blocks = own === undefined ? null : ownBlocks(own);
  if (typeof own === 'string') parts.text(own);
  else if (blocks !== null) for (const block of blocks) parts.foreign(block);
  else for (const block of content) parts.block(block);
  return parts;
}
