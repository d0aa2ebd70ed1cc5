import { expect } from 'vitest';
import { planJob } from '../../../../server/tools/extract_data/job.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { FIELD_TYPES, fieldsOf } from '../../../support/extract-suite/case.ts';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { squash, testTogether } from '../table.ts';
import { CARD_CASES, EVIDENCE_CASES, SITE_CASES } from './card-cases.ts';
import { MACHINE_CASES, TABLE_CASES } from './table-cases.ts';

/**
 * Records of small pages. A case has the fields, a page, its records before coercion, parted by ` / ` and each value by ` | `, or an error
 * after `!`, and what is asked for: strategies, one record, and other options. What `«»` enclose is there three times, with numbers as
 * `№` and words as `§`.
 */
const lab = await openPageLab();

const TYPES = {
  ...FIELD_TYPES,
  offer: { type: 'object', properties: { price: { type: 'number' }, currency: { type: 'string' } } },
  rating: { type: 'object', properties: { value: { type: 'number' }, count: { type: 'integer' } } },
  parts: {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
  },
  level: { type: 'string', enum: ['Easy', 'Hard'] },
};
const WORDS = ['Ash', 'Birch', 'Cedar'];

const thrice = (cell: string, between: string): string =>
  cell.replace(/«(.*)»/, (_all, one: string) =>
    WORDS.map((word, at) => one.replaceAll('№', String(at + 1)).replaceAll('§', word)).join(between),
  );

function sayValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(sayValue).join('; ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(sayValue).join(' ');
  return String(value ?? '');
}

function jobOf(names: string, asked: string): ReturnType<typeof planJob> {
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(names.split(' '), TYPES)).map(([name, field]) => [
      name,
      typeof field === 'string' ? { type: field } : field,
    ]),
  );
  const [options = '{}'] = /\{.*\}/.exec(asked) ?? [];
  const words = asked.replace(options, '').trim().split(' ');
  const strategies = words.find((word) => word !== '' && word !== 'one');
  return planJob({
    schema: { type: 'object', properties },
    multiple: !words.includes('one'),
    explain: false,
    ...(strategies !== undefined && { strategies: strategies.split(',') }),
    ...JSON.parse(options),
  });
}

for (const cases of [TABLE_CASES, MACHINE_CASES, CARD_CASES, EVIDENCE_CASES, SITE_CASES])
  testTogether(
    'records',
    cases,
    (all) =>
      lab.call(
        'extractEach',
        all.map(
          ([names = '', html = '', , asked = '']) => [thrice(html, ''), jobOf(names, asked).request] as const,
        ),
      ),
    (found, names = '', _html, expected = '') => {
      const lineOf = (record: Readonly<Record<string, JsonValue>>): string =>
        names
          .split(' ')
          .map((name) => sayValue(record[name.replace(/:.*/, '')]))
          .join(' | ');
      const records = typeof found === 'string' ? `!${found}` : found.map(lineOf).join(' / ');
      expect(squash(records)).toBe(squash(thrice(expected, ' / ')));
    },
  );
