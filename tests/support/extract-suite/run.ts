import { planJob } from '../../../server/extract/job.ts';
import { Columns } from '../../../shared/libraries/values/columns.ts';
import { coerce } from '../../../shared/libraries/values/coerce.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import type { Lab } from '../page-lab/start-lab.ts';
import type { PageFunctions } from '../page-lab/page-bundle.ts';
import type { Fields, GoldRecord } from './case.ts';
import { isWrapper, type LoadedCase } from './public-case.ts';

export interface Score {
  /** Returned values, and those among them that the page has in that record. */
  readonly returned: number;
  readonly right: number;
  readonly gold: number;
  readonly invented: number;
  readonly mistakes: readonly string[];
}

export const precisionOf = ({ returned, right }: Score): number => (returned === 0 ? 1 : right / returned);
export const recallOf = ({ gold, right }: Score): number => (gold === 0 ? 1 : right / gold);

export function sumOf(scores: readonly Score[]): Score {
  const total = (pick: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + pick(score), 0);
  return {
    returned: total((score) => score.returned),
    right: total((score) => score.right),
    gold: total((score) => score.gold),
    invented: total((score) => score.invented),
    mistakes: scores.flatMap(({ mistakes }) => mistakes),
  };
}

/** Compares records in the order of the page. A record without any right value is invented. */
function scoreRecords(found: readonly GoldRecord[], gold: readonly GoldRecord[]): Score {
  const pairs = align(found, gold);
  const mistakes: string[] = [];
  let returned = 0;
  let right = 0;
  let invented = 0;
  found.forEach((record, index) => {
    const at = pairs[index] ?? -1;
    const wanted = at < 0 ? undefined : gold[at];
    if (wanted === undefined) invented += 1;
    for (const [name, value] of Object.entries(record)) {
      if (value === null) continue;
      returned += 1;
      if (wanted !== undefined && isSame(value, wanted[name] ?? null)) right += 1;
      else mistakes.push(`${name}: ${say(value)} instead of ${say(wanted?.[name] ?? null)}`);
    }
  });
  const taken = new Set(pairs);
  gold.forEach((wanted, at) => {
    const record = taken.has(at) ? found[pairs.indexOf(at)] : undefined;
    for (const [name, value] of Object.entries(wanted))
      if (value !== null && (record?.[name] ?? null) === null)
        mistakes.push(`${name}: nothing instead of ${say(value)}`);
  });
  return { returned, right, gold: gold.reduce((sum, one) => sum + sizeOf(one), 0), invented, mistakes };
}

const sizeOf = (record: GoldRecord): number => Object.values(record).filter((value) => value !== null).length;

/** For each found record the best-matching gold record after the last one; -1 for none. */
function align(found: readonly GoldRecord[], gold: readonly GoldRecord[]): number[] {
  const free = new Set(gold.keys());
  return found.map((record) => {
    let best = -1;
    let most = 0;
    for (const at of free) {
      const agreed = Object.entries(record).filter(([name, value]) =>
        value === null ? false : isSame(value, gold[at]?.[name] ?? null),
      ).length;
      if (agreed > most) {
        most = agreed;
        best = at;
      }
    }
    free.delete(best);
    return best;
  });
}

const say = (value: JsonValue): string => JSON.stringify(value).slice(0, 70);

function isSame(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(squashed(a)) === JSON.stringify(squashed(b));
}

function squashed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim();
  return Array.isArray(value) ? value.map(squashed) : value;
}

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
  const columns = new Columns();
  for (const one of found) job.finish(one, columns);
  for (const one of found) {
    const { record } = job.finish(one, columns);
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

/** The part of a text that matches a wrapper's pattern. */
function partOf(value: JsonValue, pattern: string | undefined): JsonValue {
  if (pattern === undefined || typeof value !== 'string') return value;
  return new RegExp(pattern).exec(value)?.[1] ?? null;
}
