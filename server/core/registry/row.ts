import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { isCompilable } from './compilable.ts';
import type { Mode, ModeRow, ResponseFormat, Template } from './definition.ts';
import { objectSchema } from './object-schema.ts';

const KEY = /\{(\w+)\}/;

/** Literal texts and keys in turn, a literal first. */
export const templateParts = (template: Template): readonly string[] => template.split(KEY);

/** The keys that a template names. */
export const templateKeys = (template: Template): readonly string[] =>
  templateParts(template).filter((_, index) => index % 2 === 1);

/** The keys of an object that a format keeps as an object; null when it keeps all. */
export function keptKeys(text: ResponseFormat): readonly string[] | null {
  if (text === 'full') return null;
  return 'template' in text ? (text.keys ?? null) : text;
}

/** The same, as zod picks them. */
export function keysOfSchema(text: ResponseFormat): Record<string, true> | null {
  const kept = keptKeys(text);
  return kept === null ? null : Object.fromEntries(kept.map((key) => [key, true as const]));
}

const RECEIPT_KEYS = ['run_id', 'status', 'progress'];

/**
 * Holds a row against its tool, so that every answer fits the schema that the row shows.
 * @throws Error that names the mode, the tool and what does not fit
 */
export function checkRow(manifest: ToolManifest, { name: mode, widgets }: Mode, row: ModeRow): void {
  const { name: tool, output, runs } = manifest;
  const refuse = (why: string): never => {
    throw new Error(`The row of ${tool} in the mode ${mode}: ${why}.`);
  };
  const fields = output === null ? null : Object.keys(output.shape);
  const stray = fields === null ? undefined : namedKeys(row.text).find((key) => !fields.includes(key));
  if (stray !== undefined) refuse(`the answer has no key ${stray}`);
  if (row.receipt !== null && !runs) refuse('it has a receipt, but its calls are not runs');
  const strayReceipt = templateKeys(row.receipt ?? '').find((key) => !RECEIPT_KEYS.includes(key));
  if (strayReceipt !== undefined) refuse(`a receipt has no key ${strayReceipt}`);
  if (row.widget !== null && widgets !== null && !widgets.names.includes(row.widget))
    refuse(`${row.widget} is not a widget of the mode`);
  if (row.outputSchema === null) return;
  if (!row.structuredContent) refuse('it declares an output schema, but sends no structuredContent');
  if (!isCompilable(objectSchema('output', row.outputSchema)))
    refuse('not every client can compile its output schema');
}

/** Every key of an answer that a format depends on. */
function namedKeys(text: ResponseFormat): readonly string[] {
  if (text === 'full' || !('template' in text)) return keptKeys(text) ?? [];
  const { template, each = [], keys = [] } = text;
  return [...templateKeys(template), ...each.map(({ of }) => of), ...keys];
}
