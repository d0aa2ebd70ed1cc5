import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { checkRecipe } from '../../../shared/recipes/check.ts';
import {
  BadReference,
  fillTemplate,
  follow,
  findMixedReferences,
  parseReference,
  referencesIn,
} from '../../../shared/recipes/references.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';

const SCOPE = {
  params: { url: 'https://a.test/', list: [1, { deep: null }], 'odd key': true },
  steps: { one: { ok: true } },
};

it.each([
  ['params.url', ['params', 'url']],
  ['params.list[1].deep', ['params', 'list', 1, 'deep']],
  ['params["odd key"]', ['params', 'odd key']],
])('a reference %s is a path', (text, path) => expect(parseReference(text)).toEqual(path));

it('a reference finds own members, and nothing inherited', () => {
  const at = (text: string): JsonValue | undefined => follow(SCOPE, parseReference(text) ?? []);
  expect(at('params.list[1].deep')).toBeNull();
  expect(at('params["odd key"]')).toBe(true);
  for (const none of ['list.length', 'constructor', '__proto__', 'url[0]', 'list[9]'])
    expect(at(`params.${none}`)).toBeUndefined();
});

it.each<[JsonValue, JsonValue]>([
  ['see {{ params.url }} {{steps.one}}', 'see https://a.test/ {"ok":true}'],
  [{ $ref: 'params.list' }, [1, { deep: null }]],
  [{ $ref: 'params.none', default: [] }, []],
  [
    { $literal: { $ref: '#/$defs/x', text: '{{params.url}}' } },
    { $ref: '#/$defs/x', text: '{{params.url}}' },
  ],
  [{ a: [{ b: '{{params.list[0]}}' }] }, { a: [{ b: '1' }] }],
  ['{{ not closed', '{{ not closed'],
])('a template %j becomes %j', (template, filled) => expect(fillTemplate(template, SCOPE)).toEqual(filled));

it.each(['{{params.none}}', '{{what}}', '{{}}'])('a template %j leads nowhere', (template) =>
  expect(() => fillTemplate(template, SCOPE)).toThrow(BadReference),
);

it('a template of anything is filled or refused, and quickly', () => {
  const pieces = fc.constantFrom(...'{{|}}|params|steps|.|[|]|"|\\|0|url| |$ref|{|}'.split('|'));
  const text = fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join(''));
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(fc.constantFrom('$ref', '$literal', 'default', '__proto__'), text),
        tie('tree'),
        { maxKeys: 3 },
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (template) => {
      findMixedReferences(template, 'args');
      for (const { text: written, path } of referencesIn(template, 'args'))
        expect(path).toEqual(parseReference(written));
      try {
        fillTemplate(template, SCOPE);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(BadReference);
      }
    }),
    { numRuns: rounds(2_000, 200) },
  );
});

const BASE = { version: 1, name: 'x', title: 'x', description: 'x' };

it('checking a recipe never throws, whatever the value', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('steps', 'parameters', 'output', 'name', 'version'),
      (value, key) => {
        const base = { ...BASE, steps: [{ id: 'a', tool: 'tabs' }] };
        const { recipe, problems } = checkRecipe({ ...base, [key]: value });
        expect(recipe === null).toBe(problems !== null);
      },
    ),
  );
});

it('checking a recipe refuses deep nesting without examining the rest', () => {
  const deep: unknown = JSON.parse(`${'{"then":['.repeat(20_000)}${']}'.repeat(20_000)}`);
  expect(checkRecipe(deep).problems).toEqual(['the file is nested deeper than 64 levels']);
});
