import type { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { serverCommand, type ServerFlags, settingNames } from '../../../server/cli/options.ts';
import { addCommands } from '../../../server/cli/commands.ts';

const parsed = (...args: string[]): Command =>
  serverCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(args, { from: 'user' });

afterEach(() => vi.unstubAllEnvs());

it.each([
  [undefined, undefined, [], 'default', undefined, '--mode', '--tools'],
  ['', '', [], 'default', undefined, '--mode', '--tools'],
  ['openai', 'read,act', [], 'openai', ['read', 'act'], 'SPILLWAY_MODE', 'SPILLWAY_TOOLS'],
  ['openai', 'read', ['--mode', 'apps'], 'apps', ['read'], '--mode', 'SPILLWAY_TOOLS'],
  ['openai', 'read', ['--tools', 'act'], 'openai', ['act'], 'SPILLWAY_MODE', '--tools'],
])(
  'mode and tools of SPILLWAY_MODE=%s, SPILLWAY_TOOLS=%s and %j are %s and %j, written in %s and %s',
  (mode, tools, args, wantedMode, wantedTools, modeName, toolsName) => {
    vi.stubEnv('SPILLWAY_MODE', mode);
    vi.stubEnv('SPILLWAY_TOOLS', tools);
    const command = parsed(...args);
    const { mode: gotMode, tools: gotTools } = command.opts<ServerFlags>();
    expect([gotMode, gotTools]).toEqual([wantedMode, wantedTools]);
    expect(settingNames(command)).toEqual({ home: '--home', mode: modeName, tools: toolsName });
  },
);

const run = (...args: string[]): Promise<unknown> => {
  const program = serverCommand().exitOverride();
  addCommands(program);
  return program.parseAsync(args, { from: 'user' });
};

it.each(['install', 'doctor'])(
  'the commands share flag names with the server --browser after %s is its own',
  async (command) => {
    await expect(run(command, '--browser', 'netscape')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: '--browser: "netscape" is not a supported browser.',
    });
  },
);
