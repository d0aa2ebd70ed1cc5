import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { JsonRecord } from '../../../shared/json-schema.ts';

/** `true` and `false` say of a property what these say, which clients take too. */
const Property = z.union([
  JsonRecord,
  z.boolean().transform((isAnything): JsonObject => (isAnything ? {} : { not: {} })),
]);

/** What MCP's clients check of a tool's schema. They refuse the whole list for one that differs. */
const ObjectSchema = z.looseObject({
  type: z.literal('object').default('object'),
  properties: z.record(z.string(), Property).optional(),
  required: z.array(z.string()).optional(),
});

/**
 * The schema of a provider's tool as every client takes it: one of an object, which says so.
 * @throws Error that names `which` and the first invalid place
 */
export function objectSchema(which: 'input' | 'output', schema: JsonObject): JsonObject {
  // Nothing below goes in circles, or is anything but JSON.
  const checked = ObjectSchema.safeParse(JSON.parse(JSON.stringify(schema)));
  const object = checked.data as JsonObject | undefined;
  if (object !== undefined) return object;
  const [issue] = checked.error?.issues ?? [];
  const where = issue?.path.map(String).join('.') ?? '';
  const problem = `${where === '' ? '' : `${where}: `}${issue?.message ?? 'malformed'}`;
  throw new Error(`its ${which} schema is not an object schema that clients accept (${problem})`);
}
