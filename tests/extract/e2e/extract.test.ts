import { expect } from 'vitest';
import { planJob } from '../../../server/extract/job.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { FIELD_TYPES, fieldsOf } from '../../support/extract-suite/case.ts';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { squash } from '../../support/page-lab/texts.ts';
import { testPagesTogether } from '../../support/page-cases.ts';

/** Records of small pages, before coercion. */
const lab = await openPageLab();
const NUMBER = { type: 'number' };
const TYPES = {
  ...FIELD_TYPES,
  offer: { type: 'object', properties: { price: NUMBER, currency: { type: 'string' } } },
  rating: { type: 'object', properties: { value: NUMBER, count: { type: 'integer' } } },
  parts: {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, price: NUMBER } },
  },
  level: { type: 'string', enum: ['Easy', 'Hard'] },
};
function sayValue(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(sayValue).join('; ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(sayValue).join(' ');
  return String(value ?? '');
}

interface Records {
  readonly fields: readonly string[];
  readonly records?: readonly Readonly<Record<string, string>>[];
  readonly error?: string;
}

function jobOf({
  fields,
  records: _records,
  error: _error,
  ...options
}: Records): ReturnType<typeof planJob> {
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(fields, TYPES)).map(([name, field]) => [
      name,
      typeof field === 'string' ? { type: field } : field,
    ]),
  );
  return planJob({ schema: { type: 'object', properties }, multiple: true, explain: false, ...options });
}

testPagesTogether(
  'records',
  ['extract/records'],
  (all) =>
    lab.call('extractEach', [
      ...all.map((page) => [page.html, jobOf(page.json<Records>()).request] as const),
    ]),
  (found, page) => {
    const { fields, records, error } = page.json<Records>();
    if (typeof found === 'string') return expect(found).toBe(error);
    const saidOf = (record: Readonly<Record<string, JsonValue>>): [string, string][] =>
      fields
        .map((field) => field.replace(/:.*/, ''))
        .map((name): [string, string] => [name, squash(sayValue(new Map(Object.entries(record)).get(name)))])
        .filter(([, said]) => said !== '');
    expect(found.map((record) => Object.fromEntries(saidOf(record)))).toEqual(records);
  },
);
