import { describe, expect, it } from 'vitest';
import { formatAnswer } from '../../../server/core/calls/deliver.ts';
import type { CleanPayload } from '../../../server/core/result.ts';
import type { ResponseFormat } from '../../../server/core/registry/definition.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';

const redactor = createRedactor({ enabled: true });

/** What a model reads of a JSON answer, and the object next to it. */
async function written(value: JsonObject, format: ResponseFormat): Promise<[string, JsonObject | null]> {
  const payload: CleanPayload = redactor.payload({ kind: 'json', mimeType: MIME.json, value }).payload;
  const { payload: answer, object } = formatAnswer(payload, format, (text) => redactor.text(text));
  if (answer.kind === 'json') return [JSON.stringify(answer.value), object];
  if (answer.kind !== 'text') throw new Error(`There is no format that makes ${answer.kind}.`);
  let text = '';
  for await (const chunk of answer.chunks) text += chunk;
  return [text, object];
}

const CARDS = {
  total: 2,
  braces: '{total}',
  recipes: [{ name: 'a', title: 'First' }, { name: 'b', title: 'Second', steps: 3 }, 'stray'],
};

describe('an answer is written', () => {
  it.each<[string, ResponseFormat, string, JsonObject | null]>([
    ['in full', 'full', JSON.stringify(CARDS), null],
    ['with some keys', ['total', 'missing'], '{"total":2}', null],
    ['as text', { template: '{total} found.' }, '2 found.', CARDS],
    [
      'as cards',
      {
        template: '{total} found:',
        each: [
          { of: 'recipes', template: '- {name}: {title} ({steps} steps)' },
          { of: 'total', template: 'x' },
        ],
      },
      '2 found:\n- a: First ( steps)\n- b: Second (3 steps)',
      CARDS,
    ],
    ['as text, with fewer keys as an object', { template: '{total}.', keys: ['total'] }, '2.', { total: 2 }],
    ['with objects in its text', { template: '{recipes}' }, JSON.stringify(CARDS.recipes), CARDS],
    ['with braces in a value, as they are', { template: '{braces}' }, '{total}', CARDS],
    ['in full when the text lacks a key', { template: '{total} {none}' }, JSON.stringify(CARDS), null],
  ])('%s', async (_, format, text, object) => {
    expect(await written(CARDS, format)).toEqual([text, object]);
  });
});
