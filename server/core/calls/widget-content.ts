import type { JsonObject } from '../../../shared/json.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { Delivered } from '../services.ts';

/** Texts that take more than this are in the conversation alone. */
const MOST_UNITS = 512 * 1_024;

/**
 * The texts of an answer for a widget whose host hands it none: `_meta` that no model reads. An answer that is an object
 * has all that its widget needs.
 */
export function widgetContent(
  { content, structured }: Delivered,
  { presentation: { textsKey } }: ToolDefinition,
): JsonObject {
  if (textsKey === undefined || structured !== undefined) return {};
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return units === 0 || units > MOST_UNITS ? {} : { [textsKey]: texts };
}
