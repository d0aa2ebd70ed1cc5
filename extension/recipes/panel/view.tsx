import { useState } from 'preact/hooks';
import { Button, FilterField, Icon } from '../../ui/kit.tsx';
import { useTexts } from '../../ui/words/use-texts.ts';
import type { Blocks, Given, Line, RecipeShelf } from '../../ui/faces/face.ts';
import { face } from '../../ui/faces/blocks.tsx';
import { faceTexts } from '../../ui/words/en/faces.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { readShown } from '../../../shared/core/tools/shown.ts';
import { formatNumber } from '../../ui/words/format.ts';
import { summarise } from '../../ui/layout.ts';
import { code, listOf, wordFor } from '../../ui/shown.ts';
import { runIn } from '../../ui/run-facts.tsx';

type Words = Given['words']['recipes'];
type Recipe = Given<'recipe_get'>['value'];
type Steps = NonNullable<NonNullable<Recipe['definition']>['steps']>;
type Property = NonNullable<NonNullable<Recipe['input_schema']>['properties']>[string];

const brief = (value: JsonValue | undefined): string => summarise(value) || JSON.stringify(value ?? null);

/** As short as possible: `string`, `integer | null`, `array<string>`. */
function typeOf({ type, items, enum: choices }: Property): string {
  if (Array.isArray(type)) return type.map(String).join(' | ');
  if (typeof type !== 'string') return choices === undefined ? '' : 'enum';
  const inner = items?.['type'];
  return type === 'array' && typeof inner === 'string' ? `${type}<${inner}>` : type;
}

function parameterLine(name: string, property: Property, isRequired: boolean, words: Words): Line {
  const { default: byDefault, enum: choices = [], description } = property;
  return {
    code: name,
    quiet: [typeOf(property), byDefault === undefined ? null : `${words.byDefault} ${brief(byDefault)}`],
    marks: isRequired ? [['plain', words.required]] : [],
    text: description,
    blocks: [choices.length > 0 && { note: `${words.oneOf} ${brief(choices)}` }],
  };
}

function conditionOf({ ref, ...tests }: JsonObject, { condition }: Words): string {
  const path = String(ref);
  if (typeof tests['exists'] === 'boolean')
    return `${path} ${tests['exists'] ? condition.exists : condition.missing}`;
  const [test, value] = Object.entries(tests).find(([key]) => key in condition) ?? ['', null];
  return `${path} ${wordFor(condition, test)} ${brief(value)}`;
}

/** A call, or a branch with its steps. */
function stepLine(step: Steps[number], words: Words): Line {
  const { if: condition, tool, id, args = {}, on_error: onError } = step;
  if (condition === undefined)
    return {
      title: tool,
      code: id,
      marks: onError === 'continue' ? [['wait', words.continues]] : [],
      blocks: [Object.keys(args).length > 0 && { fold: words.arguments, blocks: [{ value: args }] }],
    };
  const side = (name: string, inside: readonly JsonValue[] = []): Blocks => {
    const value = { definition: { steps: inside } };
    const { steps = [] } = readShown('recipe_get', { value })?.value.definition ?? {};
    return [
      { note: steps.length === 0 ? `${name} ${words.nothing}` : name },
      steps.length > 0 && stepsOf(steps, words),
    ];
  };
  return {
    text: `${words.if} ${conditionOf(condition, words)}`,
    blocks: [...side(words.then, step.then), ...(step.else === undefined ? [] : side(words.else, step.else))],
  };
}

const stepsOf = (steps: Steps, words: Words) =>
  ({ items: steps.map((step) => stepLine(step, words)), as: 'steps' }) as const;

/** Depending on the mode, output and definition may be missing. */
function details(recipe: Recipe, { recipes: words, interact }: Given['words']): Blocks {
  const { input_schema: input, output_schema: output, definition } = recipe;
  const { properties = {}, required = [] } = input ?? {};
  const answers = Object.keys(output?.properties ?? {});
  const lines = Object.entries(properties).map(([name, property]) =>
    parameterLine(name, property, required.includes(name), words),
  );
  return [
    input !== undefined && {
      part: words.parameters,
      blocks: [lines.length === 0 ? { note: words.noParameters } : { items: lines }],
    },
    definition !== undefined && {
      part: interact.parts.step,
      blocks: [
        definition.code === undefined
          ? stepsOf(definition.steps ?? [], words)
          : { text: definition.code, as: 'code' },
      ],
    },
    output !== undefined && {
      part: words.answers,
      blocks: [
        answers.length === 0
          ? { note: words.lastStep }
          : { line: { marks: answers.map((name) => ['plain', name]) } },
      ],
    },
  ];
}

