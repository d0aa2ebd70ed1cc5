import { describe, expect, it } from 'vitest';
import { PROVIDED_NAME_PATTERN } from '../../../shared/tools/manifest.ts';
import { distinctIds, nameTools } from '../../../server/upstream/names.ts';
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

describe('names of upstream tools', () => {
  it.each([
    ['github', 'getIssue', 'github_getIssue'],
    ['my-files', 'read-file', 'my-files_read-file'],
    ['a', 'files.read', 'a_files_read'],
  ])('%s and %s are %s', (source, raw, name) => {
    expect(namesOf([{ id: source, rawNames: [raw] }])).toEqual([name]);
  });

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

  it('depends on no upstream that is not connected yet', () => {
    fc.assert(
      fc.property(sources, fc.nat(), (all, pick) => {
        const whole = nameTools(all, nobody);
        const away = all[pick % Math.max(1, all.length)]?.id;
        const without = nameTools(
          all.map((source) => (source.id === away ? { ...source, rawNames: [] } : source)),
          nobody,
        );
        expect(without).toEqual(whole.filter((each) => each.id !== away));
      }),
    );
  });

  it('two ids that make one name keep it apart, and the longer id has the plain one', () => {
    const sources = [
      { id: 'a', rawNames: ['b_c'] },
      { id: 'a_b', rawNames: ['c'] },
    ];
    const name = expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/);
    expect(nameTools(sources, nobody)).toEqual([
      { id: 'a', rawName: 'b_c', name, why: 'it could be a tool of a_b' },
      { id: 'a_b', rawName: 'c', name: 'a_b_c', why: null },
    ]);
  });

  it('one of ours stays ours', () => {
    const named = nameTools([{ id: 'read', rawNames: ['page'] }], (name) => name === 'read_page');
    expect(named[0]).toMatchObject({ why: 'a tool of Spillway has this name' });
    expect(named[0]?.name).toMatch(/^read_page_[0-9a-f]{8}$/);
  });

  it('a long one is shortened to 64, with a hash of the whole', () => {
    const [first = '', second = ''] = namesOf([{ id: 'a', rawNames: ['x'.repeat(100), 'x'.repeat(101)] }]);
    expect([first.length, second.length]).toEqual([64, 64]);
    expect(first).not.toBe(second);
  });

  it('the second upstream of an id gets a number', () => {
    expect(distinctIds(['a', 'a', 'a_2', 'a', 'b'])).toEqual(['a', 'a_3', 'a_2', 'a_4', 'b']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a_2', 'b')), (ids) => {
        expect(new Set(distinctIds(ids)).size).toBe(ids.length);
      }),
    );
  });
});
