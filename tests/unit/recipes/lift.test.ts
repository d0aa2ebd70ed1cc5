import { describe, expect, it } from 'vitest';
import { clean } from '../../../server/redact/clean.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { liftCalls } from '../../../server/recipes/lift.ts';
import { OwnCalls } from '../../../server/recipes/own-calls.ts';
import { describedIn, parseLine } from '../../../server/recipes/page-lines.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { checkRecipe } from '../../../shared/recipes/check.ts';
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

describe('a line of a page', () => {
  it.each([
    [
      'e13 button Save · row "Invoice 7"',
      { ref: 'e13', role: 'button', name: 'Save', near: 'row "Invoice 7"' },
    ],
    ['e4 textbox [hint "5 digits"] Code', { ref: 'e4', role: 'textbox', name: 'Code' }],
    [
      'e8 combobox Country = NL (NL|IR|JP) · under "A"',
      { ref: 'e8', role: 'combobox', name: 'Country', near: 'under "A"' },
    ],
    ['+ f2e17 button Log out', { ref: 'f2e17', role: 'button', name: 'Log out' }],
    ['e3 button', { ref: 'e3', role: 'button', name: '' }],
  ])('%s', (line, parsed) => expect(parseLine(line)).toEqual(parsed));

  it('has the heading above it where it says nothing nearer', () => {
    expect(Object.fromEntries(describedIn(SNAPSHOT))).toEqual({
      e1: { role: 'link', name: 'Home', near: 'under "Shop"' },
      e2: { role: 'link', name: 'Shop', near: 'under "Shop"' },
      e4: { role: 'textbox', name: 'Code', near: 'under "Delivery"' },
      e5: { role: 'combobox', name: 'Country', near: 'under "Delivery"' },
      f1e9: { role: 'button', name: 'Pause', near: 'under "Invoice"' },
      e6: { role: 'button', name: 'Save', near: 'under "Invoice"' },
    });
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

describe('calls of a session', () => {
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

  it('become a recipe that names elements and parameters', () => {
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
  ])('refuse %s', (_, calls, parameters, message) => {
    const lift = (): JsonObject => liftCalls(work().of(session), { ...REQUEST, calls, parameters });
    expect(lift).toThrow(SpillwayError);
    expect(lift).toThrow(message);
  });

  it('refuse a ref that nothing describes', () => {
    const own = new OwnCalls();
    ended(own, 'interact', { steps: ['click e77'] });
    ended(own, 'read_page', { ref: 'e77' });
    expect(() => liftCalls(own.of(session), { ...REQUEST, calls: [2] })).toThrow(/acts on e77/);
    expect(() => liftCalls(own.of(session), { ...REQUEST, calls: [1] })).toThrow(/read_page names e77/);
  });

  it('of any arguments become a recipe that has no reference but to parameters', () => {
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
      { numRuns: 300 },
    );
  });

  it('are the last fifty', () => {
    const own = new OwnCalls();
    for (let index = 0; index < 60; index += 1) ended(own, 'navigate', { index });
    expect(own.of(session)).toHaveLength(50);
    expect(own.of(session)[0]?.args).toEqual({ index: 10 });
  });
});
