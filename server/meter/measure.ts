import { isObject, type JsonObject } from '../../shared/json.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';
import { tokensOfPicture } from './pictures.ts';

/** What an answer consists of, as the models of agents pay for it. */
export interface Measure {
  readonly texts: readonly string[];
  /** Of all pictures. */
  readonly pictureTokens: number;
  /** Text in UTF-8, anything else in base64. */
  readonly bytes: number;
}

/** UTF-8 bytes of a token of Markdown or JSON, in any script: short of what most texts have. */
const BYTES_A_TOKEN = 3.5;

/** Tokens by size, until they are counted. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_A_TOKEN);

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
