import { isObject, type JsonObject, type JsonValue, stringOrEmpty } from '../../shared/base/json.ts';
import type { ContentBlock } from '../core/result.ts';
import type { CallResult } from './types.ts';

/** The pictures that models' APIs take. */
const MODEL_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
type ModelImage = (typeof MODEL_IMAGES)[number];

/** Maximum base64 characters of one picture that every model API accepts. */
export const MAX_IMAGE_UNITS = 5 * 1024 * 1024;

/** The parts of a result that a model can read. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: ModelImage };

const isModelImage = (mimeType: string): mimeType is ModelImage =>
  MODEL_IMAGES.some((taken) => taken === mimeType);

/**
 * The blocks of a result as text and pictures. Bytes that no model reads become a sentence that says what
 * they are and how to get them. Blank text is left out, since APIs refuse it.
 * @param maxImageUnits most base64 characters of a picture; a larger one becomes a sentence
 */
export function toModelParts(
  { content, structured }: Pick<CallResult, 'content' | 'structured'>,
  maxImageUnits = MAX_IMAGE_UNITS,
): readonly ModelPart[] {
  const parts = content
    .map((block) => toPart(block, maxImageUnits))
    .filter((part) => part.type === 'image' || part.text.trim() !== '');
  // Another server may answer with only an object.
  if (parts.length === 0 && structured !== undefined) return [textPart(JSON.stringify(structured))];
  return parts;
}

function toPart(block: ContentBlock, maxImageUnits: number): ModelPart {
  if (block.type === 'text') return textPart(block.text);
  if (block.type === 'foreign') return foreignPart(block.block, maxImageUnits);
  const { type, mimeType, data } = block;
  return type === 'image' ? imagePart(mimeType, data, maxImageUnits) : bytesPart(mimeType, data);
}

/** APIs refuse a whole request for half a surrogate pair. */
const textPart = (text: string): ModelPart => ({ type: 'text', text: text.toWellFormed() });

function imagePart(mimeType: string, data: string, maxUnits: number): ModelPart {
  return isModelImage(mimeType) && data !== '' && data.length <= maxUnits
    ? { type: 'image', data, mimeType }
    : bytesPart(mimeType, data);
}

function bytesPart(mimeType: string, data: string): ModelPart {
  const sizeBytes = Buffer.byteLength(data, 'base64');
  return textPart(
    `[${sizeBytes} bytes of ${mimeType}, which cannot be shown here. Ask for a handle (output_mode: "handle", ` +
      'or as: "handle") and page its bytes with oc_output_fetch.]',
  );
}

/** Another server's block, in MCP's form. */
function foreignPart(block: JsonObject, maxImageUnits: number): ModelPart {
  const { type, text, title, name, uri, resource } = block;
  const [mimeType, data] = [stringOrEmpty(block['mimeType']), stringOrEmpty(block['data'])];
  if (type === 'text') return textPart(stringOrEmpty(text));
  if (type === 'image') return imagePart(mimeType, data, maxImageUnits);
  if (type === 'audio') return unreadable(mimeType, data);
  if (type === 'resource_link') return textPart(`[${[title ?? name, uri].map(stringOrEmpty).join(': ')}]`);
  return type === 'resource' ? resourcePart(resource) : textPart(JSON.stringify(block));
}

function resourcePart(resource: JsonValue | undefined): ModelPart {
  if (!isObject(resource)) return textPart('');
  const { text, blob, mimeType } = resource;
  return typeof text === 'string' ? textPart(text) : unreadable(stringOrEmpty(mimeType), stringOrEmpty(blob));
}

const unreadable = (mimeType: string, data: string): ModelPart =>
  textPart(
    `[${Buffer.byteLength(data, 'base64')} bytes of ${mimeType || 'an unknown type'}, which cannot be shown here.]`,
  );

/** Kept in the AI SDK's results: JSON, so that a chat can store it. */
export type ToolOutput = Omit<CallResult, 'text' | 'callId'>;

type ContentPart = { type: 'text'; text: string } | { type: 'image-data'; data: string; mediaType: string };
/** An output as the AI SDK shows it to a model. */
export interface ModelOutput {
  type: 'content';
  value: ContentPart[];
}

/** A call that failed. The AI SDK makes a `tool-error` of it, whose text is the coded error. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';

  constructor(readonly result: CallResult) {
    super(messageOfResult(result));
  }

  /** One of Spillway's codes. */
  get code(): string {
    return this.result.error?.code ?? 'internal_error';
  }
}

function messageOfResult(result: CallResult): string {
  const texts = toModelParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.join('\n') || (result.error?.message ?? 'It failed.');
}

/** A result without the fields that only the library's caller reads. @throws ToolCallError if it failed */
export function toOutput(result: CallResult): ToolOutput {
  if (!result.ok) throw new ToolCallError(result);
  const { text: _text, callId: _callId, ...output } = result;
  return output;
}

/** An output in the form for a model: text and pictures, block by block. */
export function toModelOutput(output: ToolOutput): ModelOutput {
  const value = toModelParts(output).map((part): ContentPart =>
    part.type === 'text' ? part : { type: 'image-data', data: part.data, mediaType: part.mimeType },
  );
  return { type: 'content', value };
}
