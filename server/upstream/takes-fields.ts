import { isObject, type JsonObject } from '../../shared/json.ts';

/** Words of a schema that may forbid a field that is added to its properties. */
const CLOSING = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'propertyNames',
  'maxProperties',
  'unevaluatedProperties',
  '$dynamicRef',
  'patternProperties',
  'const',
  'enum',
];
const FIELDS = ['output_mode', 'output_inline_limit_bytes'];

/** Whether the two output fields can be added to a schema: it has none of that name, and nothing that could forbid them. */
export function takesFields(schema: JsonObject): boolean {
  const { properties } = schema;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return !CLOSING.some((key) => key in schema) && !FIELDS.some((field) => own.includes(field));
}
