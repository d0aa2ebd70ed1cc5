import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { z } from 'zod';
import { MANIFESTS } from '../../shared/core/tools/index.ts';
import { formatAs } from './format.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The arguments of every tool as one interface, so that an editor shows each field's meaning, bounds and default: types
 * inferred from schemas have no comments.
 */
export async function declareToolArguments(): Promise<string> {
  const properties = Object.fromEntries(
    MANIFESTS.map(({ name, input, does, use, avoid }) => [
      name,
      { ...documented(schemaOf(input)), description: [does, use, avoid].join(' ') },
    ]),
  );
  const schema: JSONSchema = {
    type: 'object',
    description: 'The arguments of every tool, by its name.',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const text = await compile(schema, 'ToolArguments', {
    bannerComment: '',
    additionalProperties: false,
    format: false,
  });
  return formatAs(ROOT, 'tool-arguments.d.ts', text);
}

const schemaOf = (input: z.ZodObject): JSONSchema => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return JSON.parse(JSON.stringify(schema)) as JSONSchema;
};

/**
 * Adds bounds and defaults to the description, where an editor shows them. A list of any length stays a list: tuples
 * would reject computed ones.
 */
function documented({ minItems, maxItems, ...schema }: JSONSchema): JSONSchema {
  const { properties, items, anyOf, description: said = '' } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const facts = [bounds({ ...schema, minItems, maxItems }), defaultOf(schema)].filter(
    (fact) => fact !== null,
  );
  const description = [said, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])].join(' ').trim();
  return {
    ...schema,
    ...(description === '' ? {} : { description }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, property(each, required.includes(name))]),
          ),
        }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: documented(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(documented) }),
  };
}

/** Programs may pass `undefined` for what is optional, also under `exactOptionalPropertyTypes`. */
function property(schema: JSONSchema, isRequired: boolean): JSONSchema {
  if (isRequired) return documented(schema);
  const { description, ...type } = documented(schema);
  return { ...(description === undefined ? {} : { description }), anyOf: [type, { tsType: 'undefined' }] };
}

const number = (value: number): string => value.toLocaleString('en');

function bounds({
  type,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
}: JSONSchema): string | null {
  const [least, most, unit] =
    type === 'string'
      ? [minLength, maxLength, ' characters']
      : type === 'array'
        ? [minItems, maxItems, ' items']
        : [minimum, maximum, ''];
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER;
  if (isBounded && least !== undefined) return `${number(least)} to ${number(most)}${unit}`;
  if (isBounded) return `up to ${number(most)}${unit}`;
  return least === undefined || least <= -Number.MAX_SAFE_INTEGER
    ? null
    : `at least ${number(least)}${least === 1 ? unit.replace(/s$/, '') : unit}`;
}

const defaultOf = (schema: JSONSchema): string | null =>
  schema.default === undefined || /default/i.test(schema.description ?? '')
    ? null
    : `default ${JSON.stringify(schema.default)}`;
