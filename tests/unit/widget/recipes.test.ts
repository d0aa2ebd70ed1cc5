import { expect, it } from 'vitest';
import { open, settle } from './scripted-host.ts';

const card = (name: string): object => ({
  name,
  title: `The ${name}`,
  description: 'Does it.',
  parameters: [],
  steps: 1,
});
const list = (...names: string[]): object => ({ recipes: names.map(card), total: names.length });

it('recipes are searched, and an earlier answer that comes late is dropped', async () => {
  const { host, widget, tell } = await open();
  await tell(list('one'));
  void widget.recipes.search('first');
  void widget.recipes.search('');
  const first = host.next('recipe_search_internal');
  const second = host.next('recipe_search_internal');
  expect([first.args, second.args]).toEqual([{ query: 'first', limit: 50 }, { limit: 50 }]);
  second.answer(list('two'));
  first.fail();
  await settle();
  expect(widget.recipes.found.value).toEqual(list('two'));
  expect(widget.recipes.isBusy.value).toBe(false);
  expect(widget.failure.value).toBeNull();
});
