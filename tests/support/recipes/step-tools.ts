import type { ToolRuntime } from '../../../server/core/registry/definition.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { testProvider, testTool } from '../test-provider.ts';
import { untilAborted } from '../test-tool.ts';

export const called: JsonObject[] = [];
export const broken = { is: false };
const works = {
  test_open: async (args) => {
    called.push(args);
    return produceJson(
      { ...args, items: [{ url: 'https://example.org/1' }, { url: 'https://example.org/2' }] },
      { url: 'https://example.org/' },
    );
  },
  test_break: async (args) => {
    called.push(args);
    if (broken.is) throw new SpillwayError('tab_not_found', 'There is no tab b1:9.');
    return produceJson({ was: 'whole' });
  },
  test_wait: async (_, { signal }) => untilAborted(signal),
} satisfies Readonly<Record<string, ToolRuntime<JsonObject>>>;

export const stepTools = () => ({
  providers: [
    testProvider(
      'test',
      Object.entries(works).map(([name, run]) => testTool({ name, kind: 'direct', run })),
    ),
  ],
});

export const OPEN: JsonObject = {
  version: 1,
  name: 'open-One',
  title: 'Open one',
  description: 'Opens one address and names the second item.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' }, times: { type: 'integer', default: 2 } },
    required: ['word'],
    additionalProperties: false,
  },
  steps: [
    {
      id: 'open',
      tool: 'test_open',
      args: { text: 'say {{params.word}} {{params.times}} times', deep: [{ $ref: 'params.times' }] },
    },
    { id: 'then', tool: 'test_break', args: { url: { $ref: 'steps.open.structured.items[1].url' } } },
  ],
  output: { second: { $ref: 'steps.open.structured.items[1].url' }, was: '{{steps.then.structured.was}}' },
};
