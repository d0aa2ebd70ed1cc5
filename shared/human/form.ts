import { z } from 'zod';

/** One field of a form. MCP's elicitation accepts the same, so every surface can show every form. */
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
 * The schema of a form: JSON Schema of an object whose members are scalars. There are no patterns, since a
 * model writes it and a person's text is matched against it.
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
