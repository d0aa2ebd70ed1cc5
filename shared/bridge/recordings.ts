import { z } from 'zod';
import { isObject, type JsonObject } from '../json.ts';

export const RECORDING_METHODS = {
  /** Tells which texts of a person's recording redaction would change. */
  'recordings.screen': {
    params: z.object({
      texts: z
        .array(
          z.object({
            /** The name of its field; empty without one. */
            label: z.string().max(2_000),
            text: z.string().max(20_000),
          }),
        )
        .max(300),
    }),
    result: z.object({ secret: z.array(z.boolean()) }),
  },
  /** Saves the recipe that a person has recorded. */
  'recordings.keep': {
    params: z.object({
      /** Of a recipe: saving checks it. */
      definition: z.custom<JsonObject>((value) => isObject(value)),
    }),
    result: z.object({ name: z.string() }),
  },
} as const;
