import { z } from 'zod';

/** What a field is looked for by, where its name or format tells: a link's address is no text. */
export const FORMS = [
  'text',
  'url',
  'image',
  'date',
  'email',
  'html',
  'title',
  'prose',
  'money',
  'rating',
] as const;
export type Form = (typeof FORMS)[number];

export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * One property of a schema, as the engine in the page and the coercion in the server need it:
 * references are resolved, names are normalised, and its depth is bounded.
 */
export interface FieldPlan {
  readonly name: string;
  /** Normalised: the property's own name first, then its title and `x-aliases`. */
  readonly names: readonly string[];
  /** Normalised words that mean the same, of schema.org and everyday pages. */
  readonly synonyms: readonly string[];
  /** The normalised description; empty when there is none. */
  readonly hint: string;
  /** In the order in which they are tried; empty takes any value. */
  readonly types: readonly FieldType[];
  readonly form: Form;
  /** `format` of the schema. */
  readonly format: string | null;
  /** Of `enum` and `const`: the strings and numbers. */
  readonly choices: readonly (string | number)[];
  readonly required: boolean;
  /** Properties of an object. */
  readonly fields: readonly FieldPlan[];
  /** Items of an array. */
  readonly item: FieldPlan | null;
}

export const FieldPlan: z.ZodType<FieldPlan> = z.object({
  name: z.string(),
  names: z.array(z.string()),
  synonyms: z.array(z.string()),
  hint: z.string(),
  types: z.array(z.enum(FIELD_TYPES)),
  form: z.enum(FORMS),
  format: z.string().nullable(),
  choices: z.array(z.union([z.string(), z.number()])),
  required: z.boolean(),
  get fields() {
    return z.array(FieldPlan);
  },
  get item() {
    return FieldPlan.nullable();
  },
});

/** Kinds of value that an explicit selector may ask for. */
export const SELECTOR_TYPES = ['text', 'html', 'number', 'date', 'url', 'boolean'] as const;

/** An explicit selector of a field. */
export interface SelectorPlan {
  /** CSS, or XPath when it begins with `/`, `./` or `(`. Null takes the record itself. */
  readonly selector: string | null;
  readonly attr: string | null;
  readonly type: (typeof SELECTOR_TYPES)[number] | null;
  readonly multiple: boolean;
  /** Selectors within each element that matches. */
  readonly fields: Readonly<Record<string, SelectorPlan>> | null;
}

export const SelectorPlan: z.ZodType<SelectorPlan> = z.object({
  selector: z.string().nullable(),
  attr: z.string().nullable(),
  type: z.enum(SELECTOR_TYPES).nullable(),
  multiple: z.boolean(),
  get fields() {
    return z.record(z.string(), SelectorPlan).nullable();
  },
});
