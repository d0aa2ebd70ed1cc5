import { expect, it } from 'vitest';
import { clean } from '../../../server/libraries/redaction/clean.ts';
import { vouch } from '../../../server/libraries/redaction/mark.ts';
import { liftCalls } from '../../../server/recipes/lift.ts';
import { OwnCalls } from '../../../server/recipes/recipes.ts';
import { findDescriptions, parseLine } from '../../../server/recipes/page-lines.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import { checkRecipe } from '../../../shared/recipes/check.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { createSession } from '../../support/session.ts';

const SNAPSHOT = `# Shop
[e1 Home -> https://a.test/] [e2 Shop]
## Delivery
e4 textbox [hint "5 digits"] Code
e5 combobox Country = NL (NL|IR|JP)
## Invoice
~ f1e9 button Pause (was Play)
e6 button Save`;

it.each<[string, string, string, string, string?]>([
  ['e13 button Save · row "Invoice 7"', 'e13', 'button', 'Save', 'row "Invoice 7"'],
  ['e8 combobox Country = NL (NL|IR|JP) · under "A"', 'e8', 'combobox', 'Country', 'under "A"'],
  ['+ f2e17 button Log out', 'f2e17', 'button', 'Log out'],
  ['e4 Wheat flour · under "Shop"', 'e4', 'link', 'Wheat flour', 'under "Shop"'],
  ['e6 link [visited] Mill', 'e6', 'link', 'Mill'],
  ['e9 A · B · row "C · D"', 'e9', 'link', 'A · B', 'row "C · D"'],
  ['e10 "Total = 5 (a|b)"', 'e10', 'link', 'Total = 5 (a|b)'],
  ['~ e13 button Less (was More)', 'e13', 'button', 'Less'],
])('a line of a page %s', (line, ref, role, name, near) => {
  expect(parseLine(line)).toEqual({ ref, role, name, ...(near === undefined ? {} : { near }) });
});

it('finds elements of every role within a line’s text, and rows of a table', () => {
  const table = `## [e9 Invoices]
@table
No|What
Invoice 7|[e2 button Edit] [e3 view -> https://a.test/7] [e4 checkbox [checked] pick] [e5 textbox Note = x7]
e8 Invoice 8 \\| b|e10 button Pay
e11 combobox Sort (A|Z)
Text with [e6 button [pressed] inline] and [e7 "A = (B|C)"].`;
  const near = 'row "Invoice 7"';
  expect(Object.fromEntries(findDescriptions(table))).toEqual({
    e9: { role: 'link', name: 'Invoices', near: 'under "Invoices"' },
    e2: { role: 'button', name: 'Edit', near },
    e3: { role: 'link', name: 'view', near },
    e4: { role: 'checkbox', name: 'pick', near },
    e5: { role: 'textbox', name: 'Note', near },
    e8: { role: 'link', name: 'Invoice 8 | b', near: 'row "Pay"' },
    e10: { role: 'button', name: 'Pay', near: 'row "Invoice 8 | b"' },
    e11: { role: 'combobox', name: 'Sort', near: 'under "Invoices"' },
    e6: { role: 'button', name: 'inline', near: 'under "Invoices"' },
    e7: { role: 'link', name: 'A = (B|C)', near: 'under "Invoices"' },
  });
});

const session = createSession('own');
const ended = (own: OwnCalls, tool: string, args: JsonObject, text = '', handle?: string): void =>
  own.add(
    { callId: 'x', tool, args, session, signal: session.signal },
    {
      ok: true,
      content: [{ type: 'text', text: text === '' ? clean`done` : vouch(text) }],
      state: {},
      ...(handle === undefined ? {} : { descriptor: { output_handle: handle } as never }),
    },
  );
const REQUEST = { name: 'order', title: 'Order', description: 'Orders.', parameters: {} };

