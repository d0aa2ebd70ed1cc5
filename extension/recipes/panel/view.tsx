import { useState } from 'preact/hooks';
import { Button, FilterField, Icon } from '../../ui/kit.tsx';
import { useTexts } from '../../ui/words/use-texts.ts';
import {
  type RecipeShelf,
  ofState,
  type Blocks,
  type Given,
  type Line,
  type View,
} from '../../ui/faces/face.ts';
import { faceTexts } from '../../ui/words/en/faces.ts';
import { type JsonObject, type JsonValue, isObject } from '../../../shared/base/json.ts';
import { formatNumber } from '../../ui/words/format.ts';
import { summarise } from '../../ui/layout.ts';
import {
  asList,
  asRecord,
  asRecords,
  asText,
  code,
  figure,
  listOf,
  numberIn,
  textIn,
  textsIn,
  wordFor,
} from '../../ui/read-json.ts';
import { isRun } from '../../ui/run-facts.tsx';

type Words = Given['words']['recipes'];

const brief = (value: JsonValue | undefined): string => summarise(value) || JSON.stringify(value ?? null);

/** As short as possible: `string`, `integer | null`, `array<string>`. */
function typeOf({ type, items, enum: choices, const: fixed }: JsonObject): string {
  if (Array.isArray(type)) return type.map(String).join(' | ');
  if (typeof type !== 'string') return choices === undefined && fixed === undefined ? '' : 'enum';
  const inner = type === 'array' ? textIn(items, 'type') : null;
  return inner === null ? type : `${type}<${inner}>`;
}

function parameterLine(name: string, property: JsonObject, isRequired: boolean, words: Words): Line {
  const { default: byDefault, enum: choices } = property;
  return {
    code: name,
    quiet: [typeOf(property), byDefault === undefined ? null : `${words.byDefault} ${brief(byDefault)}`],
    marks: isRequired ? [['plain', words.required]] : [],
    text: textIn(property, 'description'),
    blocks: [asList(choices).length > 0 && { note: `${words.oneOf} ${brief(choices)}` }],
  };
}

function conditionOf({ ref, ...tests }: JsonObject, { condition }: Words): string {
  const path = asText(ref) ?? '';
  if (typeof tests['exists'] === 'boolean')
    return `${path} ${tests['exists'] ? condition.exists : condition.missing}`;
  const [test, value] = Object.entries(tests).find(([key]) => key in condition) ?? ['', null];
  return `${path} ${wordFor(condition, test)} ${brief(value)}`;
}

/** A call, or a branch with its steps. */
function stepLine(step: JsonObject, words: Words): Line {
  const condition = step['if'];
  const args = asRecord(step['args']);
  if (!isObject(condition))
    return {
      title: textIn(step, 'tool') ?? '',
      code: textIn(step, 'id'),
      marks: step['on_error'] === 'continue' ? [['wait', words.continues]] : [],
      blocks: [Object.keys(args).length > 0 && { fold: words.arguments, blocks: [{ value: args }] }],
    };
  const side = (name: string, steps: readonly JsonObject[]): Blocks => [
    { note: steps.length === 0 ? `${name} ${words.nothing}` : name },
    steps.length > 0 && stepsOf(steps, words),
  ];
  return {
    text: `${words.if} ${conditionOf(condition, words)}`,
    blocks: [
      ...side(words.then, asRecords(step['then'])),
      ...(step['else'] === undefined ? [] : side(words.else, asRecords(step['else']))),
    ],
  };
}

const stepsOf = (steps: readonly JsonObject[], words: Words) =>
  ({ items: steps.map((step) => stepLine(step, words)), as: 'steps' }) as const;

