import { z } from 'zod';
import { Json, JsonRecord } from '../json.ts';

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

/** What the page side needs to find candidates; coercion and validation are the server's. */
export const ExtractRequest = z.object({
  /** JSON Schema 2020-12 of one record. */
  schema: JsonRecord,
  strategies: z.array(Strategy).min(1),
  /** Per field: a CSS selector or XPath, or an object; see `extract_data`. */
  selectors: JsonRecord.nullable(),
  /** CSS selector of the part to search, or of each record with `multiple`. */
  scope: z.string().max(2_000).nullable(),
  multiple: z.boolean(),
});
export type ExtractRequest = z.infer<typeof ExtractRequest>;

/** One line of `page.extract`, and what stands in a `found` line of `crawl.page`: a record as a strategy found it, before coercion. */
export const FoundRecord = z.object({
  strategy: Strategy,
  /** Where the record stands: a CSS selector, or the script's position. */
  where: z.string(),
  /** Per schema property: the raw value, how it was found, and how sure that is (0 to 1). */
  fields: z.record(
    z.string(),
    z.object({ value: Json, selector: z.string(), confidence: z.number().min(0).max(1) }),
  ),
});
export type FoundRecord = z.infer<typeof FoundRecord>;
