import { EFFECTS } from '../../shared/core/policy/names.ts';
import type { RulesOptions } from './rules-command.ts';
import { type AddCommand, flag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<RulesOptions>({
    name: 'rules',
    about: 'open the rules for agents in your browser, with a rule filled in if the flags propose one',
    options: [
      flag('--from <sites>', 'propose a rule about text read on these sites (comma-separated)'),
      flag('--to <sites>', 'that comes to these sites'),
      flag('--effect <effect>', 'what happens').choices(EFFECTS),
      flag('--browser <name>', 'name or label of the browser; default: the only one that runs'),
    ],
    run: async (flags, io) => (await import('./rules-command.ts')).runRules(flags, io),
  });
}