/** Depending on the mode, output and definition may be missing. */
function details(recipe: JsonObject, { recipes: words, interact }: Given['words']): Blocks {
  const { input_schema: input, output_schema: output, definition } = recipe;
  const properties = Object.entries(asRecord(asRecord(input)['properties']));
  const required = textsIn(input, 'required');
  const answers = Object.keys(asRecord(asRecord(output)['properties']));
  const lines = properties.map(([name, property]) =>
    parameterLine(name, asRecord(property), required.includes(name), words),
  );
  return [
    isObject(input) && {
      part: words.parameters,
      blocks: [lines.length === 0 ? { note: words.noParameters } : { items: lines }],
    },
    isObject(definition) && {
      part: interact.parts.step,
      blocks: [
        typeof definition['code'] === 'string'
          ? { text: definition['code'], as: 'code' }
          : stepsOf(asRecords(definition['steps']), words),
      ],
    },
    isObject(output) && {
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
function card(recipe: JsonObject, { actions: { recipes: shelf }, words: all }: Given): Line {
  const words = all.recipes;
  const name = textIn(recipe, 'name') ?? '';
  const opened = shelf?.opened.get(name) ?? null;
  const inside: Blocks =
    opened === null ? [{ note: all.reading }] : [...details(opened, all), { note: words.toRun }];
  const open = shelf === null ? undefined : { is: shelf.opened.has(name), toggle: () => shelf.toggle(name) };
  return {
    title: textIn(recipe, 'title') ?? name,
    text: textIn(recipe, 'description'),
    about: {
      code: name,
      quiet: [figure(recipe, 'steps', (count) => words.steps({ count }))],
      marks: textsIn(recipe, 'parameters').map((parameter) => ['plain', parameter]),
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
    <div class="c-seek" role="search">
      <FilterField label={words.search} value={query} onInput={setQuery} onEnter={search} />
      <Button aria-disabled={shelf.isBusy} onClick={search}>
        <Icon name="search" />
        {shelf.isBusy ? searching : words.searchButton}
      </Button>
    </div>
  );
}

export const RECIPE_VIEWS = {
  recipe_search: (given) => {
    const { recipes: words } = given.words;
    const { recipes: shelf } = given.actions;
    const value = shelf?.found ?? given.value;
    const search = shelf !== null && given.answer.ok && { own: <Search shelf={shelf} /> };
    const query = shelf?.query ?? '';
    if (!isObject(value)) return [search, code(value)];
    const recipes = asRecords(value['recipes']);
    const { length } = recipes;
    const total = numberIn(value, 'total') ?? length;
    const none = query === '' ? words.none : words.noMatch({ query });
    const some =
      length < total
        ? words.shownOf({ shown: formatNumber(length), total: formatNumber(total) })
        : words.found({ count: total });
    return [
      search,
      { note: length > 0 ? some : none },
      recipes.length > 0 && { items: recipes.map((recipe) => card(recipe, given)), label: words.list },
      listOf(words.skipped, asRecords(value['problems']), (one) => ({
        code: textIn(one, 'file'),
        text: textIn(one, 'problem'),
      })),
    ];
  },
  recipe_get: ({ value, actions: { recipes: shelf }, words }) => {
    const name = textIn(value, 'name');
    const recipe = (name === null ? null : shelf?.opened.get(name)) ?? value;
    if (!isObject(recipe) || name === null) return [];
    return [
      { line: { isHead: true, title: textIn(recipe, 'title') ?? name, code: name } },
      { line: { text: textIn(recipe, 'description') } },
      ...details(recipe, words),
      shelf !== null && { note: words.recipes.toRun },
    ];
  },
  recipe_run: ofState(({ call, answer, value, state }) => {
    const run = isObject(value) ? value : state;
    if (isRun(run)) return [{ run, isLive: call.state === 'running' }];
    return [
      Array.isArray(value) && value.length > 0 && { records: value },
      code(value),
      !answer.ok && Object.keys(state).length > 0 && { value: state },
    ];
  }),
  recipe_save: ({ value, words }) => {
    const name = textIn(value, 'saved');
    if (!isObject(value) || name === null) return [];
    const steps = textsIn(value, 'steps').map((step) => ({ code: step }));
    return [
      { line: { marks: [['good', words.saved]], code: name } },
      ...details(value, words),
      { part: words.interact.parts.step, blocks: [{ items: steps, as: 'steps' }] },
    ];
  },
  recipe_delete: ({ value, words: { recipes: words } }) => {
    const name = textIn(value, 'deleted');
    return [name !== null && { line: { marks: [['off', words.deleted]], code: name } }];
  },
} satisfies Readonly<Record<string, View>>;
