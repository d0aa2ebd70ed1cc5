import { z } from 'zod';
import { Json } from '../json.ts';
import { FieldPlan, SelectorPlan } from './plan.ts';

/** Ways to find data in a page, in the order in which they are tried. */
export const STRATEGIES = [
  'selectors',
  'json_ld',
  'microdata',
  'rdfa',
  'meta',
  'tables',
  'definition_lists',
  'repeated',
] as const;
export const Strategy = z.enum(STRATEGIES);
export type Strategy = z.infer<typeof Strategy>;

/** What the page side needs to find records; schema, coercion and validation are the server's. */
export const ExtractRequest = z.object({
  /** The properties of one record. */
  fields: z.array(FieldPlan),
  strategies: z.array(Strategy).min(1),
  /** Explicit selectors by field, or null. */
  selectors: z.record(z.string(), SelectorPlan).nullable(),
  /** CSS selector of the part to search, or of each record with `multiple`. */
  scope: z.string().max(2_000).nullable(),
  multiple: z.boolean(),
  /** Whether anybody asks where a value stands: else `where` and `selector` are empty, and cost nothing. */
  explain: z.boolean().optional(),
});
export type ExtractRequest = z.infer<typeof ExtractRequest>;

/** A value as it stands in the page, and how it was found. */
export const FoundField = z.object({
  value: Json,
  /** Another one than the record's where a gap was filled. */
  strategy: Strategy,
  /** A CSS selector, XPath, or path of properties below the record's place. */
  selector: z.string(),
  /** How sure the match is, 0 to 1. */
  confidence: z.number().min(0).max(1),
});
export type FoundField = z.infer<typeof FoundField>;

/** One line of `page.extract`, and what stands in a `found` line of `crawl.page`: a record before coercion. */
export const FoundRecord = z.object({
  strategy: Strategy,
  /** Where the record stands: a CSS selector, or the script's position. */
  where: z.string(),
  /** Language of the document, which says how its numbers and dates read. */
  lang: z.string().nullable(),
  /** Per schema property; what was not found is left out. */
  fields: z.record(z.string(), FoundField),
});
export type FoundRecord = z.infer<typeof FoundRecord>;

/** What a strategy saw: for the error that names what was tried. */
export const TriedStrategy = z.object({
  strategy: Strategy,
  /** Candidates for records, whether they fit or not. */
  records: z.int().min(0),
  /** Share of the schema that its best candidates cover, 0 to 1. */
  coverage: z.number().min(0).max(1),
});
export type TriedStrategy = z.infer<typeof TriedStrategy>;
