import type { JsonObject } from '../../../shared/base/json.ts';
import type { MemoryServer } from '../memory-client.ts';

/** A recipe with every kind of step and of parameter. */
const ORDER: JsonObject = {
  version: 1,
  name: 'order_again',
  title: 'Order the same again',
  description:
    'Opens the last order of a shop, puts what is in it into the cart, and stops before the payment.',
  parameters: {
    type: 'object',
    properties: {
      shop: { type: 'string', description: 'Address of the shop' },
      count: { type: 'integer', minimum: 1, default: 1, description: 'How many of each' },
      delivery: { type: 'string', enum: ['home', 'office', 'shop'], default: 'home' },
      notes: { type: 'array', items: { type: 'string' } },
    },
    required: ['shop'],
    additionalProperties: false,
  },
  steps: [
    { id: 'open', tool: 'navigate', args: { url: { $ref: 'params.shop' } } },
    { id: 'look', tool: 'read_page', args: { format: 'text' }, on_error: 'continue' },
    {
      id: 'banner',
      if: { ref: 'steps.look.text', contains: 'Accept cookies' },
      then: [{ id: 'accept', tool: 'interact', args: { steps: ['click text=Accept cookies'] } }],
      else: [],
    },
    {
      id: 'order',
      tool: 'interact',
      args: {
        steps: [{ do: 'click', target: { role: 'button', name: 'Order again', near: 'row "Last order"' } }],
      },
    },
  ],
  output: { page: '{{params.shop}}', cart: { $ref: 'steps.order.text' } },
};

const short = (name: string, title: string, description: string, steps: readonly string[]): JsonObject => ({
  version: 1,
  name,
  title,
  description,
  parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  steps: steps.map((tool, at) => ({ id: `s${at + 1}`, tool, args: { url: { $ref: 'params.url' } } })),
});

const RECIPES: readonly JsonObject[] = [
  ORDER,
  short(
    'list_links',
    'List the links of a page',
    'Opens an address and returns its title and its first links.',
    ['navigate', 'find'],
  ),
  short(
    'weekly_report',
    'Download the weekly report',
    'Signs in to the statistics and saves the report as CSV.',
    ['navigate', 'interact', 'wait_for', 'interact'],
  ),
];

export async function saveRecipes({ call }: Pick<MemoryServer, 'call'>): Promise<void> {
  for (const definition of RECIPES) await call('recipe_save', { definition, replace: true });
}
