import { type AddCommand } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add({
    name: 'skill',
    about: 'print the skill (SKILL.md) that tells an agent how to use these commands',
    options: [],
    run: async (_flags, io) => {
      io.write(await (await import('./files.ts')).readSkill());
      return 0;
    },
  });
}
