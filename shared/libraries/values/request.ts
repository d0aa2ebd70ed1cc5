import { z } from 'zod';
import { Json } from '../../base/json-schema.ts';
import { STRATEGIES } from './plan.ts';

export const Strategy = z.enum(STRATEGIES);
export type Strategy = z.infer<typeof Strategy>;

/** A value in the page's form, and how it was found. */
export const FoundField = z.object({
  value: Json,
  strategy: Strategy,
  /** A CSS selector, XPath, or path of properties below the record's place. */
  selector: z.string(),
  /** How sure the match is, 0 to 1. */
  confidence: z.number().min(0).max(1),
});
export type FoundField = z.infer<typeof FoundField>;

/** One line of `page.extract`, and the content of a `found` line of `crawl.page`: a record before coercion. */
export const FoundRecord = z.object({
  strategy: Strategy,
  /** Position of the record: a CSS selector, or the script's position. */
  where: z.string(),
  /** Language of the document, which determines how its numbers and dates read. */
  lang: z.string().nullable(),
  /** By schema property; missing ones are left out. */
  fields: z.record(z.string(), FoundField),
});
export type FoundRecord = z.infer<typeof FoundRecord>;

/** For the error that names the strategies tried. */
export const TriedStrategy = z.object({
  strategy: Strategy,
  /** Candidates for records, whether they match or not. */
  records: z.int().min(0),
  /** Share of the schema that its best candidates cover, 0 to 1. */
  coverage: z.number().min(0).max(1),
});
export type TriedStrategy = z.infer<typeof TriedStrategy>;
