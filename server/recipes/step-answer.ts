import type { JsonObject } from '../../shared/json.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';

/** The text of a block; null for one of another kind. */
export const textOf = (block: ContentBlock): string | null => {
  if (block.type === 'text') return block.text;
  const { text } = block.type === 'foreign' ? block.block : {};
  return typeof text === 'string' ? text : null;
};

/** What later steps may refer to as `steps.<id>`. What is stored is not there: only its descriptor is. */
export function answerOf({ ok, content, structured, descriptor, state, error }: ToolResult): JsonObject {
  const object = structured ?? (descriptor === undefined ? null : { ...descriptor });
  return {
    ok,
    text: textOf(content[0]),
    structured: object,
    handle: descriptor?.output_handle ?? null,
    state,
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

/** How many characters of memory an answer takes, about. */
export const sizeOf = ({ content }: ToolResult): number =>
  content.reduce((sum, block) => sum + (textOf(block)?.length ?? 0), 0);
