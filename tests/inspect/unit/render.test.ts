import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import type { RemoteObject } from '../../../extension/platform/chromium/console.ts';
import { cutText, renderArguments } from '../../../extension/inspect/worker/console/render.ts';

const text = (value: string): RemoteObject => ({ type: 'string', value });
const number = (value: number): RemoteObject => ({ type: 'number', value, description: String(value) });
const STUCK: RemoteObject = { type: 'object', subtype: 'error', description: 'Stuck', objectId: '1' };
const CAUSES = new Map([['1', { members: [{ name: 'cause', value: text('wind') }], isCut: false }]]);

it.each([
  ['%s and %s', [text('a'), text('b')], 'a and b'],
  ['%d %i %f', [number(4.7), number(-3.9), number(1.5)], '4 -3 1.5'],
  ['100%% of %s', [text('it')], '100% of it'],
  ['%s', [text('one'), text('more'), number(2)], 'one more 2'],
  ['%x %s', [text('a')], '%x a'],
  ['no specifier', [text('%s'), text('b')], 'no specifier %s b'],
  ['of %s', [STUCK], 'of Stuck\nCaused by: "wind"'],
])('format specifiers %j with %j', (format, args, expected) => {
  expect(renderArguments([text(format), ...args], CAUSES)).toBe(expected);
});

it('a cut is no longer than asked, well-formed, and leaves no part of a word behind', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 1, max: 100 }),
      (long, most) => {
        const cut = cutText(long, most);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(Math.max(most + 1, Math.min(long.length, most)));
        if (long.length <= most) expect(cut).toBe(long.toWellFormed());
        else expect(cut).toMatch(/(?:^|\s)…$/);
      },
    ),
  );
});
