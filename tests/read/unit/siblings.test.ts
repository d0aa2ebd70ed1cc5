import { expect, test } from 'vitest';
import fc from '../../support/property.ts';
import { planSiblings, type Planned } from '../../../extension/read/page/skeleton/walk.ts';

const plan = (fine: string, coarse = fine): string =>
  planSiblings([...fine].map((each, index) => ({ fine: each, coarse: coarse[index] ?? each })))
    .map((planned) =>
      'show' in planned ? fine[planned.show] : `${planned.skipped}${planned.isLikeLast ? '=' : '*'}`,
    )
    .join('');

test.each([
  ['aaa', 'a2='],
  ['haaaaaf', 'ha4=f'],
  ['aaabaaa', 'a2=b3*'],
])('%s becomes %s', (shapes, planned) => expect(plan(shapes)).toBe(planned));

test('every sibling is shown or counted once, in order, and every shape is shown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('x', 'y'))),
      (pairs) => {
        const shapes = pairs.map(([fine, coarse]) => ({ fine: `${coarse}${fine}`, coarse }));
        const planned: readonly Planned[] = planSiblings(shapes);
        let next = 0;
        for (const each of planned) {
          if ('show' in each) expect(each.show).toBe(next++);
          else {
            next += each.skipped;
            expect(each.last).toBe(next - 1);
          }
        }
        expect(next).toBe(shapes.length);
        const shown = new Set(planned.flatMap((each) => ('show' in each ? [shapes[each.show]?.fine] : [])));
        expect(shown).toEqual(new Set(shapes.map(({ fine }) => fine)));
      },
    ),
  );
});
