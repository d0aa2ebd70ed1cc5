import { SELECTION_STRATEGIES } from '../core/registry/selector.ts';
import { oneOf, setting } from '../core/flag.ts';

export const settings = {
  /** How `find_tools` chooses tools for a query. */
  toolSelection: setting({
    flag: '--tool-selection <strategy>',
    help: 'how find_tools chooses: by words, by the model of the client (sampling), or by both',
    choices: SELECTION_STRATEGIES,
    byDefault: 'keyword',
    schema: () => oneOf(SELECTION_STRATEGIES),
  }),
};
