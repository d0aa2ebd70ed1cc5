import { SITES_APART } from '../core/flows.ts';
import { oneOf, setting } from '../core/flag.ts';

export const settings = {
  /** Whether text of a private site needs a yes for another site only where it is found, or always. */
  sitesApart: setting({
    flag: '--sites-apart <mode>',
    help: 'when text of one site may not come to another without a person: where it is found, or after any private site was read',
    choices: SITES_APART,
    byDefault: 'ask',
    schema: () => oneOf(SITES_APART),
  }),
};
