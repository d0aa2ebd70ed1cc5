import * as z from 'zod/mini';

/** A link's address is not text. */
export const FORMS = [
  'text',
  'url',
  'image',
  'date',
  'email',
  'phone',
  'html',
  'title',
  'prose',
  'money',
  'rating',
  'stock',
] as const;
export type Form = (typeof FORMS)[number];

export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * One property of a schema, for the engine in the page and the coercion in the server: references are
 * resolved, names are normalised, and its depth is bounded.
 */
export const FieldPlan = z.object({
  name: z.string(),
  /** Normalised: the property's own name first, then its title and `x-aliases`. */
  names: z.array(z.string()),
  /** Normalised synonyms, from schema.org and everyday pages. */
  synonyms: z.array(z.string()),
  /** The normalised description; empty if there is none. */
  hint: z.string(),
  /** In the order of attempts; empty accepts any value. */
  types: z.array(z.enum(FIELD_TYPES)),
  form: z.enum(FORMS),
  /** The end of a range that the field asks for: `salary_min` is the low one. */
  bound: z.nullable(z.enum(['low', 'high'])),
  /** `format` of the schema. */
  format: z.nullable(z.string()),
  /** The strings and numbers of `enum` and `const`. */
  choices: z.array(z.union([z.string(), z.number()])),
  required: z.boolean(),
  /** Properties of an object. */
  get fields(): z.ZodMiniArray<typeof FieldPlan> {
    return z.array(FieldPlan);
  },
  /** Items of an array. */
  get item(): z.ZodMiniNullable<typeof FieldPlan> {
    return z.nullable(FieldPlan);
  },
});
export type FieldPlan = z.infer<typeof FieldPlan>;

/** Kinds of value that an explicit selector may request. */
export const SELECTOR_TYPES = ['text', 'html', 'number', 'date', 'url', 'boolean'] as const;

/** An explicit selector of a field. */
export const SelectorPlan = z.object({
  /** CSS, or XPath if it begins with `/`, `./` or `(`. Null selects the record itself. */
  selector: z.nullable(z.string()),
  attr: z.nullable(z.string()),
  type: z.nullable(z.enum(SELECTOR_TYPES)),
  multiple: z.boolean(),
  /** Selectors within each element that matches. */
  get fields(): z.ZodMiniNullable<z.ZodMiniRecord<z.ZodMiniString<string>, typeof SelectorPlan>> {
    return z.nullable(z.record(z.string(), SelectorPlan));
  },
});
export type SelectorPlan = z.infer<typeof SelectorPlan>;

/** Ways to find data in a page, in the order of attempts. */
export const STRATEGIES = [
  'selectors',
  'json_ld',
  'microdata',
  'rdfa',
  'meta',
  'tables',
  'definition_lists',
  'detail',
  'repeated',
] as const;

/**
 * The page's input for finding records; schema, coercion and validation stay on the server. A schema of Zod's
 * small build, because content scripts parse it too.
 */
export const ExtractRequest = z.object({
  /** The properties of one record. */
  fields: z.array(FieldPlan),
  strategies: z.array(z.enum(STRATEGIES)).check(z.minLength(1)),
  /** Explicit selectors by field, or null. */
  selectors: z.nullable(z.record(z.string(), SelectorPlan)),
  /** CSS selector of the part to search, or of each record with `multiple`. */
  scope: z.nullable(z.string().check(z.maxLength(2_000))),
  multiple: z.boolean(),
  /** Whether positions of values were requested: otherwise `where` and `selector` are empty, and cost nothing. */
  explain: z.optional(z.boolean()),
});
export type ExtractRequest = z.infer<typeof ExtractRequest>;
