import type { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { type FieldPlan, STRATEGIES, type ExtractRequest } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { extractData } from '../../../shared/tools/extract_data/manifest.ts';
import { planFields } from './plan.ts';
import { explainRecord, finishRecord, type FinishedRecord } from './record.ts';
import { compileSchema, type RecordSchema } from '../../toolkit/record-schema/schema.ts';
import { planSelectors, withSelectors } from './selectors.ts';

export type ExtractArgs = z.output<typeof extractData.input>;

/** A call's arguments, checked: what to look for, and how to finish what is found. */
export interface ExtractJob {
  readonly request: ExtractRequest;
  readonly fields: readonly FieldPlan[];
  readonly schema: RecordSchema;
  readonly finish: (found: FoundRecord) => Promise<FinishedRecord>;
  /** A finished record as the caller asked to see it. */
  readonly present: (finished: FinishedRecord) => JsonObject;
}

/** What a search is made of, in a call and in the run of one. */
export interface JobArgs {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly selectors?: Readonly<Record<string, unknown>> | undefined;
  readonly strategies?: ExtractArgs['strategies'];
  readonly scope?: string | undefined;
  readonly multiple: boolean;
  readonly explain: boolean;
}

/**
 * Checks schema and selectors before any page is touched.
 * @throws SpillwayError `schema_invalid`, `selector_invalid`, `invalid_argument`
 */
export function planJob(args: JobArgs): ExtractJob {
  const schema = compileSchema(args.schema);
  const selectors = args.selectors === undefined ? null : planSelectors(args.selectors);
  const fields = withSelectors(planFields(schema.schema), selectors ?? {});
  if (fields.length === 0)
    throw new SpillwayError(
      'schema_invalid',
      'schema/properties: has no fields; describe the properties of one record.',
    );
  const strategies =
    args.strategies ?? (selectors === null ? STRATEGIES.filter((name) => name !== 'selectors') : STRATEGIES);
  if (selectors === null && strategies.every((name) => name === 'selectors'))
    throw new SpillwayError(
      'invalid_argument',
      'strategies: selectors alone finds nothing without selectors.',
    );
  const finish = async (found: FoundRecord): Promise<FinishedRecord> => {
    await schema.rest();
    return finishRecord(found, fields, schema);
  };
  return {
    request: {
      fields,
      strategies: [...new Set(strategies)],
      selectors,
      scope: args.scope ?? null,
      multiple: args.multiple,
      explain: args.explain,
    },
    fields,
    schema,
    finish,
    present: (finished) => (args.explain ? explainRecord(finished) : finished.record),
  };
}

/** Patterns that were given up, as a note. */
export function patternNotes({ skippedPatterns }: RecordSchema): string[] {
  return [...skippedPatterns].map(
    (pattern) =>
      `Pattern ${pattern.slice(0, 80)} took too long on this page and was not checked on every value.`,
  );
}
