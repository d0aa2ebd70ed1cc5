import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';

/** JSON Schema as clients see it: input side, so that fields with a default are optional. */
export function inputJsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    // A pattern says to a model what the description says better, and costs tokens in every list.
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const plain: JsonObject = JSON.parse(JSON.stringify(json));
  return plain;
}
