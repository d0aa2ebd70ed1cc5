import { PLAIN_ROW, type Mode } from '../core/registry/definition.ts';

/** Plain tools. */
export const mode: Mode = {
  name: 'default',
  audience: 'agents',
  fallback: PLAIN_ROW,
  rows: {
    recipe_search: {
      text: {
        template: '{total} found. recipe_get shows one whole, recipe_run does one.',
        each: [
          {
            of: 'recipes',
            template: '- {name}: {title}. {description} ({steps} steps, parameters {parameters})',
          },
          { of: 'problems', template: '- {file} is skipped: {problem}' },
        ],
      },
    },
  },
  own: [],
  instructions: [],
  widgets: null,
};
