import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatAnswer } from '../../../server/core/calls/deliver.ts';
import type { CleanPayload } from '../../../server/core/payload.ts';
import type { Mode, ModeRow, ResponseFormat } from '../../../server/core/registry/definition.ts';
import { inputJsonSchema, outputJsonSchema } from '../../../server/core/registry/json-schema.ts';
import { ToolRegistry } from '../../../server/core/registry/registry.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { defineTool } from '../../../shared/tools/manifest.ts';
import { mode as terse } from '../../support/modes/terse.mode.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

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

const tool = defineTool({
  name: 'mill_turn',
  title: 'Turn a mill',
  category: 'recipes',
  tier: 2,
  risk: 'none',
  description: { does: 'Turns.', use: '', avoid: '' },
  input: z.strictObject({}),
  output: z.looseObject({ total: z.number(), name: z.string().optional() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  systemRole: 'Mills turn.',
});

function registryWith(row: Partial<ModeRow>, own: Mode['own'] = []): ToolRegistry {
  return new ToolRegistry({
    manifests: [tool],
    augmentations: [],
    mode: {
      ...terse,
      rows: { mill_turn: row, mill_turn_internal: { audience: 'widget' } },
      own,
      instructions: [],
    },
    schemas: { input: inputJsonSchema, output: outputJsonSchema },
    providers: [
      testProvider('others', [
        testTool({ name: 'one', kind: 'direct', presentAs: 'mill_turn', does: 'Is one.' }),
        testTool({ name: 'two', kind: 'direct', presentAs: 'mill_turn', does: 'Is two.' }),
      ]),
    ],
    logger: { warn: () => undefined },
  });
}

describe('a row', () => {
  it.each<[Partial<ModeRow>, string]>([
    [{ text: ['sails'] }, 'the answer has no key sails'],
    [{ text: { template: '{sails}' } }, 'the answer has no key sails'],
    [{ text: { template: '', each: [{ of: 'sails', template: '' }] } }, 'the answer has no key sails'],
    [{ receipt: '{run_id}' }, 'it has a receipt, but its calls are not runs'],
    [{ widget: 'wheel' }, 'wheel is not a widget of the mode'],
    [{ outputSchema: { type: 'object' } }, 'it declares an output schema, but sends no structuredContent'],
    [
      { structuredContent: true, outputSchema: { type: 'object', pattern: '(' } },
      'not every client can compile its output schema',
    ],
  ])('%j is refused at the start', (row, why) => {
    expect(() => registryWith(row)).toThrow(`The row of mill_turn in the mode terse: ${why}.`);
  });
});
