import { describe, expect, it } from 'vitest';
import { faceToolOf } from '../../../server/widgets/common/model/face-answer.ts';
import { open, ScriptedHost, settle } from './scripted-host.ts';

const card = (name: string): object => ({
  name,
  title: `The ${name}`,
  description: 'Does it.',
  parameters: [],
  steps: 1,
});
const list = (...names: string[]): object => ({ recipes: names.map(card), total: names.length });
const whole = (name: string): object => ({
  name,
  title: `The ${name}`,
  description: 'Does it.',
  input_schema: { type: 'object' },
  output_schema: { type: 'object' },
  definition: { steps: [] },
});

describe('recipes', () => {
  it('are known by the shape of their answer where the host does not name the tool', async () => {
    const { widget, tell } = await open();
    await tell(list('one'));
    expect([faceToolOf(widget, 'other'), widget.title.value]).toEqual(['recipe_search', 'Recipes']);
    await tell(whole('one'));
    expect([faceToolOf(widget, 'other'), widget.title.value]).toEqual(['recipe_get', 'The one']);
  });

  it('are searched, and an earlier answer that comes late is dropped', async () => {
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

  it('open one by one, and close', async () => {
    const { host, widget, tell } = await open();
    await tell(list('one', 'two'));
    const { recipes } = widget;
    void recipes.toggle('one');
    void recipes.toggle('two');
    expect([...recipes.opened.value]).toEqual([
      ['one', null],
      ['two', null],
    ]);
    void recipes.toggle('two');
    host.next('recipe_get_internal').answer(whole('one'));
    host.next('recipe_get_internal').answer(whole('two'));
    await settle();
    expect([...recipes.opened.value]).toEqual([['one', whole('one')]]);
    await tell(list('three'));
    expect([...recipes.opened.value]).toEqual([]);
  });

  it.each([
    ['the search', 'recipe_search_internal', list('one')],
    ['the details', 'recipe_get_internal', whole('one')],
  ])('%s that fails says why, and is tried again', async (what, tool, found) => {
    const { host, widget, tell } = await open();
    await tell(list('one'));
    const { recipes } = widget;
    void (what === 'the search' ? recipes.search('x') : recipes.open('one'));
    host.next(tool).fail();
    await settle();
    expect(widget.failure.value?.code).toBe('not_reached');
    expect(recipes.isBusy.value).toBe(false);
    expect(recipes.opened.value.size).toBe(0);
    widget.retry();
    host.next(tool).answer({ error: { code: 'recipe_not_found', message: 'There is no recipe "one".' } });
    await settle();
    expect(widget.failure.value).toMatchObject({ code: 'recipe_not_found' });
    widget.retry();
    host.next(tool).answer(found);
    await settle();
    expect(widget.failure.value).toBeNull();
  });

  it('are read in full where the mode leaves out their steps', async () => {
    const short = {
      name: 'one',
      title: 'The one',
      description: 'Does it.',
      input_schema: { type: 'object' },
    };
    const { host, widget, tell } = await open();
    await tell(short);
    host.next('recipe_get_internal').answer(whole('one'));
    await settle();
    expect(widget.recipes.opened.value.get('one')).toEqual(whole('one'));
    await tell(whole('two'));
    expect(host.calls).toEqual([]);
    const mute = await open(new ScriptedHost({ callTools: false, openLinks: false }));
    await mute.tell(short);
    expect(mute.host.calls).toEqual([]);
  });
});
