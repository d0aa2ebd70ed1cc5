import { expect, it } from 'vitest';
import { Steps } from '../../../server/tools/recipes/steps.ts';
import { Recipe } from '../../../shared/recipes/recipe.ts';

it('keeps the frame of an act, which is for exports, from interact', async () => {
  const act = { do: 'type', target: 'label="Body"', value: 'Hi' };
  const steps = [{ id: 'a', tool: 'interact', args: { steps: [{ ...act, frame: 'https://a.test/f' }] } }];
  const recipe = Recipe.parse({
    version: 1,
    name: 'a',
    title: 'A',
    description: 'A.',
    parameters: {},
    steps,
  });
  const made: unknown[] = [];
  await new Steps(recipe, {}).run(async ({ args = '' }) => void made.push(JSON.parse(args)));
  expect(made).toEqual([{ steps: [act] }]);
});
