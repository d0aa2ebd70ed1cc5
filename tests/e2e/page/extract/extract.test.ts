import { describe, expect, test } from 'vitest';
import { planJob } from '../../../../server/tools/extract_data/job.ts';
import type { ExtractRequest } from '../../../../shared/extract/plan.ts';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { CARD_CASES } from './card-cases.ts';
import { EVIDENCE_CASES } from './evidence-cases.ts';
import type { ExtractOptions, Fields } from './cases.ts';
import { MACHINE_CASES } from './machine-cases.ts';
import { PRECISION_CASES } from './precision-cases.ts';
import { SITE_CASES } from './site-cases.ts';
import { TABLE_CASES } from './table-cases.ts';

/** Records of small pages, strategy by strategy. */
const lab = await openPageLab();

function requestOf(fields: Fields, options: ExtractOptions): ExtractRequest {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field === 'string' ? { type: field } : field,
    ]),
  );
  const schema = { type: 'object', properties };
  return planJob({ schema, multiple: true, explain: false, ...options }).request;
}

for (const [area, cases] of Object.entries({
  ...TABLE_CASES,
  ...MACHINE_CASES,
  ...CARD_CASES,
  ...EVIDENCE_CASES,
  ...PRECISION_CASES,
  ...SITE_CASES,
}))
  describe(area, () => {
    test.each(Object.entries(cases))('%s', async (_title, [html, fields, expected, options = {}]) => {
      expect(await lab.call('extract', html, requestOf(fields, options))).toEqual(expected);
    });
  });
