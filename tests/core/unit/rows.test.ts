import { expect, it } from 'vitest';
import { formatAnswer } from '../../../server/core/calls/deliver.ts';
import { type ModeRow, formatMember, withLines } from '../../../server/core/registry/definition.ts';
import { clean } from '../../../server/libraries/redaction/clean.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';

const redactor = createRedactor({ enabled: true });

async function written(
  value: JsonObject,
  row: Partial<Pick<ModeRow, 'keys' | 'text'>>,
): Promise<[string, JsonObject | null]> {
  const { payload } = await redactor.payload({ kind: 'json', mimeType: MIME.json, value });
  const { payload: answer, object } = formatAnswer(payload, { keys: null, text: null, ...row });
  if (answer.kind === 'json') return [JSON.stringify(answer.value), object];
  if (answer.kind !== 'text') throw new Error(`There is no format that makes ${answer.kind}.`);
  let text = '';
  for await (const chunk of answer.chunks) text += chunk;
  return [text, object];
}

const CARDS = {
  total: 2,
  recipes: [{ name: 'a', title: 'First' }, { name: 'b', title: 'Second', steps: 3 }, 'stray'],
};

it.each<[string, Parameters<typeof written>[1], string, JsonObject | null]>([
  ['in full', {}, JSON.stringify(CARDS), null],
  ['with some keys', { keys: ['total', 'missing'] }, '{"total":2}', null],
  ['as text', { text: ({ total }) => clean`${formatMember(total)} found.` }, '2 found.', CARDS],
  [
    'as cards',
    {
      text: ({ total, recipes }) =>
        withLines(
          clean`${formatMember(total)} found:`,
          [
            recipes,
            ({ name, title, steps }) =>
              clean`- ${formatMember(name)}: ${formatMember(title)} (${formatMember(steps)} steps)`,
          ],
          [total, () => clean`x`],
        ),
    },
    '2 found:\n- a: First ( steps)\n- b: Second (3 steps)',
    CARDS,
  ],
  [
    'as text, with fewer keys as an object',
    { keys: ['total'], text: ({ total }) => clean`${formatMember(total)}.` },
    '2.',
    { total: 2 },
  ],
  [
    'of objects in text',
    { text: ({ recipes }) => formatMember(recipes) },
    JSON.stringify(CARDS.recipes),
    CARDS,
  ],
])('an answer is written %s', async (_, row, text, object) => {
  expect(await written(CARDS, row)).toEqual([text, object]);
});
