import { describe, expect, it } from 'vitest';
import { PROVIDED_NAME_PATTERN } from '../../../shared/tools/manifest.ts';
import { nameTools } from '../../../server/upstream/names.ts';
import fc from '../../support/property.ts';
import { takesFields } from '../../../server/upstream/takes-fields.ts';

const nobody = (_name: string): boolean => false;
const namesOf = (sources: Parameters<typeof nameTools>[0], isTaken = nobody): string[] =>
  nameTools(sources, isTaken).map(({ name }) => name);

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
const short = fc.constantFrom('a', 'b', 'a_b', 'b_c', 'c', 'a_b_c', 'a.b', 'b.c', 'a-b', 'a/b', 'é');
const rawName = fc.oneof(short, fc.string({ minLength: 1, maxLength: 100 }));
const sources = fc.uniqueArray(
  fc.record({ id: fc.oneof(id, fc.constantFrom('a', 'a_b', 'b')), rawNames: fc.array(rawName) }),
  { selector: (source) => source.id },
);

describe('names of upstream tools', () => {
  it('each is one that clients take, and no other tool has', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const taken = (name: string): boolean => name.endsWith('c');
        const names = namesOf(all, taken);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(PROVIDED_NAME_PATTERN);
        expect(names.filter(taken)).toEqual([]);
        expect(names).toHaveLength(all.reduce((sum, { rawNames }) => sum + new Set(rawNames).size, 0));
      }),
    );
  });

  it('two ids that make one name keep it apart, and the longer id has the plain one', () => {
    const sources = [
      { id: 'a', rawNames: ['b_c'] },
      { id: 'a_b', rawNames: ['c'] },
    ];
    expect(nameTools([{ id: 'my-a', rawNames: ['files.read'] }], nobody)[0]?.name).toBe('my-a_files_read');
    const name = expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/);
    expect(nameTools(sources, nobody)).toEqual([
      { id: 'a', rawName: 'b_c', name, why: 'it could be a tool of a_b' },
      { id: 'a_b', rawName: 'c', name: 'a_b_c', why: null },
    ]);
  });
});

it.each([
  [{ type: 'object' }, true],
  [{ type: 'object', properties: { a: {} }, additionalProperties: false }, true],
  [{ type: 'object', properties: { output_mode: {} } }, false],
  [{ type: 'object', patternProperties: { '^.*$': { type: 'number' } } }, false],
  [{ type: 'object', const: {} }, false],
  [{ type: 'object', enum: [{}] }, false],
  [{ type: 'object', maxProperties: 1 }, false],
  [{ type: 'object', oneOf: [{ required: ['a'] }] }, false],
])('whether fields can be added to %j: %j', (schema, isTaken) => {
  expect(takesFields(schema)).toBe(isTaken);
});
