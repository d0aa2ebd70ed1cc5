import { toModelParts, type ModelPart } from '../model-parts.ts';
import type { CallResult } from '../types.ts';

/** What a tool call leaves in the AI SDK's results: JSON, so that a chat can store it. */
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
  readonly result: CallResult;

  constructor(result: CallResult) {
    super(textOf(result));
    this.result = result;
  }

  /** One of Spillway's codes. */
  get code(): string {
    return this.result.error?.code ?? 'internal_error';
  }
}

function textOf(result: CallResult): string {
  const texts = toModelParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.join('\n') || (result.error?.message ?? 'It failed.');
}

/** A result without what only the caller of the library reads. @throws ToolCallError when it failed */
export function toOutput(result: CallResult): ToolOutput {
  if (!result.ok) throw new ToolCallError(result);
  const { text: _text, callId: _callId, ...output } = result;
  return output;
}

/** An output as a model reads it: text and pictures, block by block. */
export function toModelOutput(output: ToolOutput): ModelOutput {
  return { type: 'content', value: toModelParts(output).map(toContentPart) };
}

function toContentPart(part: ModelPart): ContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image-data', data: part.data, mediaType: part.mimeType };
}
