import { PLAIN_ROW, type Mode, textOf, withLines } from '../core/registry/definition.ts';
import { clean } from '../redact/clean.ts';

/** Plain tools. */
export const mode: Mode = {
  name: 'default',
  audience: 'agents',
  fallback: PLAIN_ROW,
  rows: {
    recipe_search: {
      text: ({ total, recipes, problems }) =>
        withLines(
          clean`${textOf(total)} found. recipe_get shows one whole, recipe_run does one.`,
          [
            recipes,
            ({ name, title, description, steps, parameters }) =>
              clean`- ${textOf(name)}: ${textOf(title)}. ${textOf(description)} (${textOf(steps)} steps, parameters ${textOf(parameters)})`,
          ],
          [problems, ({ file, problem }) => clean`- ${textOf(file)} is skipped: ${textOf(problem)}`],
        ),
    },
  },
  own: [],
  instructions: [],
  widgets: null,
};
