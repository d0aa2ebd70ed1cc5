import { expect, it } from 'vitest';
import { recipesHop } from '../../../server/doctor/hops/recipes.ts';

const run = (check: Parameters<typeof recipesHop>[0]) =>
  recipesHop(check).run(undefined, AbortSignal.timeout(1_000));

it('names the recipes, and the files that cannot be used', async () => {
  const problems = [{ file: 'odd.json', problem: 'name: takes text' }];
  expect(await run(() => ({ recipes: ['one', 'two'], problems }))).toMatchObject({
    ok: true,
    evidence: ['one, two'],
    warnings: ['recipes/odd.json cannot be used: name: takes text.'],
  });
  expect(await run(() => ({ recipes: [], problems: [] }))).toMatchObject({ ok: true, warnings: [] });
});
