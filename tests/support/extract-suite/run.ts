import { planJob } from '../../../server/tools/extract_data/job.ts';
import { coerce } from '../../../shared/extract/coerce.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { Lab } from '../page-lab/start-lab.ts';
import type { PageFunctions } from '../page-lab/page-bundle.ts';
import type { Fields, GoldRecord } from './case.ts';
import { isWrapper, type LoadedCase } from './public-case.ts';
import { scoreRecords, type Score } from './score.ts';

const schemaOf = (fields: Fields, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field === 'string' ? { type: field } : field,
    ]),
  ),
  required: [...required],
});

/** Extracts the records of a page as `extract_data` does, and compares them with its gold records. */
export async function measureCase(lab: Lab<PageFunctions>, given: LoadedCase): Promise<Score> {
  const { html, fields, required, multiple, scope } = given;
  const job = planJob({ schema: schemaOf(fields, required), multiple, explain: false, scope });
  const found = await lab.call('find', html, job.request);
  const records: GoldRecord[] = [];
  for (const one of found) {
    const { record } = await job.finish(one);
    records.push(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? null])));
  }
  return scoreRecords(records, await goldOf(lab, given));
}

async function goldOf(
  lab: Lab<PageFunctions>,
  { html, gold, fields }: LoadedCase,
): Promise<readonly GoldRecord[]> {
  if (!isWrapper(gold)) return gold;
  const plans = planJob({ schema: schemaOf(fields), multiple: true, explain: false }).fields;
  const rows = await lab.call('pick', html, gold);
  return rows.map((row) =>
    Object.fromEntries(
      plans.map((plan) => {
        const text = partOf(row[plan.name] ?? null, gold.patterns?.[plan.name]);
        const { value } = coerce(plan, text, { lang: 'en', isMachine: false });
        return [plan.name, value];
      }),
    ),
  );
}

/** The part of a text that a wrapper's pattern names. */
function partOf(value: JsonValue, pattern: string | undefined): JsonValue {
  if (pattern === undefined || typeof value !== 'string') return value;
  return new RegExp(pattern).exec(value)?.[1] ?? null;
}
