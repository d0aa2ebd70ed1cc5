import { z } from 'zod';
import { OBVIOUS } from '../../../shared/tools/obvious.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { relaxSchema, propertiesOf } from './relax-schema.ts';

/**
 * What a pattern or a bound says to a model the description says better, and each costs tokens in
 * every list. Arguments are checked against the whole schema.
 */
const UNSAID = [
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
] as const;

/** Most names of an item that a list shows. */
const ITEM_NAMES_MAX = 8;

/** JSON Schema as clients see it: input side, so that fields with a default are optional. */
export function inputJsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const key of UNSAID) delete jsonSchema[key];
      delete jsonSchema.additionalProperties;
      // What is left out is taken for false anyway.
      if (jsonSchema.default === false) delete jsonSchema.default;
      if (path.length === 0) return;
      if (jsonSchema[OBVIOUS] === true) delete jsonSchema.description;
      delete jsonSchema[OBVIOUS];
      // The keys of an object inside the arguments are in its description.
      if (jsonSchema.type === 'object') delete jsonSchema.properties;
      // Of the many names that an item may have, the description shows some, and an error names all.
      if (path.at(-1) === 'items' && (jsonSchema.enum?.length ?? 0) > ITEM_NAMES_MAX) delete jsonSchema.enum;
    },
  });
  return JSON.parse(JSON.stringify(json)) as JsonObject;
}

const plainSchema = (schema: z.ZodObject): JsonObject => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(json)) as JsonObject;
};

/** A start writes the schema of every tool: the common part is converted once. */
let stored: JsonObject | undefined;

/**
 * JSON Schema of what a tool answers: its own fields, or those of a descriptor where it was stored. Of a tool that
 * hardly ever stores, the list has those fields alone that it has too.
 */
export function outputJsonSchema(schema: z.ZodObject, { spills }: Pick<ToolManifest, 'spills'>): JsonObject {
  stored ??= propertiesOf(plainSchema(OutputDescriptor));
  const own = plainSchema(schema);
  return relaxSchema(own, spills ? stored : sharedWith(propertiesOf(own), stored));
}

const sharedWith = (own: JsonObject, all: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(own, key)));
