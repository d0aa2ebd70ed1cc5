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
export interface FieldPlan {
  readonly name: string;
  /** Normalised: the property's own name first, then its title and `x-aliases`. */
  readonly names: readonly string[];
  /** Normalised synonyms, from schema.org and everyday pages. */
  readonly synonyms: readonly string[];
  /** The normalised description; empty if there is none. */
  readonly hint: string;
  /** In the order of attempts; empty accepts any value. */
  readonly types: readonly FieldType[];
  readonly form: Form;
  /** The end of a range that the field asks for: `salary_min` is the low one. */
  readonly bound: 'low' | 'high' | null;
  /** `format` of the schema. */
  readonly format: string | null;
  /** The strings and numbers of `enum` and `const`. */
  readonly choices: readonly (string | number)[];
  readonly required: boolean;
  /** Properties of an object. */
  readonly fields: readonly FieldPlan[];
  /** Items of an array. */
  readonly item: FieldPlan | null;
}

export const FieldPlan: z.ZodMiniType<FieldPlan> = z.object({
  name: z.string(),
  names: z.array(z.string()),
  synonyms: z.array(z.string()),
  hint: z.string(),
  types: z.array(z.enum(FIELD_TYPES)),
  form: z.enum(FORMS),
  bound: z.nullable(z.enum(['low', 'high'])),
  format: z.nullable(z.string()),
  choices: z.array(z.union([z.string(), z.number()])),
  required: z.boolean(),
  get fields() {
    return z.array(FieldPlan);
  },
  get item() {
    return z.nullable(FieldPlan);
  },
});

/** Kinds of value that an explicit selector may request. */
export const SELECTOR_TYPES = ['text', 'html', 'number', 'date', 'url', 'boolean'] as const;

/** An explicit selector of a field. */
export interface SelectorPlan {
  /** CSS, or XPath if it begins with `/`, `./` or `(`. Null selects the record itself. */
  readonly selector: string | null;
  readonly attr: string | null;
  readonly type: (typeof SELECTOR_TYPES)[number] | null;
  readonly multiple: boolean;
  /** Selectors within each element that matches. */
  readonly fields: Readonly<Record<string, SelectorPlan>> | null;
}

export const SelectorPlan: z.ZodMiniType<SelectorPlan> = z.object({
  selector: z.nullable(z.string()),
  attr: z.nullable(z.string()),
  type: z.nullable(z.enum(SELECTOR_TYPES)),
  multiple: z.boolean(),
  get fields() {
    return z.nullable(z.record(z.string(), SelectorPlan));
  },
});

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
