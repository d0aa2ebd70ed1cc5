import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../shared/json.ts';

/** One field of a form. It is also what MCP's elicitation takes, so that each surface can show each form. */
const FormField = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  title: z.string().max(200).optional(),
  description: z.string().max(1_000).optional(),
  enum: z.array(z.string().max(200)).min(1).max(100).optional(),
  minLength: z.number().int().min(0).optional(),
  maxLength: z.number().int().min(0).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/**
 * What a form asks for: JSON Schema of an object whose members are scalars. There are no patterns, since a model
 * writes it and a person's text is matched against it.
 */
export const FormSchema = z
  .object({
    type: z.literal('object'),
    properties: z
      .record(z.string().min(1).max(100), FormField)
      .refine((fields) => Object.keys(fields).length > 0, 'a form has at least one field')
      .refine((fields) => Object.keys(fields).length <= 50, 'a form has at most 50 fields'),
    required: z.array(z.string()).max(50).optional(),
  })
  .refine(({ properties, required = [] }) => required.every((name) => Object.hasOwn(properties, name)), {
    path: ['required'],
    message: 'names a field that the form does not have',
  });

/** A form that a person fills in. */
export type Form = z.infer<typeof FormSchema>;

type Field = z.infer<typeof FormField>;

/** What is wrong with a filled-in form; null where it fits. */
export function formProblem({ properties, required = [] }: Form, values: JsonObject): string | null {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    return `${unknown.slice(0, 80)}: unknown field; the form has ${Object.keys(properties).join(', ')}`;
  for (const [name, field] of Object.entries(properties)) {
    const value = values[name];
    if (value === undefined || value === '') {
      if (required.includes(name)) return `${name}: is required`;
      continue;
    }
    const problem = fieldProblem(field, value);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

function fieldProblem(field: Field, value: JsonValue): string | null {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'takes true or false';
    case 'string':
      return typeof value === 'string' ? textProblem(field, value) : 'takes a text';
    case 'integer':
      return Number.isInteger(value) ? rangeProblem(field, Number(value)) : 'takes a whole number';
    case 'number':
      return typeof value === 'number' ? rangeProblem(field, value) : 'takes a number';
  }
}

function textProblem(
  { enum: allowed, minLength = 0, maxLength = Infinity }: Field,
  text: string,
): string | null {
  if (allowed !== undefined && !allowed.includes(text)) return `takes one of ${allowed.join(', ')}`;
  return text.length < minLength || text.length > maxLength
    ? `takes ${minLength} to ${maxLength} characters`
    : null;
}

const rangeProblem = ({ minimum = -Infinity, maximum = Infinity }: Field, value: number): string | null =>
  value < minimum || value > maximum ? `takes ${minimum} to ${maximum}` : null;
