import type { RunAnswerOptions } from './command.ts';
import { type AddCommand, homeFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<Pick<RunAnswerOptions, 'home'>>({
    name: 'run answer',
    about: 'answer a question of a program, or its next one',
    arguments: [
      ['<run_id>', 'of the program'],
      ['<answer>', 'yes or no, a text, a choice, or the JSON of a form'],
    ],
    options: [homeFlag()],
    run: async ({ home: folder }, io, [runId = '', answer = '']) =>
      (await import('./command.ts')).runAnswer({ runId, answer, home: folder }, io),
  });
}