/** A recipe in a list. It opens where whole recipes can be loaded. */
function card(
  recipe: NonNullable<Given<'recipe_search'>['value']['recipes']>[number],
  { actions: { recipes: shelf }, words: all }: Given<'recipe_search'>,
): Line {
  const words = all.recipes;
  const { name, title, description, steps, parameters } = recipe;
  const opened = shelf?.opened.get(name) ?? null;
  const inside: Blocks =
    opened === null ? [{ note: all.reading }] : [...details(opened, all), { note: words.toRun }];
  const open = shelf === null ? undefined : { is: shelf.opened.has(name), toggle: () => shelf.toggle(name) };
  return {
    title,
    text: description,
    about: {
      code: name,
      quiet: [words.steps({ count: steps })],
      marks: parameters.map((parameter) => ['plain', parameter]),
    },
    open,
    blocks: open?.is === true ? inside : [],
  };
}

/** A search for recipes. Not a form: hosts keep widgets' frames from submitting forms. */
function Search({ shelf }: { readonly shelf: RecipeShelf }) {
  const { recipes: words, searching } = useTexts(faceTexts);
  const [query, setQuery] = useState('');
  const search = (): void => {
    if (!shelf.isBusy) shelf.search(query.trim());
  };
  return (
    <div class="c-seek together" role="search">
      <FilterField label={words.search} value={query} onInput={setQuery} onEnter={search} />
      <Button aria-disabled={shelf.isBusy} onClick={search}>
        <Icon name="search" />
        {shelf.isBusy ? searching : words.searchButton}
      </Button>
    </div>
  );
}

export const RECIPE_RENDERS = {
  recipe_search: face('recipe_search', (given) => {
    const { recipes: words } = given.words;
    const { recipes: shelf } = given.actions;
    const { recipes, total = recipes?.length ?? 0, problems } = shelf?.found ?? given.value;
    const search = shelf !== null && given.answer.ok && { own: <Search shelf={shelf} /> };
    const query = shelf?.query ?? '';
    if (recipes === undefined) return [search, code(given.text)];
    const { length } = recipes;
    const none = query === '' ? words.none : words.noMatch({ query });
    const some =
      length < total
        ? words.shownOf({ shown: formatNumber(length), total: formatNumber(total) })
        : words.found({ count: total });
    return [
      search,
      { note: length > 0 ? some : none },
      length > 0 && { items: recipes.map((recipe) => card(recipe, given)), label: words.list },
      listOf(words.skipped, problems, ({ file, problem }) => ({ code: file, text: problem })),
    ];
  }),
  recipe_get: face('recipe_get', ({ value, actions: { recipes: shelf }, words }) => {
    const { name } = value;
    if (name === undefined) return [];
    const recipe = shelf?.opened.get(name) ?? value;
    return [
      { line: { isHead: true, title: recipe.title ?? name, code: name } },
      { line: { text: recipe.description } },
      ...details(recipe, words),
      shelf !== null && { note: words.recipes.toRun },
    ];
  }),
  recipe_run: face('recipe_run', ({ call, answer, value: { items }, text }) => {
    const run = runIn(answer.value ?? answer.state);
    if (run !== null) return [{ run, isLive: call.state === 'running' }];
    return [
      items !== undefined && items.length > 0 && { records: items },
      code(text),
      !answer.ok && Object.keys(answer.state).length > 0 && { value: answer.state },
    ];
  }),
  recipe_save: face('recipe_save', ({ value, words }) => {
    const { saved: name, steps = [] } = value;
    if (name === undefined) return [];
    return [
      { line: { marks: [['good', words.saved]], code: name } },
      ...details(value, words),
      {
        part: words.interact.parts.step,
        blocks: [{ items: steps.map((step) => ({ code: step })), as: 'steps' }],
      },
    ];
  }),
  recipe_delete: face('recipe_delete', ({ value: { deleted: name }, words: { recipes: words } }) => [
    name !== undefined && { line: { marks: [['off', words.deleted]], code: name } },
  ]),
};
