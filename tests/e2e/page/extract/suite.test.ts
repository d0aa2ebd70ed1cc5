import { expect, test } from 'vitest';
import { measureCase } from '../../../support/extract-suite/run.ts';
import { loadOwn } from '../../../support/extract-suite/suite.ts';
import { openPageLab } from '../../../support/page-lab/lab.ts';

/** What `extract_data` finds in the pages of the suite, compared with what a person reads there. */
const lab = await openPageLab();

/** Of pages that are not read in full: values that were returned, those among them that are right, and those that are there. */
const PARTLY: Readonly<Record<string, readonly [returned: number, right: number, gold: number]>> = {};

test.each([...loadOwn('dev'), ...loadOwn('held')].map((page) => [page.type, page] as const))(
  '%s',
  async (type, page) => {
    const { returned, right, gold, invented } = await measureCase(lab, page);
    expect(invented).toBe(0);
    expect([returned, right, gold]).toEqual(PARTLY[type] ?? [gold, gold, gold]);
  },
);
