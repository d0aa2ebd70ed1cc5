import { describe, expect, it } from 'vitest';
import { addCommands } from '../../../server/cli/commands.ts';
import { serverCommand } from '../../../server/cli/options.ts';

const run = (...args: string[]): Promise<unknown> => {
  const program = serverCommand().exitOverride();
  addCommands(program);
  return program.parseAsync(args, { from: 'user' });
};

describe('the commands share flag names with the server', () => {
  it.each(['install', 'doctor'])('--browser after %s is its own', async (command) => {
    await expect(run(command, '--browser', 'netscape')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: '--browser: "netscape" is not a supported browser.',
    });
  });
});
