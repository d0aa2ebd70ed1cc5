import { PLAIN_ROW, type Mode, formatMember, withLines } from '../registry/definition.ts';
import { clean } from '../../libraries/redaction/clean.ts';

/** Plain tools. */
export const mode: Mode = {
  name: 'default',
  audience: 'agents',
  fallback: PLAIN_ROW,
  rows: {
    recipe_search: {
      text: ({ total, recipes, problems }) =>
        withLines(
          clean`${formatMember(total)} found. recipe_get shows one whole, recipe_run does one.`,
          [
            recipes,
            ({ name, title, description, steps, parameters }) =>
              clean`- ${formatMember(name)}: ${formatMember(title)}. ${formatMember(description)} (${formatMember(steps)} steps, parameters ${formatMember(parameters)})`,
          ],
          [
            problems,
            ({ file, problem }) => clean`- ${formatMember(file)} is skipped: ${formatMember(problem)}`,
          ],
        ),
    },
  },
  own: [],
  instructions: [],
  widgets: null,
};
