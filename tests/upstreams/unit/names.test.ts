import { expect, it } from 'vitest';
import { nameTools } from '../../../server/upstreams/names.ts';
import fc from '../../support/property.ts';

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

it('names of upstream tools each is one that clients take, and no other tool has', () => {
  fc.assert(
    fc.property(sources, (all) => {
      const taken = (name: string): boolean => name.endsWith('c');
      const names = namesOf(all, taken);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,48}$/);
      expect(names.filter(taken)).toEqual([]);
      expect(names).toHaveLength(all.reduce((sum, { rawNames }) => sum + new Set(rawNames).size, 0));
    }),
  );
});
