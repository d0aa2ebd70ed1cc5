import { z } from 'zod';
import {
  textField,
  RunAnswerFields,
  scrollFields,
  tabField,
  obvious,
  defineTool,
} from '../core/tools/manifest.ts';
import { Strategy, TriedStrategy } from '../libraries/values/request.ts';
import { OutputDescriptor } from '../core/descriptor.ts';
import type { StepRisk } from '../core/policy/call-risks.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Risk } from '../core/policy/risks.ts';

/** Pages of a run were read before. The way to the next page may be a control, which is clicked. */
function risksOfExtract({ run, paginate }: JsonObject): readonly StepRisk[] {
  if (run !== undefined) return [];
  const isPaged = isObject(paginate) && paginate['scroll'] !== true;
  const risks: readonly Risk[] = isPaged ? ['read', 'input', 'submit', 'navigate', 'download'] : ['read'];
  return risks.map((risk) => ({ risk, step: null }));
}

const OTHERS = [...Object.keys(RunAnswerFields.shape), ...Object.keys(OutputDescriptor.shape)];

/**
 * A record, `{ items }`, a run or a descriptor. The caller's schema names the fields of a record, which may
 * clash with those of the others, so none of them has a type.
 */
const ExtractDataFields = z.looseObject(
  Object.fromEntries(OTHERS.map((key) => [key, z.unknown().optional()])),
);

export const extractData = defineTool({
  name: 'extract_data',
  title: 'Extract data',
  category: 'capture',
  tier: 2,
  order: 60,
  risk: 'reads_page',
  risksOf: risksOfExtract,
  does: 'Extracts records of a JSON Schema from structured data, tables and lists.',
  use: 'Set multiple for one item per record.',
  avoid: 'Not for prose.',
  keywords: 'scrape table list prices products json structured collect',
  input: z.strictObject({
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of one record'),
    tab: tabField.optional(),
    run: textField(64).optional().describe('run_id of a crawl'),
    multiple: z.boolean().default(false).describe('All records'),
    selectors: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Field to CSS, XPath (//…) or {selector, attr, type, fields, multiple}'),
    scope: textField(2_000).optional().describe('CSS selector of area or records'),
    strategies: z.array(Strategy).min(1).optional().describe('Such as json_ld, tables; default all in order'),
    paginate: z
      .strictObject({
        next: textField(2_000).optional().describe('CSS selector of the next link'),
        scroll: z.boolean().optional().describe('As scroll: "to_end"'),
        max_pages: z.int().min(1).max(1_000).default(10).describe('Page limit'),
      })
      .optional()
      .describe('{next: CSS, max_pages}'),
    ...scrollFields,
    explain: z.boolean().default(false).meta(obvious('Add provenance')),
  }),
  output: ExtractDataFields,
  shown: {
    value: z.object({ items: z.array(z.unknown()) }),
    state: z.object({
      records: z.int(),
      hidden_records: z.int(),
      pages: z.int(),
      strategies: z.record(z.string(), z.int()),
      problems: z.record(
        z.string(),
        z.object({
          missing: z.int(),
          invalid: z.int(),
          first_invalid: z.object({ record: z.int(), reason: z.string() }).optional(),
        }),
      ),
      tried: z.array(TriedStrategy),
    }),
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  spills: true,
  runs: true,
  faces: { panel: ['Inspector', 'Render', 'Streaming', 'Intervention'] },
});

export const manifests = [extractData] as const;