const work = (): OwnCalls => {
  const own = new OwnCalls();
  ended(own, 'navigate', { url: 'https://a.test/order?city=Ede', tab: 'b1:4' });
  ended(own, 'recipe_search', {});
  ended(own, 'read_page', { format: 'snapshot', tab: 'b1:4' }, SNAPSHOT);
  ended(own, 'interact', {
    tab: 'b1:4',
    fields: { e4: '{{12345}}' },
    steps: ['fill label=City Ede', 'Shift+click e6', { do: 'click', target: 'css=a' }],
  });
  ended(own, 'crawl', { url: 'https://a.test/', limit: 7 }, '{}', 'oh_AAAAAAAAAAAA');
  ended(own, 'oc_output_query', { output_handle: 'oh_AAAAAAAAAAAA', limit: 7 });
  return own;
};

it('calls of a session become a recipe that names elements and parameters', () => {
  const definition = liftCalls(work().of(session), {
    ...REQUEST,
    calls: [1, 2, 3, 5],
    parameters: { city: 'Ede', many: 7 },
  });
  expect(definition['steps']).toEqual([
    { id: 's1', tool: 'navigate', args: { url: 'https://a.test/order?city={{params.city}}' } },
    {
      id: 's2',
      tool: 'interact',
      args: {
        fields: { Code: { $literal: '{{12345}}' } },
        steps: [
          { do: 'fill', target: 'label=City', value: { $ref: 'params.city' } },
          {
            do: 'click',
            modifiers: ['Shift'],
            target: { role: 'button', name: 'Save', near: 'under "Invoice"' },
          },
          { do: 'click', target: 'css=a' },
        ],
      },
    },
    { id: 's3', tool: 'crawl', args: { url: 'https://a.test/', limit: { $ref: 'params.many' } } },
    {
      id: 's4',
      tool: 'oc_output_query',
      args: { output_handle: { $ref: 'steps.s3.handle' }, limit: { $ref: 'params.many' } },
    },
  ]);
  expect(definition['parameters']).toMatchObject({
    properties: { city: { type: 'string' }, many: { type: 'number' } },
    required: ['city', 'many'],
  });
  expect(checkRecipe(definition).problems).toBeNull();
});

it.each([
  ['a call that is not there', [9], {}, 'there is no call 9'],
  ['a value that no call has', [5], { city: 'Goor' }, 'no call has the value of city'],
])('calls of a session refuse %s', (_, calls, parameters, message) => {
  const lift = (): JsonObject => liftCalls(work().of(session), { ...REQUEST, calls, parameters });
  expect(lift).toThrow(SpillwayError);
  expect(lift).toThrow(message);
});

it('calls of a session keep each of two fields that have one label', () => {
  const own = new OwnCalls();
  ended(own, 'read_page', {}, '## A\ne1 textbox Qty\ne2 textbox City\n## B\ne3 textbox Qty\ne4 checkbox');
  ended(own, 'interact', { fields: { e1: '1', e2: 'Ede', e3: 2, e4: true }, steps: ['press Enter'] });
  expect(liftCalls(own.of(session), { ...REQUEST, calls: [1] })).toMatchObject({
    steps: [
      {
        args: {
          fields: { City: 'Ede' },
          steps: [
            { do: 'fill', target: { role: 'textbox', name: 'Qty', near: 'under "A"' }, value: '1' },
            { do: 'fill', target: { role: 'textbox', name: 'Qty', near: 'under "B"' }, value: '2' },
            { do: 'check', target: { role: 'checkbox', name: '', near: 'under "B"' } },
            { do: 'press' },
          ],
        },
      },
    ],
  });
});

it('calls of a session of any arguments become a recipe that has no reference but to parameters', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ minLength: 1, maxLength: 3 }), (value, word) => {
      const own = new OwnCalls();
      const args: JsonObject = {
        given: JSON.parse(JSON.stringify(value)),
        word,
        ref2: { $ref: word },
        text: `{{${word}}} and ${word}`,
      };
      ended(own, 'fetch', args);
      const definition = liftCalls(own.of(session), { ...REQUEST, calls: [1], parameters: { word } });
      expect(checkRecipe(definition).problems).toBeNull();
      expect(isObject(definition)).toBe(true);
    }),
    { numRuns: rounds(300, 60) },
  );
});
